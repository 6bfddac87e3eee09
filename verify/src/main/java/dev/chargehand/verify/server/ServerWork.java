package dev.chargehand.verify.server;

import dev.chargehand.AgentRuntime;
import dev.chargehand.store.Store;
import dev.chargehand.verify.harness.OutsideLedger;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** What the agents of a server process do. */
enum ServerWork {
    /** They book and sign, as {@link ServerCrew} has it. */
    SIGNED(Duration.ZERO),
    /** They book, as {@link HeldCrew} has it: calls are held until the process is terminated, and three seconds more. */
    HELD(Duration.ofSeconds(3)),
    /** They book like those, and take less time after that. */
    HELD_BRIEFLY(Duration.ofMillis(500)),
    /** They book like those, and no call is held. */
    FREE(Duration.ZERO),
    /** They answer with what they were asked for on their thread, as {@link HearingCrew} has it. */
    HEARD(Duration.ZERO);

    private final Duration afterTermination;

    ServerWork(Duration afterTermination) {
        this.afterTermination = afterTermination;
    }

    /** Make the runtime of a process; {@code terminated} opens when the process gets SIGTERM. */
    AgentRuntime runtime(Store store, OutsideLedger ledger, CountDownLatch terminated) {
        return switch (this) {
            case SIGNED -> new ServerCrew(ledger).runtime(store);
            case HELD, HELD_BRIEFLY -> new HeldCrew(ledger, terminated, afterTermination).runtime(store);
            case HEARD -> new HearingCrew(ledger).runtime(store);
            case FREE -> new HeldCrew(ledger, new CountDownLatch(0), afterTermination).runtime(store);
        };
    }
}
