package dev.chargehand.server.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stream ends when nothing makes its texts any more. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FrameFeedTest {

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final FrameLoop loop = new FrameLoop(FrameLoopTest.STREAM, written);

    private String run(FrameFeed.Source source, Runnable closing) throws IOException {
        try (FrameFeed ignored = FrameFeed.start("feed", loop, source, closing)) {
            loop.run(Duration.ofDays(1), ": hb", Duration.ofDays(1));
        }
        return written.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aStreamEndsAfterTheLastText() throws IOException {
        assertThat(run(() -> loop.put("a"), () -> {})).isEqualTo("a");
    }

    @Test
    void aStreamEndsIfItsTextsCannotBeMade() throws IOException {
        String all = run(
                () -> {
                    loop.put("a");
                    throw new IllegalStateException("planted");
                },
                () -> {});
        assertThat(all).isEqualTo("a");
    }

    @Test
    void whatMakesTextsHasEndedWhenItIsStopped() {
        AtomicBoolean ended = new AtomicBoolean();
        Thread stops = Thread.currentThread();
        FrameFeed.Source source = () -> {
            while (stops.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            ended.set(true);
        };
        try (FrameFeed feed = FrameFeed.start("feed", loop, source, () -> {})) {
            feed.stop();
            assertThat(ended).isTrue();
        }
    }
}
