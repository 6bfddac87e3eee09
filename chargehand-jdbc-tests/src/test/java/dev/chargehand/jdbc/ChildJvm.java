package dev.chargehand.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another JVM that writes to a store and says on its output what was acknowledged. */
final class ChildJvm implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;
    private final List<String> lines = new ArrayList<>();

    /**
     * Starts it by a shell, so that it can be put under a limit.
     *
     * @param setUp a shell command before it, ending in {@code ;}, or empty
     * @param store what the program is told, to know where to write
     */
    ChildJvm(String setUp, Class<?> program, String store) throws IOException {
        process = new ProcessBuilder(
                        "bash",
                        "-c",
                        setUp + " exec \"$0\" \"$@\"",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-XX:-UsePerfData",
                        "-cp",
                        System.getProperty("java.class.path"),
                        program.getName(),
                        store)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        output = process.inputReader();
    }

    /** Reads lines until so many are there. */
    void awaitLines(int count) throws IOException {
        while (lines.size() < count) {
            String line = output.readLine();
            if (line == null) {
                throw new AssertionError("The child ended after " + lines);
            }
            lines.add(line);
        }
    }

    /** Kills it with {@code kill -9}, and returns all the whole lines it got to say. */
    List<String> kill() throws Exception {
        // By its handle: the process itself would throw away what is still to read.
        assertThat(process.toHandle().destroyForcibly()).isTrue();
        return awaitEnd();
    }

    /** Reads to its end. */
    List<String> awaitEnd() throws Exception {
        // A last line that the kill cut short has no end, and counts for nothing.
        StringBuilder rest = new StringBuilder();
        for (int c = output.read(); c >= 0; c = output.read()) {
            rest.append((char) c);
        }
        int end = rest.lastIndexOf("\n");
        if (end >= 0) {
            rest.substring(0, end).lines().forEach(lines::add);
        }
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new AssertionError("The child does not end.");
        }
        return lines;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
