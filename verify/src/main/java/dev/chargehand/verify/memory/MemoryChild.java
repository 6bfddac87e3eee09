package dev.chargehand.verify.memory;

import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.store.Store;
import dev.chargehand.verify.stores.StoreAddress;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** A process that does a task until it is done or killed, and says how far it has come. */
public final class MemoryChild {

    static final String READY = "ready";
    static final String DID = "did";
    static final String FOREIGN = "foreign";
    static final String BROKE = "broke";
    static final String END = "end";

    private static final Duration LONGEST = Duration.ofMinutes(2);

    private final PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private final ReentrantLock lock = new ReentrantLock();
    private final AgentRuntime runtime;

    private MemoryChild(String address, Task task) {
        Store store = new StoreAddress(address).open();
        runtime = task == Task.OBSERVE
                ? new ObservedTalk(what -> say(BROKE + " " + what)).runtime(store, Wakeups.all())
                : new MemoryCrew(what -> say(FOREIGN + " " + what)).runtime(store, Wakeups.all());
    }

    /**
     * Run in the process.
     *
     * @param arguments the address of the store, the task, the number of the process, from which step on and how many steps
     *     there are
     */
    public static void main(String[] arguments) throws InterruptedException {
        Task task = Task.valueOf(arguments[1]);
        MemoryChild child = new MemoryChild(arguments[0], task);
        int process = Integer.parseInt(arguments[2]);
        int from = Integer.parseInt(arguments[3]);
        int steps = Integer.parseInt(arguments[4]);
        try (AgentRuntime open = child.runtime) {
            child.say(READY);
            switch (task) {
                case EDIT -> child.steps(from, steps, number -> Edits.make(open, process, number));
                case OBSERVE -> child.steps(from, steps, number -> ObservedTalk.make(open, process, number));
                case FILL -> child.steps(from, steps, number -> Fills.fill(open, number));
                case TALK -> child.talk(process, from, steps);
            }
            if (!open.memory().settled(LONGEST)) {
                child.say(BROKE + " the work on memory does not end");
            }
        }
        child.say(END);
    }

    private interface Step {
        void make(int number);
    }

    private void steps(int from, int steps, Step step) {
        for (int number = from; number < steps; number++) {
            make(number, step);
        }
    }

    private void make(int number, Step step) {
        try {
            step.make(number);
            say(DID + " " + number);
        } catch (RuntimeException e) {
            say(BROKE + " step " + number + ": " + e);
        }
    }

    private void talk(int process, int from, int steps) throws InterruptedException {
        List<Thread> lanes = new ArrayList<>();
        for (int lane = 0; lane < Turn.LANES; lane++) {
            int own = lane;
            lanes.add(Thread.ofVirtual().start(() -> {
                for (int number = from; number < steps; number++) {
                    Turn turn = new Turn(process, number);
                    if (turn.lane() == own) {
                        make(number, ignored -> Talks.make(runtime, turn));
                    }
                }
            }));
        }
        for (Thread lane : lanes) {
            lane.join();
        }
    }

    private void say(String line) {
        lock.lock();
        try {
            output.println(line.replace('\n', ' '));
        } finally {
            lock.unlock();
        }
    }
}
