package dev.chargehand.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Standard output in a file, also on a disk that is full. */
class OutputTest {

    private final StringWriter err = new StringWriter();

    private static final class FullDisk extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            throw new IOException("No space left on device");
        }
    }

    private int exitCode(Output out, int code) {
        return out.exitCode(code, new PrintWriter(err));
    }

    @Test
    void anAnswerThatCouldNotBeWrittenIsNoSuccess() {
        Output out = new Output(new FullDisk());
        out.println("The answer.");

        assertThat(exitCode(out, 0)).isEqualTo(1);
        assertThat(err.toString()).startsWith("chargehand: standard output could not be written (No space left on");
        assertThat(exitCode(out, 5)).isEqualTo(1);
        assertThat(exitCode(out, 4)).as("the worse one stays").isEqualTo(4);
    }

    @Test
    void aTextWithoutALineEndIsWrittenBeforeTheCommandEnds() {
        Output out = new Output(new FullDisk());
        out.print("The answer.");

        assertThat(exitCode(out, 0)).isEqualTo(1);
    }

    @Test
    void outputThatIsWrittenIsUtf8AndChangesNoExitCode() {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        Output out = new Output(written);
        out.print("Größe");

        assertThat(exitCode(out, 0)).isZero();
        assertThat(exitCode(out, 5)).isEqualTo(5);
        assertThat(written.toString(StandardCharsets.UTF_8)).isEqualTo("Größe");
        assertThat(err.toString()).isEmpty();
    }
}
