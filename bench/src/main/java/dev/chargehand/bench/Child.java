package dev.chargehand.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of the benchmark that answers one line for each line it is sent, and ends when its input does. */
final class Child implements AutoCloseable {

    static final List<String> OPTIONS = List.of("-Xmx4g");

    private final Process process;
    private final BufferedReader out;
    private final PrintWriter in;

    private Child(Process process) {
        this.process = process;
        this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.in = new PrintWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8), true);
    }

    /** Start this program in another process. */
    static Child start(String... arguments) throws IOException {
        return start(OPTIONS, arguments);
    }

    /** Start this program in another process, whose JVM has options. */
    static Child start(List<String> options, String... arguments) throws IOException {
        return startFrom(System.getProperty("java.class.path"), options, arguments);
    }

    /** Start the program of that class path in another process, whose JVM has options. */
    static Child startFrom(String classPath, List<String> options, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(options);
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", classPath, Main.class.getName()));
        command.addAll(Arrays.asList(arguments));
        return new Child(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    String readLine() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IOException("A process of the benchmark ended early.");
        }
        return line;
    }

    /** Send a command and return the figures it answers. */
    long[] ask(String command) throws IOException {
        in.println(command);
        return Arrays.stream(readLine().split(" ", -1))
                .mapToLong(Long::parseLong)
                .toArray();
    }

    /** Wait until the process ends, without a limit; returns whether it succeeded. */
    boolean end() throws InterruptedException {
        in.close();
        return process.waitFor() == 0;
    }

    @Override
    public void close() {
        in.close();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
