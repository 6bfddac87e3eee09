package dev.chargehand.cli.shell;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An output of the process that remembers why it could not be written, for example because a disk is full. */
public final class Output extends PrintWriter {

    private final Checked checked;

    /** Make one that writes UTF-8. */
    public Output(OutputStream to) {
        this(new Checked(to));
    }

    private Output(Checked checked) {
        super(checked, true, StandardCharsets.UTF_8);
        this.checked = checked;
    }

    /** Return standard output. */
    static Output standard() {
        return new Output(new FileOutputStream(FileDescriptor.out));
    }

    /** Return whether standard output is a file: no reader of it can leave, unlike that of a pipe or a terminal. */
    static boolean isFile() {
        return Files.isRegularFile(Path.of("/dev/fd/1"));
    }

    /**
     * Return the exit code of a command that wrote to this.
     *
     * @param code the code if all was written
     * @param err where a failure is reported
     */
    public int exitCode(int code, PrintWriter err) {
        Optional<IOException> failure = failure();
        failure.ifPresent(e -> {
            err.println("chargehand: standard output could not be written (" + e.getMessage()
                    + "); 'chargehand show last' shows the answer of a stored run.");
            err.flush();
        });
        return failure.isPresent() && (code == ExitCode.COMPLETED || code == ExitCode.NOTHING_FOUND)
                ? ExitCode.FAILED
                : code;
    }

    private Optional<IOException> failure() {
        flush();
        return Optional.ofNullable(checked.failure);
    }

    private static final class Checked extends FilterOutputStream {
        private volatile @Nullable IOException failure;

        Checked(OutputStream to) {
            super(to);
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            try {
                out.write(bytes, from, length);
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }
    }
}
