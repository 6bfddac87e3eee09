package dev.chargehand.verify.release;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunReleasedException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.verify.stores.StoreAddress;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * A process that starts many runs at once, or one that resumes what others have released, until its input ends. On
 * SIGTERM it closes its runtime, as a service does.
 */
public final class ReleaseChild {

    static final String READY = "ready";
    static final String EFFECT = "effect";
    static final String BROKE = "broke";
    static final String NOT_STARTED = "not-started";

    /** The exit code of a process that SIGTERM ended. */
    private static final int TERMINATED = 143;

    private final PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private final AgentRuntime runtime;
    private volatile boolean closing;

    private ReleaseChild(String address) {
        runtime = new ReleaseCrew((task, slot) -> say(EFFECT + " " + task + " " + slot))
                .runtime(new StoreAddress(address).open());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            closing = true;
            runtime.close();
            Runtime.getRuntime().halt(TERMINATED);
        }));
    }

    /**
     * Run in the process.
     *
     * @param arguments the address of the store, and how many runs to start; 0 to resume those of others
     */
    public static void main(String[] arguments) throws IOException {
        ReleaseChild child = new ReleaseChild(arguments[0]);
        int runs = Integer.parseInt(arguments[1]);
        for (int i = 0; i < runs; i++) {
            String task = "task-" + i;
            Thread.ofVirtual().start(() -> child.run(task));
        }
        child.say(READY);
        while (System.in.read() >= 0) {
            // Its parent ends the input when it has seen enough.
        }
    }

    private void run(String task) {
        try {
            runtime.agent("lead").generate(task);
        } catch (RunReleasedException e) {
            // The other process finishes it.
        } catch (RuntimeException e) {
            boolean late = e instanceof ConfigurationException && closing;
            say(late ? NOT_STARTED + " " + task : BROKE + " " + task + " " + e);
        }
    }

    private synchronized void say(String line) {
        output.println(line.replace('\n', ' '));
    }
}
