package dev.chargehand.verify.tasks;

import dev.chargehand.verify.harness.LineProcess;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A conversation with many tasks in two processes, of which one is killed and replaced some times: no task stays behind,
 * and none is executed by both.
 */
final class TasksCrowd {

    private static final int LINES_PER_TASK = 10;

    private final TasksCase conversation;
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

    TasksCrowd(TasksCase conversation) {
        this.conversation = conversation;
    }

    /** Play it; returns how many processes were killed. */
    int run() throws IOException, InterruptedException {
        int kills = 0;
        LineProcess one = conversation.start(conversation.starts(), said::add);
        LineProcess other = conversation.start(TasksChild.HELP, said::add);
        try {
            while (kills < conversation.kills() && !reachesTheEnd(linesToKill())) {
                kills++;
                other.kill();
                // the next one to be killed is the older one, so that the start of the conversation is hit too
                other = one;
                one = conversation.start(conversation.starts(), said::add);
            }
            if (kills < conversation.kills() || reachesTheEnd(Integer.MAX_VALUE)) {
                conversation.check();
            }
        } finally {
            one.close();
            other.close();
        }
        return kills;
    }

    private int linesToKill() {
        return conversation
                .random()
                .nextInt(1, LINES_PER_TASK * conversation.topics().size());
    }

    /** Read lines of both processes; returns whether one has reached the end. */
    private boolean reachesTheEnd(int lines) throws InterruptedException {
        for (int line = 0; line < lines; line++) {
            String next = said.poll(TasksCase.LONGEST_SECONDS, TimeUnit.SECONDS);
            if (next == null) {
                conversation.fault().accept("hung", "both processes say nothing any more");
                return false;
            }
            if (next.equals(TasksChild.OVER)) {
                return true;
            }
            conversation.note(next);
        }
        return false;
    }
}
