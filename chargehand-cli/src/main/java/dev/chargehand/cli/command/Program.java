package dev.chargehand.cli.command;

import dev.chargehand.tool.ToolFailure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs programs in one folder, one process to a call. An interrupt ends the process and those that it started. */
final class Program {

    private final Path folder;
    private final Map<String, String> environment;
    private final int maxOutput;

    Program(Path folder, Map<String, String> environment, int maxOutput) {
        this.folder = folder;
        this.environment = Map.copyOf(environment);
        this.maxOutput = maxOutput;
    }

    /**
     * How a program ended.
     *
     * @param output what it wrote to standard output and standard error, as far as it is wanted
     */
    record Ended(int exitCode, String output) {}

    Ended run(List<String> words) throws InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = start(builder, words.getFirst());
        try {
            Output output = new Output(process.getInputStream(), maxOutput);
            Thread reader = Thread.ofVirtual().start(output);
            process.getOutputStream().close();
            int exitCode = process.waitFor();
            reader.join();
            return new Ended(exitCode, output.text());
        } catch (IOException e) {
            throw new ToolFailure("The standard input of '" + words.getFirst() + "' could not be closed.");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private Process start(ProcessBuilder builder, String program) {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new ToolFailure("The program '" + program + "' could not be started in '" + folder
                    + "'. Is it installed, and is the folder there?");
        }
    }

    /** Reads all that a program writes, so that it never waits, and keeps the beginning. */
    private static final class Output implements Runnable {

        private final InputStream in;
        private final int most;
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream(); // the reader's until it has ended
        private long total;

        Output(InputStream in, int most) {
            this.in = in;
            this.most = most;
        }

        @Override
        public void run() {
            byte[] buffer = new byte[8_192];
            try {
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    kept.write(buffer, 0, Math.min(read, most - kept.size()));
                    total += read;
                }
            } catch (IOException e) {
                total = Math.max(total, kept.size()); // the process was ended: what there is, is all
            }
        }

        String text() {
            String text = kept.toString(StandardCharsets.UTF_8);
            return total <= most ? text : text + "\n[cut: the first " + most + " of " + total + " bytes]";
        }
    }
}
