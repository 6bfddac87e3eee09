package dev.chargehand.verify.watch;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.approval.Approver;
import dev.chargehand.run.RunStatus;
import dev.chargehand.verify.stores.StoreAddress;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** A process that executes runs until it is killed, and approves what they wait for. */
public final class WatchChild {

    private static final Approver ANN = Approver.of("ann");

    private final PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private final WatchCrew crew = new WatchCrew(true);
    private final AgentRuntime runtime;

    private WatchChild(String address) {
        runtime = crew.runtime(new StoreAddress(address).open());
    }

    /**
     * Run in the process.
     *
     * @param arguments the address of the store, and how many runs to start
     */
    public static void main(String[] arguments) throws IOException {
        WatchChild child = new WatchChild(arguments[0]);
        int runs = Integer.parseInt(arguments[1]);
        for (int i = 0; i < runs; i++) {
            boolean ofWorkflow = i % 2 == 0;
            Thread.ofVirtual().start(() -> child.run(ofWorkflow));
        }
        while (System.in.read() >= 0) {
            // Its parent kills it.
        }
    }

    private void run(boolean ofWorkflow) {
        try (RunStream stream = crew.stream(runtime, ofWorkflow)) {
            say(stream.runId().value());
            RunResult result = stream.result();
            while (result.status() == RunStatus.SUSPENDED) {
                result = runtime.approve(result.pendingApprovals().getFirst(), ANN)
                        .result();
            }
        }
    }

    private synchronized void say(String line) {
        output.println(line);
    }
}
