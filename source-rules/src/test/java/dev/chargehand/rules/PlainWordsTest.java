package dev.chargehand.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Documents, Javadoc and the texts in the code use plain technical English. The phrases to avoid are in {@code words/phrases.txt}. Decision records
 * are history and stay as they were written.
 */
class PlainWordsTest {

    private static final Path DOCUMENTS = JavaSources.PROJECT.resolve("docs");

    /** Parts of the paths of sources with texts that no user reads: stop words, a pattern, and material of tests. */
    private static final List<String> NOT_READ = List.of(
            "internal/offline/Words.java",
            "internal/text/PassageQuery.java",
            "processor/Redaction.java",
            "chargehand-testkit/",
            "bench/",
            "verify/");

    private final Phrases phrases = Phrases.read();
    private final List<String> notYetRewritten = notYetRewritten();

    PlainWordsTest() throws IOException {}

    @Test
    void noDocumentUsesAPhraseToAvoid() throws IOException {
        assertThat(offences(documents())).isEmpty();
    }

    @Test
    void noJavadocUsesAPhraseToAvoid() throws IOException {
        assertThat(offences(JavaSources.files("main"))).isEmpty();
    }

    @Test
    void noTextInTheCodeUsesAPhraseToAvoid() throws IOException {
        JavaSources sources = JavaSources.of("main");
        assertThat(sources.units().stream()
                        .filter(unit -> NOT_READ.stream().noneMatch(JavaSources.name(unit)::contains))
                        .flatMap(unit -> phrases.in(JavaSources.name(unit), SourceTexts.of(unit, sources)).stream()))
                .isEmpty();
    }

    @Test
    void theListOfFilesNotYetRewrittenOnlyShrinks() throws IOException {
        Map<String, Integer> found = new LinkedHashMap<>();
        for (String entry : notYetRewritten) {
            found.put(entry, 0);
        }
        List<Path> files = new ArrayList<>(documents());
        files.addAll(JavaSources.files("main"));
        for (Path file : files) {
            String name = name(file);
            int offences = offences(file).size();
            found.replaceAll((entry, sum) -> name.startsWith(entry) ? sum + offences : sum);
        }
        assertThat(found)
                .as("entries of words/not-yet.txt without an offence; delete them")
                .doesNotContainValue(0);
    }

    @Test
    void aPhraseIsFoundInProseAndNowhereElse() throws IOException {
        Prose page = Prose.ofMarkdown("""
                # Runs

                The run goes
                on. See `it goes on` and [this](goes on).

                ```
                goes on
                ```
                - It returns. What it returns is a value. What is it?
                """);
        Prose source = Prose.ofJavadoc("""
                /** Returns {@code goes on}, which is mended. */
                String text = "goes on"; // goes on
                """);

        List<String> found = phrases.in("page.md", page);

        assertThat(found).hasSize(2);
        assertThat(found.get(0)).startsWith("page.md:3: 'goes on', use: continue");
        assertThat(found.get(1)).startsWith("page.md:9: 'What it returns is a value.', use: subject first");
        assertThat(phrases.in("Type.java", source)).singleElement().asString().startsWith("Type.java:1: 'mended'");
    }

    @Test
    void theTextsOfACodeFileAreReadAsAPersonWouldSeeThem(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("Type.java"), """
                class Type {
                    String text = "Run '" + 1 + "' has"
                            + " begun already.";
                    String key = "begins here";
                }
                """);
        JavaSources sources = JavaSources.parsed(List.of(file));

        List<String> found =
                phrases.in("Type.java", SourceTexts.of(sources.units().getFirst(), sources));

        assertThat(found).singleElement().asString().contains("Type.java:2", "Run 'x' has begun already.");
    }

    private List<String> offences(List<Path> files) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : files) {
            if (notYetRewritten.stream().noneMatch(name(file)::startsWith)) {
                found.addAll(offences(file));
            }
        }
        return found;
    }

    private List<String> offences(Path file) throws IOException {
        String text = Files.readString(file);
        boolean source = file.toString().endsWith(".java");
        return phrases.in(name(file), source ? Prose.ofJavadoc(text) : Prose.ofMarkdown(text));
    }

    private static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>();
        for (String each : List.of("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")) {
            documents.add(JavaSources.PROJECT.resolve(each));
        }
        try (Stream<Path> found = Files.walk(DOCUMENTS)) {
            found.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !file.startsWith(DOCUMENTS.resolve("adr")))
                    .sorted()
                    .forEach(documents::add);
        }
        return documents;
    }

    /** Returns the first parts of the paths of files that are still to be rewritten. */
    private static List<String> notYetRewritten() throws IOException {
        try (InputStream list = PlainWordsTest.class.getResourceAsStream("/words/not-yet.txt")) {
            return new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        }
    }

    private static String name(Path file) {
        return JavaSources.PROJECT.relativize(file).toString();
    }
}
