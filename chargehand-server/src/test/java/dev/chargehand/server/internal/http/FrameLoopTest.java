package dev.chargehand.server.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How much a stream holds of what its reader has not read. */
@Timeout(60)
class FrameLoopTest {

    static final FrameLoop.Watched STREAM = new FrameLoop.Watched() {
        @Override
        public boolean isEnded() {
            return false;
        }

        @Override
        public void startWrite() {}

        @Override
        public void endWrite() {}
    };

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final FrameLoop loop = new FrameLoop(STREAM, written);
    private final AtomicInteger put = new AtomicInteger();

    /** Put so many texts on another thread, and wait until it waits for a place, or has put them all. */
    private Thread put(int count, String text) {
        Thread maker = Thread.ofPlatform().start(() -> {
            try {
                for (int i = 0; i < count; i++) {
                    loop.put(text);
                    put.incrementAndGet();
                }
                loop.end();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        while (maker.isAlive() && maker.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        return maker;
    }

    @Test
    void largeTextsAreHeldUpToOneMebibyte() throws Exception {
        Thread maker = put(100, "x".repeat(100_000));
        assertThat(put).hasValue(5);
        writeAll(maker, 10_000_000);
    }

    @Test
    void aTextThatIsLargerIsHeldAlone() throws Exception {
        Thread maker = put(3, "x".repeat(2_000_000));
        assertThat(put).hasValue(1);
        writeAll(maker, 6_000_000);
    }

    @Test
    void smallTextsAreHeldUpToTheirNumber() throws Exception {
        Thread maker = put(1_000, "x");
        assertThat(put).hasValue(256);
        writeAll(maker, 1_000);
    }

    private void writeAll(Thread maker, int size) throws IOException, InterruptedException {
        loop.run(Duration.ofMinutes(1), "", Duration.ofSeconds(1));
        maker.join();
        assertThat(written.size()).isEqualTo(size);
    }
}
