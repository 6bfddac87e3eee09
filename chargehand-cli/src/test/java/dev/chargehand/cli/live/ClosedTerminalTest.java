package dev.chargehand.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.impl.ExternalTerminal;
import org.jline.utils.AttributedString;
import org.junit.jupiter.api.Test;

/** The window is closed while a run is shown. */
class ClosedTerminalTest {

    /** As the operating system answers for a terminal that is no longer there. */
    private static final class Closed extends ExternalTerminal {

        private boolean gone;

        Closed() throws IOException {
            super(
                    "closed",
                    "xterm",
                    InputStream.nullInputStream(),
                    new ByteArrayOutputStream(),
                    StandardCharsets.UTF_8);
            gone = true;
        }

        @Override
        public Size getSize() {
            if (!gone) {
                return super.getSize();
            }
            throw new IOError(new IOException("Error calling ioctl(TIOCGWINSZ): return code is -1"));
        }

        @Override
        public Attributes getAttributes() {
            if (!gone) {
                return super.getAttributes();
            }
            throw new IOError(new IOException("Error calling tcgetattr: return code is -1"));
        }
    }

    @Test
    void whatIsPaintedIsLostAndTheCommandContinues() throws Exception {
        try (Closed terminal = new Closed()) {
            Screen screen = new LiveTerminal(terminal, terminal.writer()).screen();

            assertThat(screen.columns()).isEqualTo(79);
            assertThat(screen.rows()).isEqualTo(23);
            screen.paint(List.of(), List.of(new AttributedString("works")));
            screen.paint(List.of(new AttributedString("done")), List.of());
        }
    }
}
