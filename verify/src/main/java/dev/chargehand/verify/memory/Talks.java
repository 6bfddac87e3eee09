package dev.chargehand.verify.memory;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.run.RunStatus;
import java.util.function.Supplier;

/** Makes the turns of a process. */
final class Talks {

    private static final int TRIES = 20;

    private Talks() {}

    /** Make a turn; a repeated call, also in another process, makes none, and waits for the first. */
    static void make(AgentRuntime runtime, Turn turn) {
        withPatience(() -> runtime.forTenant(turn.owner().tenant())
                .agent(Owner.LEAD)
                .generate(turn.question(), o -> o.thread(turn.conversation())
                        .resource(turn.owner().resource())
                        .idempotencyKey(turn.key())));
    }

    /** Run with a key until it has completed. */
    static void withPatience(Supplier<RunResult> run) {
        for (int tries = 1; ; tries++) {
            try {
                RunResult result = run.get();
                if (result.status() != RunStatus.COMPLETED) {
                    throw new IllegalStateException("Run " + result.runId() + " ended as " + result.stopReason());
                }
                return;
            } catch (ChargehandException e) {
                if (!e.retryable() || tries == TRIES) {
                    throw e;
                }
            }
        }
    }
}
