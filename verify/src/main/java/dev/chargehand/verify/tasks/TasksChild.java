package dev.chargehand.verify.tasks;

import dev.chargehand.AgentRuntime;
import dev.chargehand.Recovery;
import dev.chargehand.RunHandle;
import dev.chargehand.background.OnEnd;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.verify.harness.OutsideLedger;
import dev.chargehand.verify.stores.StoreAddress;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A process that starts a conversation with background tasks, or continues one, answers what the tasks wait for, and
 * ends when nothing is left.
 */
public final class TasksChild {

    /** The role of a process that starts the conversation if none is stored. */
    static final String START = "start";

    /** The role of a process that does so with an ordinary run, whose tasks start the turns that follow. */
    static final String START_ORDINARY = "start-ordinary";

    /** The role of a process that only helps. */
    static final String HELP = "help";

    static final String EVENT = "event";
    static final String OVER_BOUND = "over bound";
    static final String FAILED = "failed ";
    static final String OVER = "over";

    private final PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private TasksChild() {}

    /**
     * Run in the process.
     *
     * @param arguments its role, the address of the store, the file of the ledger, and how many tasks there are
     */
    public static void main(String[] arguments) {
        TasksChild child = new TasksChild();
        OutsideLedger ledger = new OutsideLedger(Path.of(arguments[2]));
        TasksCrew crew = new TasksCrew(Topic.first(Integer.parseInt(arguments[3])), ledger);
        AgentRuntime runtime =
                crew.runtime(new StoreAddress(arguments[1]).open(), event -> child.say(EVENT + " " + event.type()));
        child.watch(new Approvals(runtime, ledger));
        child.run(runtime, arguments[0]);
        if (crew.isOverBound()) {
            child.say(OVER_BOUND);
        }
        child.say(OVER);
        Runtime.getRuntime().halt(0);
    }

    private void watch(Runnable human) {
        Thread thread = Thread.ofVirtual().unstarted(human);
        thread.setUncaughtExceptionHandler((dead, e) -> say(FAILED + e));
        thread.start();
    }

    private void run(AgentRuntime runtime, String role) {
        Store store = runtime.store();
        boolean fresh = store.list(RunFilter.ROOTS).isEmpty();
        if (fresh && role.equals(START_ORDINARY)) {
            RunHandle ignored = runtime.agent(TasksCrew.LEAD)
                    .start("Go", o -> o.thread(TasksCrew.THREAD).onEnd(OnEnd.CONTINUE));
        } else if (fresh && role.equals(START)) {
            runtime.agent(TasksCrew.LEAD).generateUntilIdle("Go", o -> o.thread(TasksCrew.THREAD));
        } else if (!fresh) {
            Recovery recovery = runtime.recover();
            // a run whose processes were killed again and again without progress waits for an operator
            recovery.stuck().forEach(run -> runtime.resume(run, o -> {}));
        }
        long seen = 0;
        while (isOpen(store)) {
            seen = store.awaitChange(seen, Duration.ofMillis(250));
        }
    }

    private static boolean isOpen(Store store) {
        return store.list(RunFilter.ROOTS.limit(1)).isEmpty()
                || !store.list(RunFilter.ROOTS
                                .statuses(RunStatus.PENDING, RunStatus.RUNNING, RunStatus.SUSPENDED)
                                .limit(1))
                        .isEmpty();
    }

    private synchronized void say(String line) {
        output.println(line.replace('\n', ' '));
    }
}
