package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The launcher, with a small program in place of the command, in a folder whose name has spaces. */
class LauncherTest {

    private static final String PREPARING = "chargehand: preparing a faster start, once\n";
    private static final String ECHO = """
            public class Echo {
                public static void main(String[] args) throws Exception {
                    if (args[0].equals("rehearse")) {
                        System.out.println("rehearsed");
                        System.exit(@CODE@);
                    }
                    System.out.println(args[0].equals("stdin") ? "" + System.in.read() : String.join("|", args));
                }
            }
            """;

    @TempDir
    private Path temp;

    private Path root = Path.of("");

    @BeforeEach
    void makeACheckout() throws IOException {
        root = Files.createDirectories(temp.resolve("a check out"));
        Files.createDirectories(root.resolve("chargehand-cli/target"));
        Files.createDirectories(root.resolve("chargehand-cli/src/main"));
        Files.createDirectories(root.resolve("scripts"));
        for (String file : List.of("chargehand", "scripts/find-jdk.sh", "scripts/build.sh")) {
            Files.copy(Ran.PROJECT.resolve(file), root.resolve(file));
        }
        for (String pom : List.of("pom.xml", "chargehand-cli/pom.xml")) {
            Files.writeString(root.resolve(pom), "");
        }
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.toList()) {
                Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
            }
        }
        build(0);
    }

    @Test
    void theFirstStartRecordsWhatARunNeedsAndLaterOnesUseIt() throws Exception {
        assertThat(start("one", "two words", "")).isEqualTo(new Ran(0, "one|two words|\n", PREPARING));
        assertThat(caches()).singleElement().satisfies(cache -> assertThat(Files.size(cache))
                .isGreaterThan(100_000));
        assertThat(start("again")).isEqualTo(new Ran(0, "again\n", ""));
        Ran logged = startWith(Map.of("JAVA_TOOL_OPTIONS", "-Xlog:class+load"), "logged");
        assertThat(logged.out()).contains(" Echo source: shared objects file");
    }

    @Test
    void anotherJarIsRecordedAgain() throws Exception {
        start("one");
        Files.setLastModifiedTime(caches().getFirst(), FileTime.from(Instant.EPOCH.plusSeconds(60)));
        assertThat(start("two")).isEqualTo(new Ran(0, "two\n", PREPARING));
        assertThat(start("three")).isEqualTo(new Ran(0, "three\n", ""));
    }

    @Test
    void aRecordThatIsBrokenOrOfAnotherJarIsNotUsedAndNobodyIsTold() throws Exception {
        start("one");
        Path cache = caches().getFirst();
        Files.write(cache, new byte[5_000]);
        assertThat(start("two")).isEqualTo(new Ran(0, "two\n", ""));
        Files.delete(cache);
        start("three");
        Instant made = Files.getLastModifiedTime(caches().getFirst()).toInstant();
        build(0);
        Files.setLastModifiedTime(jar(), FileTime.from(made.minusSeconds(5)));
        assertThat(start("four")).isEqualTo(new Ran(0, "four\n", ""));
    }

    @Test
    void whatCannotBeRecordedIsTriedOnce() throws Exception {
        build(1);
        assertThat(start("one")).isEqualTo(new Ran(0, "one\n", PREPARING));
        assertThat(caches()).singleElement().satisfies(cache -> assertThat(cache)
                .isEmptyFile());
        assertThat(start("two")).isEqualTo(new Ran(0, "two\n", ""));
    }

    @Test
    void nothingIsRecordedForWhoDoesNotWantIt() throws Exception {
        assertThat(startWith(Map.of("CHARGEHAND_SKIP_CACHE", "1"), "one")).isEqualTo(new Ran(0, "one\n", ""));
        assertThat(startWith(Map.of("CHARGEHAND_SKIP_BUILD", "1"), "one")).isEqualTo(new Ran(0, "one\n", ""));
        assertThat(caches()).isEmpty();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aPromptIsReadWhereTheLocaleIsNotInstalled() throws Exception {
        assumeTrue("UTF-8".equals(System.getProperty("sun.jnu.encoding")), "else the prompt is not passed as it is");
        Map<String, String> environment =
                Map.of("LC_ALL", "", "LC_CTYPE", "", "LANG", "xx_XX.UTF-8", "CHARGEHAND_SKIP_CACHE", "1");
        assertThat(startWith(environment, "Größe")).isEqualTo(new Ran(0, "Größe\n", ""));
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void nothingIsReadWhereStandardInputIsClosed() throws Exception {
        Path out = temp.resolve("out");
        ProcessBuilder builder = new ProcessBuilder(
                        "sh",
                        "-c",
                        "exec sh \"$0\" stdin <&-",
                        root.resolve("chargehand").toString())
                .redirectOutput(out.toFile())
                .redirectErrorStream(true);
        builder.environment().put("CHARGEHAND_JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("CHARGEHAND_SKIP_CACHE", "1");

        assertThat(builder.start().waitFor()).isZero();
        assertThat(out).hasContent("-1");
    }

    @Test
    void aMissingJarIsBuiltUncheckedAndEachModuleIsReported() throws Exception {
        Path maven = maven("""
                echo "$@" >"$PWD/arguments"
                echo '[INFO] Scanning for projects...'
                echo '[INFO] Building Chargehand 0.1.0-SNAPSHOT                                [1/2]'
                echo '[INFO] Building Chargehand for LangChain4j 0.1.0-SNAPSHOT                [2/2]'
                echo "[INFO] Building jar: $PWD/some.jar"
                mkdir -p chargehand-cli/target/unchecked
                cp chargehand-cli/target/chargehand-cli.jar chargehand-cli/target/unchecked
                """);
        change("chargehand-cli/src/main/Changed.java");
        Ran built = startWith(building(maven), "one");
        assertThat(built)
                .isEqualTo(new Ran(
                        0, "one\n", "chargehand: building (log: " + root.resolve("target/chargehand-build.log") + """
                        )
                        chargehand: module 1 of 2: Chargehand
                        chargehand: module 2 of 2: Chargehand for LangChain4j
                        """));
        assertThat(root.resolve("arguments"))
                .hasContent("-B -ntp -Dunchecked=chargehand-cli -pl chargehand-cli -am package");
        assertThat(root.resolve("target/chargehand-build.log"))
                .content()
                .startsWith("[INFO] Scanning")
                .endsWith("some.jar\n");
        assertThat(startWith(building(maven), "two")).isEqualTo(new Ran(0, "two\n", ""));
    }

    @Test
    void aBuildThatFailsShowsItsOutputAndRunsNothing() throws Exception {
        Path maven = maven("""
                echo '[INFO] Building Chargehand 0.1.0-SNAPSHOT [1/2]'
                echo '[ERROR] a mistake' >&2
                exit 1
                """);
        change("pom.xml");
        Ran failed = startWith(building(maven), "one");
        assertThat(failed.exitCode()).isEqualTo(70);
        assertThat(failed.out()).isEmpty();
        assertThat(failed.err()).contains("[ERROR] a mistake\n").contains("chargehand: the build failed; its output");
    }

    @Test
    void theJarOfAWholeBuildIsUsedIfItIsTheNewerOne() throws Exception {
        Path unchecked =
                Files.createDirectories(jar().resolveSibling("unchecked")).resolve(jar().getFileName());
        Files.writeString(unchecked, "no jar");
        Files.setLastModifiedTime(unchecked, FileTime.from(Instant.EPOCH.plusSeconds(60)));
        assertThat(startWith(Map.of("CHARGEHAND_SKIP_CACHE", "1"), "one")).isEqualTo(new Ran(0, "one\n", ""));
    }

    /** A program in place of Maven: it prints the lines and makes the files that a test gives it. */
    private Path maven(String script) throws IOException {
        Path folder = Files.createDirectories(temp.resolve("bin"));
        Path program = Files.writeString(folder.resolve("mvn"), "#!/bin/sh\n" + script);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return folder;
    }

    private static Map<String, String> building(Path maven) {
        return Map.of("CHARGEHAND_SKIP_CACHE", "1", "PATH", maven + ":" + System.getenv("PATH"));
    }

    private void change(String file) throws IOException {
        Files.writeString(root.resolve(file), "");
        Files.setLastModifiedTime(jar(), FileTime.from(Instant.EPOCH));
    }

    private Path jar() {
        return root.resolve("chargehand-cli/target/chargehand-cli.jar");
    }

    private List<Path> caches() throws IOException {
        try (Stream<Path> files = Files.list(root.resolve("chargehand-cli/target"))) {
            return files.filter(file -> file.toString().contains(".cache")).toList();
        }
    }

    private void build(int rehearsal) throws IOException {
        Path source = Files.writeString(temp.resolve("Echo.java"), ECHO.replace("@CODE@", String.valueOf(rehearsal)));
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "--release", "21", "-d", temp.toString(), source.toString());
        assertThat(compiled).isZero();
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "Echo");
        try (OutputStream file = Files.newOutputStream(jar());
                JarOutputStream out = new JarOutputStream(file, manifest)) {
            out.putNextEntry(new JarEntry("Echo.class"));
            Files.copy(temp.resolve("Echo.class"), out);
            out.closeEntry();
        }
    }

    private Ran start(String... arguments) throws Exception {
        return startWith(Map.of(), arguments);
    }

    private Ran startWith(Map<String, String> environment, String... arguments) throws Exception {
        Path out = temp.resolve("out");
        Path err = temp.resolve("err");
        List<String> command =
                new ArrayList<>(List.of("sh", root.resolve("chargehand").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().put("CHARGEHAND_JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
        int code = builder.start().waitFor();
        return new Ran(
                code, Files.readString(out, StandardCharsets.UTF_8), Files.readString(err, StandardCharsets.UTF_8));
    }
}
