package dev.chargehand.verify.tasks;

import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.verify.harness.LineProcess;
import dev.chargehand.verify.stores.StoreAddress;
import dev.chargehand.verify.stores.StorePlace;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** One conversation: processes that are killed, and a last one that reaches the end. */
final class TasksChain {

    private static final int MOST_KILLS = 12;

    /** About a quarter of the lines of a process that does all the work. */
    private static final int MOST_LINES = 40;

    private static final long LONGEST_SECONDS = 120;

    private final SplittableRandom random;
    private final StorePlace place;
    private final BiConsumer<String, String> fault;
    private final Map<String, Set<String>> effects = new HashMap<>();

    TasksChain(SplittableRandom random, StorePlace place, BiConsumer<String, String> fault) {
        this.random = random;
        this.place = place;
        this.fault = fault;
    }

    /** Play it; returns how many processes were killed. */
    int run() throws IOException, InterruptedException {
        int kills = 0;
        while (kills < MOST_KILLS && !reachesTheEnd(random.nextInt(1, MOST_LINES))) {
            kills++;
        }
        if (kills < MOST_KILLS || reachesTheEnd(Integer.MAX_VALUE)) {
            check();
        }
        return kills;
    }

    /** Start a process and kill it after some lines; returns whether it has reached the end before. */
    private boolean reachesTheEnd(int lines) throws IOException, InterruptedException {
        BlockingQueue<String> said = new LinkedBlockingQueue<>();
        try (LineProcess child = LineProcess.start(TasksChild.class, said::add, place.address())) {
            for (int line = 0; line < lines; line++) {
                String next = said.poll(LONGEST_SECONDS, TimeUnit.SECONDS);
                if (next == null) {
                    fault.accept("hung", "a process says nothing any more");
                    return false;
                }
                if (next.equals(TasksChild.OVER)) {
                    return true;
                }
                note(next);
            }
            child.kill();
        }
        said.forEach(this::note); // what it did before it was gone
        return said.contains(TasksChild.OVER);
    }

    private void note(String line) {
        if (line.startsWith(TasksChild.EFFECT)) {
            String[] effect = line.substring(TasksChild.EFFECT.length()).split(" ", 2);
            effects.computeIfAbsent(effect[0], topic -> new HashSet<>()).add(effect[1]);
        }
    }

    private void check() {
        Store opened = new StoreAddress(place.address()).open();
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(opened)
                .providers()
                .wakeups(Wakeups.off())
                .build()) {
            Store store = runtime.store();
            for (String topic : TasksCrew.TOPICS) {
                int keys = effects.getOrDefault(topic, Set.of()).size();
                if (keys != 1) {
                    fault.accept(
                            keys == 0 ? "lost" : "doubled", "entry " + topic + " was written under " + keys + " keys");
                }
            }
            List<RunRecord> tasks = store.list(RunFilter.ROOTS.tasks(TaskFilter.ALL));
            long read = tasks.stream()
                    .filter(task -> task.task().orElseThrow().readBy() != null)
                    .count();
            if (tasks.size() != TasksCrew.TOPICS.size() || read != tasks.size()) {
                fault.accept("different", tasks.size() + " tasks, of which " + read + " results were read");
            }
            checkEnds(store);
            checkThread(runtime);
        }
    }

    private void checkEnds(Store store) {
        store.list(RunFilter.ROOTS).stream()
                .filter(run -> run.status() != RunStatus.COMPLETED)
                .forEach(run -> fault.accept("different", "run " + run.runId() + " is " + run.status()));
    }

    private void checkThread(AgentRuntime runtime) {
        List<Message> messages = runtime.threads().lastMessages(ThreadOwner.of(null), TasksCrew.THREAD, 100).stream()
                .map(ThreadMessage::message)
                .toList();
        long results = messages.stream().filter(Message::internal).count();
        if (results != TasksCrew.TOPICS.size()) {
            fault.accept(
                    results > TasksCrew.TOPICS.size() ? "doubled" : "lost", results + " results are in the thread");
        }
        String last = messages.stream()
                .filter(message -> message.role() == Role.ASSISTANT)
                .reduce((one, other) -> other)
                .map(Message::text)
                .orElse("");
        if (!last.equals(TasksCrew.ANSWER)) {
            fault.accept("different", "the last answer is <" + last + ">");
        }
    }
}
