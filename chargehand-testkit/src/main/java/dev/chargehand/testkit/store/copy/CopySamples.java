package dev.chargehand.testkit.store.copy;

import dev.chargehand.thread.ThreadOwner;
import java.time.Instant;

/** What the rules for copies are about. */
final class CopySamples {

    static final Instant START = Instant.parse("2026-01-02T03:04:05.006Z");
    static final ThreadOwner ANN = ThreadOwner.of("ann");
    static final ThreadOwner BOB = ThreadOwner.of("bob");

    private CopySamples() {}
}
