package dev.chargehand.verify.planted;

import dev.chargehand.verify.harness.OwnClassPath;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;

/**
 * The sources that this harness was built from. Nothing in them is changed: what a bug changes is compiled in addition
 * to them, and stands before the rest on the class path. Used by one thread.
 */
final class Checkout {

    private static final long LONGEST_MINUTES = 5;

    private final Path root;
    private final Path work;
    private final Map<PlantedBug.Tests, Path> compiledTests = new HashMap<>();

    /**
     * What tests said.
     *
     * @param code a code of {@link SuiteMain}
     * @param output what they printed
     */
    record Verdict(int code, String output) {}

    /** Find the sources; {@code work} is an empty folder. */
    Checkout(Path work) {
        this.root = root();
        this.work = work;
    }

    private static Path root() {
        try {
            Path here = Path.of(Checkout.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            for (Path folder = here; folder != null; folder = folder.getParent()) {
                if (Files.isDirectory(folder.resolve("chargehand-core").resolve("src"))) {
                    return folder;
                }
            }
            throw new IllegalStateException(
                    "There are no sources above " + here + "; run verify/planted in a checkout.");
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Run tests on the sources as they are. */
    Verdict run(PlantedBug.Tests tests) throws IOException, InterruptedException {
        return run(tests, List.of());
    }

    /** Run the tests that must see a bug, with the bug. */
    Verdict run(PlantedBug bug) throws IOException, InterruptedException {
        Path classes = Files.createDirectories(work.resolve(bug + "-classes"));
        compile(plant(bug), classes, List.of());
        return run(bug.tests(), List.of(classes));
    }

    /** Return copies of the sources that a bug changes, with the bug. */
    Set<Path> plant(PlantedBug bug) throws IOException {
        Path sources = work.resolve(bug + "-sources");
        Set<Path> changed = new LinkedHashSet<>();
        for (PlantedBug.Edit edit : bug.edits()) {
            Path file = sources.resolve(edit.file());
            if (changed.add(file)) {
                Files.createDirectories(file.getParent());
                Files.copy(root.resolve(edit.file()), file);
            }
            Files.writeString(file, edit.in(Files.readString(file)));
        }
        return changed;
    }

    private Verdict run(PlantedBug.Tests tests, List<Path> first) throws IOException, InterruptedException {
        List<Path> folders = new ArrayList<>(first);
        folders.add(compiled(tests));
        folders.add(root.resolve(tests.module()).resolve("src/test/resources"));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath(folders),
                SuiteMain.class.getName()));
        command.add(tests.name());
        Path output = Files.createTempFile(work, "output", ".txt");
        Process process = new ProcessBuilder(command)
                .directory(root.resolve(tests.module()).toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new IllegalStateException(tests + " took longer than " + LONGEST_MINUTES + " minutes.");
        }
        return new Verdict(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    }

    /** Compile tests, with what they use of their module's other tests. */
    private Path compiled(PlantedBug.Tests tests) throws IOException {
        Path known = compiledTests.get(tests);
        if (known != null) {
            return known;
        }
        Path classes = Files.createTempDirectory(work, "tests");
        Path sources = root.resolve(tests.module()).resolve("src/test/java");
        Path file = sources.resolve(tests.className().replace('.', '/') + ".java");
        compile(List.of(file), classes, List.of("-sourcepath", sources.toString()));
        compiledTests.put(tests, classes);
        return classes;
    }

    private static void compile(Collection<Path> files, Path classes, List<String> more) throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        List<String> options = new ArrayList<>(List.of(
                "--release",
                "21",
                "-proc:none",
                "-nowarn",
                "-parameters",
                "-cp",
                OwnClassPath.text(),
                "-d",
                classes.toString()));
        options.addAll(more);
        try (var manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            if (!compiler.getTask(null, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
                    .call()) {
                throw new IllegalStateException("It cannot be compiled: " + files);
            }
        }
    }

    private static String classPath(List<Path> folders) {
        List<String> entries =
                new ArrayList<>(folders.stream().map(Path::toString).toList());
        entries.add(OwnClassPath.text());
        return String.join(File.pathSeparator, entries);
    }
}
