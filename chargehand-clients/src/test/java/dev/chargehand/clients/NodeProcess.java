package dev.chargehand.clients;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Starts Node in a folder of the build in which the clients are installed. They are installed once, by {@code npm ci} from the lock file,
 * and again when that has changed. Scripts of packages are not run.
 */
final class NodeProcess {

    private static final Path FOLDER = Path.of("target", "node").toAbsolutePath();
    private static final Path SCENARIOS = Path.of("src", "test", "js");
    private static final Pattern VERSION = Pattern.compile("v(\\d+)\\..*");
    private static final ReentrantLock INSTALLING = new ReentrantLock();

    private NodeProcess() {}

    /** Return the major version of Node; 0 if there is none. */
    static int version() {
        try {
            Matcher version = VERSION.matcher(
                    output(Path.of("").toAbsolutePath(), "node", "--version").getLast());
            return version.matches() ? Integer.parseInt(version.group(1)) : 0;
        } catch (UncheckedIOException | IllegalStateException e) {
            return 0;
        }
    }

    /** Run the scenarios of a file and return the lines that it wrote. */
    static List<String> run(String file, String... arguments) {
        install();
        return output(
                FOLDER,
                Stream.concat(Stream.of("node", file), Stream.of(arguments)).toArray(String[]::new));
    }

    private static void install() {
        INSTALLING.lock();
        try {
            Files.createDirectories(FOLDER);
            try (Stream<Path> files = Files.list(SCENARIOS)) {
                for (Path file : files.toList()) {
                    copy(file);
                }
            }
            Path installed = FOLDER.resolve("installed-lock.json");
            Path lock = Path.of("package-lock.json");
            if (!Files.exists(installed) || Files.mismatch(lock, installed) >= 0) {
                Files.deleteIfExists(installed);
                copy(Path.of("package.json"));
                copy(lock);
                var unused = output(FOLDER, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
                Files.copy(lock, installed);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            INSTALLING.unlock();
        }
    }

    private static void copy(Path file) throws IOException {
        Files.copy(file, FOLDER.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }

    /** Run a command in a folder and return the lines that it wrote; it must end with 0. */
    static List<String> output(Path folder, String... command) {
        List<String> lines = new ArrayList<>();
        try {
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            try (BufferedReader output =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                output.lines().forEach(lines::add);
            }
            if (process.waitFor() != 0) {
                throw new IllegalStateException(
                        String.join(" ", command) + " has failed:\n" + String.join("\n", lines));
            }
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
