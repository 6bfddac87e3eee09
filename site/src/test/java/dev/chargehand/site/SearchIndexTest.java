package dev.chargehand.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the search of a site can find. */
class SearchIndexTest {

    private static final String BEGIN = "globalThis.searchIndex = ";

    @TempDir
    Path folder;

    private Documents documents;

    @BeforeEach
    void makeDocuments() throws IOException {
        documents = Documents.in(folder);
    }

    @Test
    void everyHeadingIsFoundWithItsTextAndItsPlace() throws IOException {
        documents.with(
                "docs/guide.md", "# The guide\n\nHow.\n\n## First\n\nA **bold**\nword.\n\n### Deep\n\n- one\n- two\n");
        assertThat(sections())
                .contains(
                        "The guide|The guide|guide.html#the-guide|How.",
                        "The guide|First|guide.html#first|A bold word.",
                        "The guide|Deep|guide.html#deep|one two");
    }

    @Test
    void everyHeadingOfEveryPageOfTheSiteIsThere() throws IOException {
        documents.with("docs/guide.md", "# The guide\n\n## Without a word\n\n## `code` in it\n");
        List<String> places =
                sections().stream().map(line -> line.split("\\|", -1)[2]).toList();
        for (String page : List.of("index.html", "guide.html")) {
            for (String id :
                    documents.page(page).select("article :is(h1, h2, h3)").eachAttr("id")) {
                assertThat(places).contains(page + "#" + id);
            }
        }
    }

    @Test
    void aRowThatBeginsWithANameIsFoundByThatName() throws IOException {
        documents.with(
                "docs/guide.md",
                "# The guide\n\n## Options\n\n| option | what |\n|---|---|\n| `maxSteps` | the most |\n| any | text |\n");
        assertThat(sections())
                .contains(
                        "The guide · Options|maxSteps|guide.html#options|the most",
                        "The guide|Options|guide.html#options|option what\nany text");
    }

    @Test
    void samplesAreFoundToo() throws IOException {
        documents.with("docs/guide.md", "# The guide\n\n```java\nAgent.builder(\"boss\")\n```\n");
        assertThat(sections()).contains("The guide|The guide|guide.html#the-guide|Agent.builder(\"boss\")");
    }

    @Test
    void hostileTextIsDataInTheIndex() throws IOException {
        String hostile = "`</script><script>alert(1)</script>` \\`${x}\\` \"quoted\" \u2028 end";
        documents.with("docs/guide.md", "# The guide\n\n## H\n\n" + hostile + "\n");
        assertThat(sections()).anySatisfy(line -> assertThat(line).contains("</script><script>alert(1)", "\"quoted\""));
        assertThat(documents.read("search-index.js").lines()).hasSize(1);
    }

    /** Returns page, heading, place and text of each section. */
    private List<String> sections() throws IOException {
        assertThat(documents.make()).isEmpty();
        String script = documents.read("search-index.js").strip();
        assertThat(script).startsWith(BEGIN).endsWith(";");
        List<String> sections = new ArrayList<>();
        for (JsonNode each : JsonMapper.shared().readTree(script.substring(BEGIN.length(), script.length() - 1))) {
            sections.add(String.join(
                    "|",
                    each.get("page").asString(),
                    each.get("heading").asString(),
                    each.get("url").asString(),
                    each.get("text").asString()));
        }
        return sections;
    }
}
