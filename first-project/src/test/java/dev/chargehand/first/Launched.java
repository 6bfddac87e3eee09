package dev.chargehand.first;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A program of a project that was compiled already, in a process of its own without Maven and without a key of a provider. */
final class Launched implements AutoCloseable {

    /** After so many minutes a program that hangs is killed, and what reads its output gets no more. */
    private static final long LONGEST_MINUTES = 5;

    private final Process process;
    private final BufferedReader out;

    private Launched(Process process) {
        this.process = process;
        this.out = process.inputReader();
    }

    /** Starts a program; the words are its class and its arguments. */
    static Launched start(Path folder, String classPath, List<String> words) throws IOException {
        return java(
                folder,
                Stream.concat(Stream.of("-cp", classPath), words.stream()).toList());
    }

    /** Starts a program; the words are those of the command line after {@code java}. */
    static Launched java(Path folder, List<String> words) throws IOException {
        return java(folder, words, Map.of());
    }

    /** Starts a program with further variables of its environment. */
    static Launched java(Path folder, List<String> words, Map<String, String> environment) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(folder.resolve("errors.log").toFile());
        builder.environment().keySet().removeIf(name -> name.endsWith("_API_KEY"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        CompletableFuture.delayedExecutor(LONGEST_MINUTES, TimeUnit.MINUTES).execute(process::destroyForcibly);
        return new Launched(process);
    }

    long pid() {
        return process.pid();
    }

    /** Returns the next lines of the output, each with its end; fewer if the program has ended. */
    String lines(int count) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < count; i++) {
            String line = out.readLine();
            if (line == null) {
                break;
            }
            lines.append(line).append('\n');
        }
        return lines.toString();
    }

    /** Returns the output up to a text, which is the end of it. */
    String upTo(String text) throws IOException {
        StringBuilder output = new StringBuilder();
        for (int c = out.read(); c >= 0; c = out.read()) {
            output.append((char) c);
            if (output.indexOf(text, output.length() - text.length()) >= 0) {
                return output.toString();
            }
        }
        throw new AssertionError("The program has ended without '" + text + "' after: " + output);
    }

    /** Gives the program a line of input. */
    void type(String line) throws IOException {
        process.outputWriter().write(line + "\n");
        process.outputWriter().flush();
    }

    /** Ends the input of the program. */
    void endInput() throws IOException {
        process.outputWriter().close();
    }

    /** Waits for the end, and returns the rest of the output. */
    String rest() {
        return out.lines().map(line -> line + "\n").collect(Collectors.joining());
    }

    /** Asks the process to end, as Ctrl-C does, and waits until it has. */
    void terminate() {
        process.toHandle().destroy();
        process.onExit().join();
    }

    /** Kills the process, as {@code kill -9} does. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
