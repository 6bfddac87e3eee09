package dev.chargehand.site;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs programs of a folder in Node. They are installed once, by {@code npm ci} from a lock file, and again when that has changed. Scripts
 * of packages are not run.
 */
final class Node {

    /** The oldest major version that the programs accept. */
    static final int LEAST = 20;

    private static final Pattern VERSION = Pattern.compile("v(\\d+)\\..*");

    private final Path programs;

    private Node(Path programs) {
        this.programs = programs;
    }

    /**
     * The end of a program.
     *
     * @param code its exit code
     * @param lines the lines that it printed, errors included
     */
    record Result(int code, List<String> lines) {

        Result {
            lines = List.copyOf(lines);
        }

        /** Return the lines, or throw if the program has failed. */
        List<String> orThrow() {
            if (code != 0) {
                throw new IllegalStateException("Exit code " + code + ":\n" + String.join("\n", lines));
            }
            return lines;
        }
    }

    /** Return the major version of the Node on the path; 0 if there is none. */
    static int version() {
        try {
            List<String> lines = start(Path.of("").toAbsolutePath(), Map.of(), List.of("node", "--version"))
                    .lines();
            Matcher version = VERSION.matcher(lines.getLast());
            return version.matches() ? Integer.parseInt(version.group(1)) : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    /** Install the packages of a folder that has a {@code package.json} and a lock file, unless they are installed. */
    static Node in(Path programs) throws IOException {
        Path lock = programs.resolve("package-lock.json");
        Path installed = programs.resolve("installed-lock.json");
        if (!Files.exists(installed) || Files.mismatch(lock, installed) >= 0) {
            Files.deleteIfExists(installed);
            var unused = start(
                            programs,
                            Map.of(),
                            List.of("npm", "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"))
                    .orThrow();
            Files.copy(lock, installed, StandardCopyOption.REPLACE_EXISTING);
        }
        return new Node(programs);
    }

    /** Run a script of the programs in a folder. */
    Result run(Path folder, Map<String, String> environment, String script, String... arguments) throws IOException {
        List<String> command = Stream.concat(
                        Stream.of("node", programs.resolve(script).toString()), Arrays.stream(arguments))
                .toList();
        return start(folder, environment, command);
    }

    private static Result start(Path folder, Map<String, String> environment, List<String> command) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        builder.environment().put("NO_COLOR", "1");
        Process process = builder.start();
        process.getOutputStream().close();
        List<String> lines = new ArrayList<>();
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            output.lines().forEach(lines::add);
            return new Result(process.waitFor(), lines);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
