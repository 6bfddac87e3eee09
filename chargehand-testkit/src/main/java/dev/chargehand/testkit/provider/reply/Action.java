package dev.chargehand.testkit.provider.reply;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** One step of a reply between its head and its end. */
public sealed interface Action {
    /** A part of the body (an event, a document), framed, written so many times in a row. */
    record Part(Bytes content, int times) implements Action {}

    /** Bytes that bypass the framing. */
    record Raw(Bytes content) implements Action {}

    record Pause(Duration duration) implements Action {}

    record Hold(CountDownLatch until) implements Action {}

    record Signal(CountDownLatch reached) implements Action {}
}
