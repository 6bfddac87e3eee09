package dev.chargehand.command;

import dev.chargehand.tool.ToolFailureException;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs programs in one folder, one process to a call. The {@link ProcessDescendants} of a process ends with its call.
 */
final class Program {

    private static final long FIRST_LOOK_MILLIS = 5;
    private static final long LAST_LOOK_MILLIS = 500;

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

    /** Return whether a program can be started, as far as that is known. */
    static boolean isFound(Path folder, String program) {
        if (File.separatorChar != '/') {
            return true;
        }
        try {
            if (program.indexOf('/') >= 0) {
                return isProgram(folder.resolve(program));
            }
            String path = System.getenv("PATH");
            return Stream.of((path == null ? "/bin:/usr/bin" : path).split(":"))
                    .anyMatch(each -> isProgram(folder.resolve(each).resolve(program)));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static boolean isProgram(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }

    Ended run(List<String> words) throws InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(environment);
        ProcessDescendants offspring = new ProcessDescendants();
        offspring.mark(builder.environment());
        Process process = start(builder, words.getFirst());
        Output output = new Output(process.getInputStream(), maxOutput);
        Thread reader = Thread.ofPlatform().daemon().name("program-output").start(output);
        try {
            process.getOutputStream().close();
            await(process, offspring);
        } catch (IOException e) {
            throw new ToolFailureException("The standard input of '" + words.getFirst() + "' could not be closed.");
        } finally {
            offspring.kill(process.toHandle()); // what holds the output would keep its reader waiting
        }
        reader.join();
        return new Ended(process.exitValue(), output.text());
    }

    /** Check often at first, when a program is most likely to leave another one behind, and seldom later. */
    private static void await(Process process, ProcessDescendants offspring) throws InterruptedException {
        long pause = FIRST_LOOK_MILLIS;
        while (!process.waitFor(pause, TimeUnit.MILLISECONDS)) {
            offspring.look(process.toHandle());
            pause = Math.min(2 * pause, LAST_LOOK_MILLIS);
        }
    }

    private Process start(ProcessBuilder builder, String program) {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new ToolFailureException("The program '" + program + "' could not be started in '" + folder
                    + "'. Is it installed, and is the folder there?");
        }
    }

    /** Reads all that a program writes, so that it never blocks, and keeps the first part. */
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
