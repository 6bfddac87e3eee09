package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The threat model claims nothing that is not there. */
class ThreatModelTest {

    private static final Path PROJECT = Path.of("").toAbsolutePath().getParent();
    private static final Pattern NAMED = Pattern.compile("`([A-Z][a-z]\\w*)(?:\\.(\\w+))?`");

    @Test
    void everyClassAndTestThatIsNamedExists() throws IOException {
        String page = Files.readString(PROJECT.resolve("docs/threat-model.md"));
        List<Path> sources = sources();

        List<MatchResult> named = NAMED.matcher(page).results().toList();

        assertThat(named).hasSizeGreaterThan(60);
        assertThat(named).allSatisfy(name -> assertThat(named(sources, name.group(1)))
                .as(name.group())
                .anyMatch(source -> name.group(2) == null
                        || Pattern.compile("\\b" + name.group(2) + "\\b")
                                .matcher(source)
                                .find()));
    }

    private static List<String> named(List<Path> sources, String type) {
        return sources.stream()
                .filter(source -> source.endsWith(type + ".java"))
                .map(ThreatModelTest::read)
                .toList();
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files =
                Files.find(PROJECT, 20, (file, kind) -> file.toString().endsWith(".java"))) {
            return files.filter(file -> !file.toString().contains("/target/")).toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
