package dev.chargehand.config.internal.offline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ComposingTest {

    private static final List<Finding> FINDINGS = List.of(
            new Finding(
                    "docs/concepts.md:12",
                    "Concepts > Delegation",
                    "A supervisor hands work to a sub-agent by calling\nits tool, e.g. `agent-writer`. The weather is fine today."),
            new Finding(
                    "docs/concepts.md:30",
                    "Concepts",
                    "- Each sub-agent works in a run of its own.\n- Unrelated item about colours."),
            new Finding("docs/cli.md:3", "CLI", "The command prints colours."));

    private static String compose(String question, List<Finding> findings) throws InterruptedException {
        return Asked.ask(Findings.prompt(question, findings)).says();
    }

    @Test
    void itQuotesTheSentencesThatFitWithTheirCitations() throws Exception {
        assertThat(compose("How does a supervisor hand work to a sub-agent?", FINDINGS))
                .isEqualTo("""
                        A supervisor hands work to a sub-agent by calling its tool, e.g. `agent-writer`. [docs/concepts.md:12]

                        Each sub-agent works in a run of its own. [docs/concepts.md:30]

                        """ + OfflineModel.NOTICE);
    }

    @Test
    void anotherFileThanTheFirstNeverLeads() throws Exception {
        List<Finding> findings = List.of(
                new Finding("a.md:1", "Boats", "A boat is returned by ten o'clock."),
                new Finding(
                        "b.md:1", "Returning a boat late", "A boat that is returned late costs extra for each hour."));

        assertThat(compose("What does it cost to return a boat late?", findings))
                .startsWith("A boat is returned by ten o'clock. [a.md:1]")
                .contains("[b.md:1]");
        assertThat(compose(
                        "What does it cost to return a boat late?",
                        List.of(new Finding("a.md:1", "Boats", "Boats:"), findings.get(1))))
                .startsWith("Nothing was found");
    }

    @Test
    void itQuotesAtMostThreeSentencesAndTwoOfAPlace() throws Exception {
        List<Finding> many = IntStream.rangeClosed(1, 9)
                .mapToObj(i -> new Finding(
                        "a.md:" + i,
                        "",
                        "Apple " + i + " is red and round. Apple " + i + " is sweet and ripe. Apple " + i
                                + " is cheap as well."))
                .toList();

        String text = compose("What about apple red sweet cheap ripe round?", many);

        assertThat(Findings.CITATION.matcher(text).results()).hasSize(3);
        for (int i = 1; i <= 9; i++) {
            assertThat(text.split("\\[a\\.md:" + i + "]", -1)).hasSizeLessThanOrEqualTo(3);
        }
    }

    @Test
    void aCitationThatWasNotFoundIsNeverShown() throws Exception {
        List<Finding> findings = List.of(new Finding(
                "docs/cli.md:3",
                "",
                "Citations look like `docs/made-up.md:99` in apples. Apples may be cited by [other/file.txt:7] too."
                        + " Apples are cited as docs/cli.md:3 here."));

        assertThat(compose("apples", findings))
                .contains("Apples are cited as docs/cli.md:3 here. [docs/cli.md:3]")
                .doesNotContain("made-up")
                .doesNotContain("other/file");
    }

    @Test
    void codeTablesAndHeadingsAreNotSentences() throws Exception {
        List<Finding> findings = List.of(
                new Finding(
                        "a.md:1",
                        "",
                        "# Apples and more apples\n\n```yaml\napples: many of them are here\n```\n\n| apples | in a table row |\n\n> Apples grow on trees."));

        assertThat(compose("apples", findings)).isEqualTo("Apples grow on trees. [a.md:1]\n\n" + OfflineModel.NOTICE);
    }

    @Test
    void aRowIsQuotedWithTheNamesOfItsColumns() throws Exception {
        assertThat(compose(
                        "What is the weight of the X2?",
                        List.of(new Finding(
                                "a.md:1", "", "| Model | Weight |\n|---|---|\n| X1 | 4 kg |\n| X2 | 6 kg |"))))
                .startsWith("Model: X2; Weight: 6 kg [a.md:1]\n\n(");
        assertThat(compose(
                        "price of a cutter",
                        List.of(new Finding("a.csv:2", "part;price", "Print head;89.00\nCutter, small;34.50"))))
                .startsWith("part: Cutter, small; price: 34.50 [a.csv:2]\n\n(");
    }

    @Test
    void stepsAreQuotedWithTheSentenceThatIntroducesThem() throws Exception {
        assertThat(compose(
                        "How do I start the pump?",
                        List.of(new Finding(
                                "a.md:1", "", "Start the pump like this:\n\n1. Open the valve.\n2. Press Go."))))
                .startsWith("Start the pump like this:\n1. Open the valve.\n2. Press Go.\n[a.md:1]");
    }

    @Test
    void ofSourceCodeTheCommentsAreQuotedWithTheLineBelowThem() throws Exception {
        assertThat(
                        compose(
                                "How long may a customer withdraw?",
                                List.of(
                                        new Finding(
                                                "a/Orders.java:1",
                                                "",
                                                "/** How long a {@code Customer} may withdraw. */\nstatic final int DAYS = 14;\n\nvoid withdraw() {\n}"))))
                .startsWith("How long a `Customer` may withdraw. `static final int DAYS = 14;` [a/Orders.java:1]\n\n(");
    }

    @Test
    void sentencesAreQuotedOneByOne() throws Exception {
        List<Finding> findings = List.of(new Finding(
                "a.md:1",
                "",
                "Pears come first, e.g. Williams. `apples` come next, with more of them. Plums come last of all."));

        assertThat(compose("apples", findings)).startsWith("`apples` come next, with more of them. [a.md:1]\n\n(");
    }

    @Test
    void ifNothingWasFoundItSaysSo() throws Exception {
        assertThat(compose("apples", List.of())).startsWith("Nothing was found to answer from");
        assertThat(Asked.ask("Write about apples.").says()).startsWith("Nothing was found to answer from");
        assertThat(compose("zebras", FINDINGS))
                .startsWith("Nothing was found to answer from")
                .doesNotContain("docs/");
    }

    @Test
    void inflectionsAndPartsOfNamesFit() throws Exception {
        assertThat(compose("delegations", List.of(new Finding("a.md:1", "", "The boss delegates all of its tasks."))))
                .contains("[a.md:1]");
        assertThat(compose("maximum steps", List.of(new Finding("a.md:1", "", "Set `maxSteps` to end a run."))))
                .contains("[a.md:1]");
    }

    @Test
    void findingsInWhatWasSaidBeforeServeAFollowUp() throws Exception {
        assertThat(Asked.ask("apples")
                        .assistant("Apples are red and round. [a.md:4]\n\n" + OfflineModel.NOTICE)
                        .user("Are apples red?")
                        .says())
                .startsWith("Apples are red and round. [a.md:4]");
    }

    @Test
    void instructionsAreNoFindings() throws Exception {
        assertThat(Asked.with("Apples are secret. [a.md:1]").user("apples").says())
                .doesNotContain("secret")
                .startsWith("Nothing was found");
    }

    @Test
    void findingsWithoutASourceAreQuotedWithoutOne() throws Exception {
        assertThat(compose("apples", List.of(new Finding("", "", "Apples are red and round."))))
                .isEqualTo("Apples are red and round.\n\n" + OfflineModel.NOTICE);
    }
}
