package dev.chargehand.verify.tasks;

import dev.chargehand.AgentRuntime;
import dev.chargehand.IdleStream.IdleResult;
import dev.chargehand.Recovery;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.verify.stores.StoreAddress;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A process that starts a conversation with background tasks, or continues one, and ends when nothing is left. */
public final class TasksChild {

    static final String EFFECT = "effect ";
    static final String EVENT = "event ";
    static final String OVER = "over";

    private final PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private TasksChild() {}

    /**
     * Run in the process.
     *
     * @param arguments the address of the store
     */
    public static void main(String[] arguments) {
        new TasksChild().run(new StoreAddress(arguments[0]).open());
        Runtime.getRuntime().halt(0);
    }

    private void run(Store store) {
        AgentRuntime runtime =
                new TasksCrew(key -> say(EFFECT + key)).runtime(store, event -> say(EVENT + event.type()));
        if (store.list(RunFilter.ROOTS).isEmpty()) {
            IdleResult ignored = runtime.agent("lead").generateUntilIdle("Go", o -> o.thread(TasksCrew.THREAD));
        } else {
            Recovery recovery = runtime.recover();
            // a run whose processes were killed again and again without progress waits for an operator
            recovery.stuck().forEach(run -> runtime.resume(run, o -> {}));
        }
        long seen = 0;
        while (!store.list(RunFilter.ROOTS.statuses(RunStatus.PENDING, RunStatus.RUNNING))
                .isEmpty()) {
            seen = store.awaitChange(seen, Duration.ofMillis(250));
        }
        say(OVER);
    }

    private synchronized void say(String line) {
        output.println(line);
    }
}
