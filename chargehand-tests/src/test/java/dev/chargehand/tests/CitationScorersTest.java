package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.completion.Scorers;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What counts as a citation, and whether what is cited is there. */
class CitationScorersTest {

    @TempDir
    Path folder;

    private static int count(String text) {
        Score score = Answer.of(text).scoredBy(Scorers.citations(100));
        return (int) Math.round(score.value() * 100);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            delimiter = '|',
            value = {
                "1 | Boats float [1].",
                "2 | Boats float[1][2]. And swim [2].",
                "3 | Boats float [1, 2; 3].",
                "1 | Boats float [^1].",
                "1 | Boats float [docs/boats.md:12].",
                "1 | See docs/boats.md:12 and docs/boats.md:12.",
                "2 | See docs/boats.md:12 and docs/boats.md:13-15.",
                "1 | See `Boat.java:7`.",
                "2 | [docs/my boats.md:3, docs/my ships.md:4]",
                "1 | See https://example.org/boats.",
                "1 | https://example.org/boats, or https://example.org/boats/",
                "2 | (https://example.org/a_(b)) and <https://example.org/a>",
                "1 | [The boats](https://example.org/boats) and [1](https://example.org/boats)",
                "0 | Nothing.",
                "0 | [x] and [2024] and [0] and [see below]",
                "0 | example.com:8080 and 12:30 and localhost:80 and Boats: 12",
                "0 | Use `array[1]` for the second.",
                "1 | https://example.org:8080/boats.md:12",
            })
    void citationsAreNumbersPlacesAndAddressesEachCountedOnce(int citations, String text) {
        assertThat(count(text)).isEqualTo(citations);
    }

    @Test
    void codeBlocksCiteNothing() {
        assertThat(count("See [1].\n```java\nint x = a[2]; // https://example.org/x Boat.java:7\n```\nAnd [3]."))
                .isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            delimiter = '|',
            value = {
                "A [1]. B [2].\\n\\n## References\\n1. https://example.org/a\\n2. docs/boats.md:3",
                "A [1]. B [2].\\n\\n**Sources:**\\n- [1] https://example.org/a\\n- [2] docs/boats.md:3",
                "A [1]. B [2].\\n\\nSources: [1] https://example.org/a; [2] docs/boats.md:3",
                "A [1]. B [2].\\n\\n[1] https://example.org/a\\n\\n[2]: docs/boats.md:3",
                "A [^1].\\n\\n[^1]: The page\\n[^2]: docs/boats.md:3\\n\\nB [^2] https://example.org/a",
                "https://example.org/a says A [1], B [2].\\n\\n# References\\n[1] A. Ann: Boats,\\nhttps://example.org/a\\n[2] docs/boats.md:3",
            })
    void aNumberAndWhatItStandsForAreOneCitation(String text) {
        List<String> sources = new ArrayList<>();
        Answer.of(text.replace("\\n", "\n")).scoredBy(Scorers.citedSourcesExist(sources::add));
        assertThat(sources).contains("https://example.org/a", "docs/boats.md:3").doesNotContain("[1]", "[2]");
    }

    @Test
    void theReasonSaysHowManyCitationsAreMissing() {
        assertThat(Answer.of("A [1].").scoredBy(Scorers.citations(4)))
                .isEqualTo(Score.of(
                        0.25,
                        "The answer cites 1 different source, but needs 4; cite 3 more, as [1] with a list of"
                                + " references, as file:line such as docs/concepts.md:12, or as a URL."));
    }

    @Test
    void sourcesAreAskedAboutAsTheyStand() {
        List<String> heard = new ArrayList<>();
        Score score = Answer.of("A [1], B [2], C https://example.org/c, D d.md:4.\n\n[1] Ann, Boats (2020)")
                .scoredBy(Scorers.citedSourcesExist(
                        source -> Steps.noted(heard, source, !source.contains("example.org"))));
        assertThat(heard).containsExactlyInAnyOrder("Ann, Boats (2020)", "[2]", "https://example.org/c", "d.md:4");
        assertThat(score)
                .isEqualTo(Score.of(
                        0.75,
                        "These sources do not exist: https://example.org/c. Cite only what you have really found."));
    }

    @Test
    void anAnswerThatCitesNothingHasNoWrongSource() {
        for (Scorer scorer : List.of(
                Scorers.citedSourcesExist(source -> false),
                Scorers.citedFilesExist(folder),
                Scorers.citedSourcesWereSeen())) {
            assertThat(Answer.of("Boats float.").scoredBy(scorer)).isEqualTo(Score.pass());
        }
    }

    @Test
    void placesInDocumentsAreCitationsToo() throws Exception {
        String answer = "A [guide.pdf:p12], b prices.xlsx:sheet2.row40 and c talk.pptx:slide3, d letter.docx:para7.";
        for (String seen :
                List.of("guide.pdf:p12", "prices.xlsx:sheet2.row40", "talk.pptx:slide3", "letter.docx:para7")) {
            assertThat(Answer.of(answer)
                            .after("search", seen)
                            .scoredBy(Scorers.citedSourcesWereSeen())
                            .value())
                    .isEqualTo(0.25);
        }
        assertThat(Answer.of(answer).scoredBy(Scorers.citations(4))).isEqualTo(Score.pass());
        assertThat(Answer.of("guide.pdf:p1")
                        .after("search", "guide.pdf:p12 and guide.pdf:1")
                        .scoredBy(Scorers.citedSourcesWereSeen())
                        .value())
                .isZero();

        assertThat(inFolder("more/boats.md:p12, my.pdf:p1").value()).isEqualTo(0.5);
    }

