package dev.chargehand.verify.tasks;

import dev.chargehand.verify.harness.LineProcess;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A conversation in one process after another: all are killed but the last one, which reaches the end. */
final class TasksChain {

    /** About a quarter of the lines of a process that does all the work. */
    private static final int MOST_LINES = 60;

    private final TasksCase conversation;

    TasksChain(TasksCase conversation) {
        this.conversation = conversation;
    }

    /** Play it; returns how many processes were killed. */
    int run() throws IOException, InterruptedException {
        int kills = 0;
        while (kills < conversation.kills()
                && !reachesTheEnd(conversation.random().nextInt(1, MOST_LINES))) {
            kills++;
        }
        if (kills < conversation.kills() || reachesTheEnd(Integer.MAX_VALUE)) {
            conversation.check();
        }
        return kills;
    }

    /** Start a process and kill it after some lines; returns whether it has reached the end before. */
    private boolean reachesTheEnd(int lines) throws IOException, InterruptedException {
        BlockingQueue<String> said = new LinkedBlockingQueue<>();
        try (LineProcess child = conversation.start(conversation.starts(), said::add)) {
            for (int line = 0; line < lines; line++) {
                String next = said.poll(TasksCase.LONGEST_SECONDS, TimeUnit.SECONDS);
                if (next == null) {
                    conversation.fault().accept("hung", "a process says nothing any more");
                    return false;
                }
                if (next.equals(TasksChild.OVER)) {
                    return true;
                }
                conversation.note(next);
            }
            child.kill();
        }
        said.forEach(conversation::note); // what it did before it was gone
        return said.contains(TasksChild.OVER);
    }
}
