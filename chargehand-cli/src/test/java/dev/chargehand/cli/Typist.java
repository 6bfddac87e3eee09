package dev.chargehand.cli;

import dev.chargehand.cli.shell.Terminal;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Somebody at a terminal: types the next line whenever a question is asked, and leaves when there is none. */
final class Typist {

    private final PipedOutputStream keys = new PipedOutputStream();
    private final StringWriter screen = new Screen();
    private final Deque<String> lines;
    private final PipedInputStream in;

    Typist(String... lines) {
        this.lines = new ArrayDeque<>(List.of(lines));
        try {
            this.in = new PipedInputStream(keys, 1 << 16);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Types before anything is asked. */
    Typist eagerly(String line) {
        type(line);
        return this;
    }

    Terminal terminal() {
        return new Terminal(in, StandardCharsets.UTF_8, new PrintWriter(screen));
    }

    String screen() {
        return screen.toString();
    }

    private void type(String line) {
        try {
            keys.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            keys.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final class Screen extends StringWriter {
        @Override
        public void flush() {
            if (toString().endsWith("> ") || toString().endsWith(": ")) {
                String next = lines.poll();
                try {
                    if (next == null) {
                        keys.close();
                    } else {
                        type(next);
                        write(next + "\n"); // as a terminal echoes it
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }
}