    private Score inFolder(String text) throws IOException {
        Path docs = Files.createDirectories(folder.resolve("work/docs/more"));
        Files.writeString(docs.resolve("boats.md"), "one\ntwo\nthree");
        Files.writeString(docs.resolve("my ships.md"), "one\n");
        Files.writeString(folder.resolve("work/secret.md"), "secret\n");
        return Answer.of(text).scoredBy(Scorers.citedFilesExist(folder.resolve("work/docs")));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            delimiter = '|',
            value = {
                "more/boats.md:1",
                "more/boats.md:3",
                "./more/boats.md:2-3",
                "docs/more/boats.md:3",
                "work/docs/more/boats.md:3",
                "[see docs/more/boats.md:3]",
                "[more/my ships.md:1]",
                "[docs/more/my ships.md:1; more/boats.md:2]",
                "https://example.org/nothing.md:9 and [7]",
            })
    void linesThatAreThereMayBeCited(String text) throws IOException {
        assertThat(inFolder(text)).isEqualTo(Score.pass());
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            delimiter = '|',
            value = {
                "more/boats.md:4 | the file has only 3 lines",
                "more/boats.md:2-4 | the file has only 3 lines",
                "[more/my ships.md:2] | the file has only 1 line",
                "more/boats.md:0 | lines count from 1",
                "boats.md:1 | no such file",
                "other/more/boats.md:1 | no such file",
                "more.d:1 | no such file",
                "../secret.md:1 | no such file",
                "more/../../secret.md:1 | no such file",
                "docs/../secret.md:1 | no such file",
                "/etc/host.conf:1 | no such file",
            })
    void linesThatAreNotThereAreNamed(String text, String why) throws IOException {
        Score score = inFolder(text);
        assertThat(score.value()).isZero();
        assertThat(score.reason())
                .isEqualTo("These places do not exist: " + text.replaceAll("[\\[\\]]", "") + " (" + why
                        + "). Cite only lines of files that you have really found.");
    }

    @Test
    void noLinkLeadsOutOfTheFolder() throws IOException {
        inFolder("");
        Files.createSymbolicLink(folder.resolve("work/docs/link.md"), folder.resolve("work/secret.md"));
        Files.createSymbolicLink(folder.resolve("work/docs/up"), folder.resolve("work"));
        assertThat(inFolder("link.md:1, up/secret.md:1, more/boats.md:1"))
                .isEqualTo(Score.of(
                        1 / 3.0,
                        "These places do not exist: link.md:1 (no such file), up/secret.md:1 (no such file). Cite only"
                                + " lines of files that you have really found."));
    }

    private static Score seen(String text) {
        return Answer.of(text)
                .after("search", Map.of("passages", List.of(Map.of("source", "docs/boats.md:12", "text", "x")), "n", 1))
                .after("agent-researcher", "Ann, *Boats* (2020) says so,\nsee https://example.org/a.html.")
                .after("odd", Json.parse("null"))
                .after("raw", Json.parse("{\"u\":\"https:\\/\\/example.org\\/b\\nnext\"}"))
                .afterFailed("fetch", "No https://example.org/failed")
                .scoredBy(Scorers.citedSourcesWereSeen());
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            delimiter = '|',
            value = {
                "docs/boats.md:12",
                "[docs/boats.md:12-14]",
                "https://example.org/a.html",
                "https://example.org/b/",
                "A [1]\\n\\n[1] https://example.org/b",
                "A [1]\\n\\n## Sources\\n1. Ann,  Boats (2020)",
            })
    void whatToolsAndSubAgentsReturnedMayBeCited(String text) {
        assertThat(seen(text.replace("\\n", "\n"))).isEqualTo(Score.pass());
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            delimiter = '|',
            value = {
                "docs/boats.md:1",
                "docs/boats.md:123",
                "boats.md:12",
                "https://example.org/a",
                "https://example.org/bo",
                "https://example.org/failed",
            })
    void whatWasNotReturnedIsNamed(String source) {
        assertThat(seen("A. See " + source + " for it"))
                .isEqualTo(Score.fail("These sources are in nothing that tools or sub-agents returned: " + source
                        + ". Cite only what they returned, word for word, or look these up first."));
    }

    @Test
    void aNumberNeedsAnEntryInTheAnswersOwnList() {
        assertThat(seen("A [1]. B [2]. C [3].\n\nReferences\n[1] docs/boats.md:12\n[3] Made up"))
                .isEqualTo(Score.of(
                        1 / 3.0,
                        "These numbers are not in the answer's list of references: [2]. End the answer with a line for"
                                + " each, such as [1] docs/concepts.md:12. These sources are in nothing that tools or"
                                + " sub-agents returned: Made up. Cite only what they returned, word for word, or look"
                                + " these up first."));
    }

    @Test
    void whatWasReturnedEarlierInTheConversationMayBeCitedToo() {
        Message results = Message.of(
                Role.TOOL,
                new Part.ToolResult("c1", "search", "{\"source\":\"docs/old.md:3\"}", false),
                new Part.ToolResult("c2", "search", "docs/failed.md:4", true));
        Message said = Message.assistant("docs/said.md:5");
        assertThat(Answer.of("docs/old.md:3").remembering(results, said).scoredBy(Scorers.citedSourcesWereSeen()))
                .isEqualTo(Score.pass());
        for (String unseen : List.of("docs/failed.md:4", "docs/said.md:5")) {
            assertThat(Answer.of(unseen)
                            .remembering(results, said)
                            .scoredBy(Scorers.citedSourcesWereSeen())
                            .value())
                    .isZero();
        }
    }
}
