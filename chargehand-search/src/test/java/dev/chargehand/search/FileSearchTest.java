package dev.chargehand.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.search.report.Passage;
import dev.chargehand.search.report.SearchReport;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileSearchTest {

    @TempDir
    Path folder;

    Documents docs;

    @BeforeEach
    void setUp() {
        docs = new Documents(folder);
    }

    @Test
    void aPassageIsCitedByFileAndFirstLineAndQuotedWordForWord() throws Exception {
        docs.with("concepts.md", """
                # Concepts

                An agent has instructions.

                ## Delegation

                A supervisor hands work to a sub-agent
                by calling its tool.
                """);

        assertThat(docs.search("supervisor"))
                .containsExactly(new Passage(
                        "docs/concepts.md:7",
                        "Concepts > Delegation",
                        "A supervisor hands work to a sub-agent\nby calling its tool."));
    }

    @Test
    void inflectedEnglishWordsAreFound() throws Exception {
        docs.with("a.md", "The runner delegates its calls.");

        assertThat(docs.sources("delegating a call")).containsExactly("docs/a.md:1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "maxSteps",
                "max steps",
                "max_steps",
                "MAXSTEPS",
                "step",
                "`maxSteps`,",
                "o.maxSteps(20)",
                "max-steps"
            })
    void aNameIsFoundWholeAndByItsParts(String query) throws Exception {
        docs.with("a.md", "Nothing to see.").with("b.md", "Set `maxSteps(20)` to end a run.");

        assertThat(docs.sources(query)).containsExactly("docs/b.md:1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"agent-researcher", "agentResearcher", "researcher", "AGENT_RESEARCHER"})
    void aHyphenatedNameIsFound(String query) throws Exception {
        docs.with("a.md", "Nothing to see.").with("b.md", "Call agent-researcher first.");

        assertThat(docs.sources(query)).containsExactly("docs/b.md:1");
    }

    @Test
    void theWholeNameBeatsItsPartsElsewhere() throws Exception {
        docs.with("a.md", "The max of all steps: steps, max, max steps, steps.")
                .with(
                        "b.md",
                        "A run ends by maxSteps at the latest, whatever the model would like to do instead of it.");

        assertThat(docs.sources("maxSteps")).startsWith("docs/b.md:1");
    }

    @Test
    void theWordsOfANameTogetherCountAsOneWord() throws Exception {
        docs.with("a.md", "red and green, and blue in a longer line.").with("b.md", "An approval.");

        assertThat(docs.sources("red-green-blue approval")).containsExactly("docs/b.md:1", "docs/a.md:1");
    }

    @Test
    void otherLanguagesAreFoundByTheirWords() throws Exception {
        docs.with("de.md", "Die Übergabe an den Schreiber dauert länger.")
                .with("el.md", "Ο πράκτορας γράφει.")
                .with("ja.md", "監督者は仕事を任せる。");

        assertThat(docs.sources("übergabe")).containsExactly("docs/de.md:1");
        assertThat(docs.sources("laenger länger")).containsExactly("docs/de.md:1");
        assertThat(docs.sources("πράκτορας")).containsExactly("docs/el.md:1");
        assertThat(docs.sources("仕事")).containsExactly("docs/ja.md:1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text:apples",
                "apples AND (",
                "+apples -pears",
                "\"apples",
                "apples~2^9 [a TO z}",
                "*:* apples",
                "source:zebra apples\\",
                "/.*/ apples"
            })
    void aQueryHasNoSyntax(String query) throws Exception {
        docs.with("a.md", "Apples and pears.").with("b.md", "Nothing to see.");

        assertThat(docs.sources(query)).containsExactly("docs/a.md:1");
    }

    @Test
    void aWildcardFindsNothing() throws Exception {
        docs.with("a.md", "Apples and pears.");

        assertThat(docs.search("*")).isEmpty();
        assertThat(docs.search("app*")).isEmpty();
    }

    @Test
    void aPassageWithMoreOfTheWordsBeatsOneThatRepeatsAWord() throws Exception {
        docs.with("a.md", "Budget, budget, budget, budget, budget.")
                .with(
                        "b.md",
                        "Whoever spends the tokens of a run beyond the budget will see it end at once, and in good order.")
                .with("c.md", "Some tokens.")
                .with("d.md", "Other tokens.")
                .with("e.md", "More tokens.");

        assertThat(docs.sources("budget tokens")).startsWith("docs/b.md:1");
    }

    @Test
    void aHeadingCountsMoreThanTheText() throws Exception {
        docs.with("a.md", "# Other\n\nApproval is one of the many words that stand in this line.")
                .with("b.md", "# Approval\n\nThe line below this has many other words in it, and so it is.");

        assertThat(docs.sources("approval")).containsExactly("docs/b.md:3", "docs/a.md:3");
    }

    @Test
    void theNameOfAFileLeadsToIt() throws Exception {
        docs.with("a.txt", "Thirty days.").with("refund-policy.txt", "Fourteen days.");

        assertThat(docs.sources("refund policy")).containsExactly("docs/refund-policy.txt:1");
    }

    @Test
    void whatAllFilesAreShownWithLeadsToNone() throws Exception {
        docs.with("a.md", "Apples and pears.");

        assertThat(docs.search("docs md")).isEmpty();
    }

    @Test
    void theWordsOfTheQuestionItselfDoNotCount() throws Exception {
        docs.with("a.md", "How does it do that, and what does it do? How?").with("b.md", "A resume reads the journal.");

        assertThat(docs.sources("How does a resume do what it does?")).startsWith("docs/b.md:1");
        assertThat(docs.sources("how does")).containsExactly("docs/a.md:1");
    }

    @Test
    void equallyGoodPassagesComeInTheOrderOfFilesAndLines() throws Exception {
        docs.with("b.md", "same words\n\nsame words").with("a.md", "same words");

        assertThat(docs.sources("same")).containsExactly("docs/a.md:1", "docs/b.md:1", "docs/b.md:3");
    }

    @Test
    void theLimitHolds() throws Exception {
        docs.with("a.txt", "word\n\n".repeat(50));

        assertThat(docs.search("word", 1)).hasSize(1);
        assertThat(docs.search("word", 20)).hasSize(20);
        assertThatThrownBy(() -> docs.search("word", 21)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> docs.search("word", 0)).isInstanceOf(ConfigurationException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "   ", "zebra", "...", "the", "\u0000", "\uD800"})
    void whatIsNotThereIsNotFound(String query) throws Exception {
        docs.with("a.md", "Apples and pears.");

        assertThat(docs.search(query)).isEmpty();
    }

    @Test
    void aVeryLongQueryIsAnsweredByItsFirstTerms() throws Exception {
        docs.with("a.md", "Apples and pears.");
        String endless = "word".repeat(100_000);
        StringBuilder many = new StringBuilder("apples");
        for (int i = 0; i < 5_000; i++) {
            many.append(" and-more-Words").append(i);
        }

        assertThat(docs.search(endless)).isEmpty();
        assertThat(docs.sources(many.toString())).containsExactly("docs/a.md:1");
    }

    @Test
    void anEmptyFolderHasNothingToFind() throws Exception {
        assertThat(docs.search("anything")).isEmpty();
        assertThat(docs.report()).isEqualTo(new SearchReport(0, 0, 0, 0, List.of(), List.of()));
    }
}
