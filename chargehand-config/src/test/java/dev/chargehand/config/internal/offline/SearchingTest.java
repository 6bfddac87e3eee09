package dev.chargehand.config.internal.offline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SearchingTest {

    private static final String PASSAGES = """
            {"passages":[
              {"source":"docs/concepts.md:12","heading":"Concepts > Delegation","text":"A supervisor delegates.\\n\\n- one"},
              {"source":"docs/cli.md:3","heading":"","text":"Run it."}],
             "note":"Cite a passage by its source."}""";

    private static final String NOTHING = "{\"passages\":[],\"note\":\"Nothing found.\"}";

    @ParameterizedTest
    @CsvSource({
        "How does a supervisor hand work to a sub-agent?, supervisor hand work sub-agent",
        "What is maxSteps?, maxSteps",
        "Where does agent-researcher read chargehand.yaml?, agent-researcher read chargehand.yaml",
        "how does it do that, how does it do that",
        "List the options of the command, options command",
        "Please find the files and search them for names, files names",
        "Can you find the invoices?, invoices",
        "How do I find a file?, how to find file",
        "Does list accept a search?, list accept search",
        "Can a key list its scopes?, key list scopes",
        "Which tools search files?, tools search files",
        "Wie übergibt der Chef Arbeit?, Wie übergibt der Chef Arbeit"
    })
    void itSearchesForTheKeywordsOfTheQuestion(String question, String query) throws Exception {
        assertThat(Asked.ask(question).searchTool().callsWith("query")).isEqualTo(query);
    }

    @ParameterizedTest
    @CsvSource({
        "lookup, Gives a page., q",
        "findRows, Rows., text",
        "x, Looks up a word., term",
        "kb_search, The knowledge base., question"
    })
    void anyToolThatSearchesWithOneTextWillDo(String name, String description, String property) throws Exception {
        Asked asked = Asked.ask("apples")
                .tool("delete", "Deletes all.", """
                        {"type":"object","properties":{"query":{"type":"string"}}}""")
                .tool(
                        name,
                        description,
                        "{\"type\":\"object\",\"properties\":{\"" + property + "\":{\"type\":[\"string\",\"null\"]}}}");

        assertThat(asked.calls()).isEqualTo(name + " {\"" + property + "\":\"apples\"}");
    }

    @Test
    void itListsThePassagesWithTheirCitations() throws Exception {
        assertThat(Asked.ask("supervisor work")
                        .searchTool()
                        .gave("search-files", PASSAGES)
                        .says())
                .isEqualTo("""
                        2 passages found for: supervisor work

                        - [docs/concepts.md:12] Concepts > Delegation
                          A supervisor delegates.

                          - one

                        - [docs/cli.md:3]
                          Run it.

                        """ + OfflineModel.NOTICE);
    }

    @Test
    void ifNothingIsFoundItTriesFewerWordsOnceAndThenSaysSo() throws Exception {
        Asked asked =
                Asked.ask("Does the supervisor eat big apples?").searchTool().gave("search-files", NOTHING);
        assertThat(asked.callsWith("query")).isEqualTo("supervisor apples");

        asked.gave("search-files", NOTHING);
        assertThat(asked.says()).startsWith("Nothing was found for: supervisor eat big apples");
    }

    @Test
    void aPassageThatTheSearchIsNotSureOfIsNotFoundAndNotSearchedForAgain() throws Exception {
        assertThat(Asked.ask("insurance of lost parcels")
                        .searchTool()
                        .gave(
                                "search-files",
                                "{\"passages\":[{\"source\":\"a.md:1\",\"heading\":\"\",\"text\":\"Parcels.\",\"sure\":0.4}]}")
                        .says())
                .startsWith("Nothing was found for: insurance lost parcels");
    }

    @ParameterizedTest
    @CsvSource({"0.73, 0.99, 0", "0.74, 0.36, 1", "0.74, 0.37, 2", "1, 1, 2"})
    void theSearchMustBeSureOfTheFirstPassageAndHalfAsSureOfOthers(String first, String other, int found)
            throws Exception {
        String passages = "{\"passages\":["
                + "{\"source\":\"a.md:1\",\"heading\":\"\",\"text\":\"Lost parcels.\",\"sure\":" + first + "},"
                + "{\"source\":\"b.md:1\",\"heading\":\"\",\"text\":\"Insured parcels.\",\"sure\":" + other + "}]}";

        assertThat(Asked.ask("insurance of lost parcels")
                        .searchTool()
                        .gave("search-files", passages)
                        .says())
                .startsWith(List.of("Nothing was", "1 passage", "2 passages").get(found)
                        + " found for: insurance lost parcels");
    }

    @Test
    void theNamesOfColumnsThatTabsSeparateAreKept() throws Exception {
        assertThat(Asked.ask("apples")
                        .searchTool()
                        .gave(
                                "search-files",
                                "{\"passages\":[{\"source\":\"a.tsv:2\",\"heading\":\"Full name\\tAge\",\"text\":\"Ann Lee\\t31\"}]}")
                        .says())
                .contains("- [a.tsv:2] Full name\tAge\n");
    }

    @Test
    void aQuestionOfTwoWordsIsNotSearchedAgain() throws Exception {
        assertThat(Asked.ask("big apples")
                        .searchTool()
                        .gave("search-files", NOTHING)
                        .says())
                .startsWith("Nothing was found for: big apples");
    }

    @Test
    void theSecondSearchCountsAsMuchAsTheFirst() throws Exception {
        assertThat(Asked.ask("supervisor eats big apples")
                        .searchTool()
                        .gave("search-files", NOTHING)
                        .gave("search-files", PASSAGES)
                        .says())
                .contains("[docs/concepts.md:12]", "[docs/cli.md:3]");
    }

    @Test
    void anErrorIsReportedAndNotRepeated() throws Exception {
        assertThat(Asked.ask("one two three four")
                        .searchTool()
                        .failed("search-files", "The disk\nis gone.")
                        .says())
                .contains("did not work")
                .contains("search-files failed: The disk is gone.")
                .doesNotContain("Nothing was found");
    }

    @Test
    void eachQuestionOfAConversationIsSearchedAnew() throws Exception {
        Asked asked =
                Asked.ask("apples").searchTool().gave("search-files", PASSAGES).assistant("Found.");

        assertThat(asked.user("And pears?").callsWith("query")).isEqualTo("pears");
    }

    @Test
    void guidanceIsNotAQuestion() throws Exception {
        assertThat(Asked.ask("apples")
                        .searchTool()
                        .gave("search-files", PASSAGES)
                        .assistant("Found.")
                        .internal("Scorer: too few citations.")
                        .says())
                .startsWith("2 passages found for: apples");
    }

    @Test
    void otherFormsOfResultsAreRead() throws Exception {
        assertThat(Asked.ask("apples")
                        .searchTool()
                        .gave(
                                "search-files",
                                "[{\"path\":\"a.md:1\",\"content\":\"Apples.\",\"score\":0.5}, \"Pears.\", null, 7]")
                        .says())
                .contains("- [a.md:1]\n  Apples.", "- [?]\n  Pears.", "2 passages");
        assertThat(Asked.ask("apples")
                        .searchTool()
                        .gave("search-files", "Apples are red.")
                        .says())
                .contains("Apples are red.");
        assertThat(Asked.ask("apples")
                        .searchTool()
                        .gave("search-files", "No results.")
                        .says())
                .startsWith("Nothing was found");
        assertThat(Asked.ask("apples").searchTool().gave("search-files", "null").says())
                .startsWith("Nothing was found");
    }
}
