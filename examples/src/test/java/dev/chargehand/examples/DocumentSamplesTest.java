package dev.chargehand.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every Java sample in README and docs stands, line for line, in code that the build compiles and runs. */
class DocumentSamplesTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern SAMPLE = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

    record Sample(Path document, int number, String code) {}

    @TestFactory
    Stream<DynamicTest> everySampleIsCompiled() throws IOException {
        String compiled = normal(String.join("\n", texts(ROOT.resolve("examples/src"), ".java")));
        return samples().stream()
                .map(sample -> DynamicTest.dynamicTest(
                        ROOT.relativize(sample.document()) + " #" + sample.number(),
                        () -> assertThat(compiled.contains(normal(sample.code())))
                                .as("in examples/src stands, white space aside:%n%s", sample.code())
                                .isTrue()));
    }

    @Test
    void theReadmeHasSamples() throws IOException {
        assertThat(samples()).anyMatch(sample -> sample.document().endsWith("README.md"));
    }

    private static List<Sample> samples() throws IOException {
        List<Sample> samples = new ArrayList<>();
        List<Path> documents = new ArrayList<>(files(ROOT.resolve("docs"), ".md"));
        documents.add(ROOT.resolve("README.md"));
        for (Path document : documents) {
            Matcher matcher = SAMPLE.matcher(Files.readString(document));
            for (int number = 1; matcher.find(); number++) {
                samples.add(new Sample(document, number, matcher.group(1)));
            }
        }
        return samples;
    }

    /** White space is the document's own business. */
    private static String normal(String code) {
        return code.replaceAll("\\s+", "");
    }

    private static List<String> texts(Path folder, String ending) throws IOException {
        return files(folder, ending).stream().map(DocumentSamplesTest::read).toList();
    }

    private static List<Path> files(Path folder, String ending) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(ending)).toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
