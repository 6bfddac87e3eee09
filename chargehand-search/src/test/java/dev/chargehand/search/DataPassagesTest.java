package dev.chargehand.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.search.report.Passage;
import dev.chargehand.search.report.SearchReport.Reason;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How JSON and YAML are cut into entries, well formed or not. */
class DataPassagesTest {

    /** Makes the entry that it is in too long to be a passage. */
    private static final String FILLER = "    - a part of the stock, which is kept in the second store\n".repeat(8);

    @TempDir
    Path folder;

    Documents docs;

    @BeforeEach
    void setUp() {
        docs = new Documents(folder);
    }

    /** The passages with a word that every entry of a test has, in the order of the file. */
    private List<Passage> found(String word) throws InterruptedException {
        return docs.search(word, FileSearch.MOST_PASSAGES).stream()
                .sorted((a, b) -> Integer.compare(line(a), line(b)))
                .toList();
    }

    private static int line(Passage passage) {
        return Integer.parseInt(passage.source().substring(passage.source().lastIndexOf(':') + 1));
    }

    @Test
    void anEntryThatIsShortIsAPassageAndOfALongOneItsParts() throws Exception {
        docs.with(
                "a.yaml",
                "short:\n  lamp: 1\n  more:\n    lamp: 2\nlong:\n  lamp: 3\n  size: 4\n  parts:\n" + FILLER
                        + "  last:\n    lamp: 5\n");

        assertThat(found("lamp"))
                .containsExactly(
                        new Passage("docs/a.yaml:1", "", "short:\n  lamp: 1\n  more:\n    lamp: 2"),
                        new Passage("docs/a.yaml:5", "long", "long:\n  lamp: 3\n  size: 4"),
                        new Passage("docs/a.yaml:17", "long", "last:\n    lamp: 5"));
        assertThat(found("stock")).allSatisfy(part -> assertThat(part.heading()).isEqualTo("long > parts"));
    }

    @Test
    void theLastValueOfAnObjectIsWithTheOthers() throws Exception {
        docs.with(
                "a.json",
                "{\n  \"long\": {\n    \"parts\": [\n"
                        + "      \"a part of the stock, kept in the store\",\n".repeat(12)
                        + "      \"last\"\n    ],\n    \"lamp\": 1,\n    \"bulb\": 2\n  },\n  \"other\": 3\n}\n");

        assertThat(found("lamp"))
                .containsExactly(new Passage("docs/a.json:18", "long", "\"lamp\": 1,\n    \"bulb\": 2"));
    }

    @Test
    void aBlankLineAndTheEndOfADocumentSeparateValues() throws Exception {
        docs.with("a.yaml", "---\nlamp: 1\nbulb: 2\n\nlamp: 3\n---\nlamp: 4\nbulb: 5\n...\n");

        assertThat(found("lamp"))
                .extracting(Passage::text)
                .containsExactly("lamp: 1\nbulb: 2", "lamp: 3", "lamp: 4\nbulb: 5");
    }

    @Test
    void theKeyOfAnAnchorOfATypeOrWithACommentIsAHeading() throws Exception {
        docs.with(
                "a.yaml",
                "one: &one\n" + FILLER + "two: !!seq # of parts\n" + FILLER + "three: # of parts\n" + FILLER
                        + "four:\n  - <<: *one\n" + FILLER);

        assertThat(found("stock")).extracting(Passage::heading).containsOnly("one", "two", "three", "four");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\r\n", "\n"})
    void endsOfLinesTabsAndAByteOrderMarkDoNotMatter(String end) throws Exception {
        String text = "long:\n\tlamp: 1\n\tparts:\n" + FILLER.replace("    ", "\t\t");
        docs.with("a.yaml", "\uFEFF" + text.replace("\n", end));

        assertThat(found("lamp")).containsExactly(new Passage("docs/a.yaml:1", "long", "long:\n\tlamp: 1"));
        assertThat(found("stock")).allSatisfy(part -> assertThat(part.heading()).isEqualTo("long > parts"));
    }

    @Test
    void anItemOfAListMayHaveItsDashOnALineOfItsOwn() throws Exception {
        docs.with("a.yaml", "lamps:\n-\n  lamp: 1\n-\n  lamp: 2\n");

        assertThat(found("lamp"))
                .containsExactly(new Passage("docs/a.yaml:1", "", "lamps:\n-\n  lamp: 1\n-\n  lamp: 2"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\n  \"lamp\": [1,\n    {\"x\"\n",
                "lamp: \"not closed\n  - x: {[\n",
                "]]]\n}}}\nlamp\n{{{[[[\n",
                "\n\n\n]\n\n  lamp\n"
            })
    void whatIsBrokenIsReadByItsLines(String broken) throws Exception {
        docs.with("a.json", broken).with("b.yaml", broken);

        assertThat(docs.sources("lamp")).hasSize(2);
    }

    @Test
    void oneLineIsCutAndOnlyItsStartIsReadIfItIsTooLong() throws Exception {
        docs.with("a.json", "[" + "{\"lamp\":[1,2,3]},".repeat(1_250_000) + "0]");

        assertThat(docs.report().skipped()).singleElement().satisfies(cut -> assertThat(cut.reason())
                .isEqualTo(Reason.TRUNCATED));
        assertThat(docs.search("lamp", 20)).hasSize(20).allSatisfy(DataPassagesTest::isBounded);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[",
                "{",
                "\"a\": [",
                "\"a\": {",
                "- ",
                "a: ",
                "]\n",
                "}\n",
                "\n",
                "[\n",
                "]\n\n",
                "- -\n",
                "a:\n",
                "---\n",
                "&a ",
                "\"",
                "\\",
                ": |",
                "::"
            })
    void aHundredThousandOfAnythingEndAsPassagesOfNormalSize(String part) throws Exception {
        docs.with("a.json", "lamp: 1\n" + part.repeat(100_000) + "\nlamp: 2")
                .with("b.yaml", "lamp:\n  " + part.repeat(100_000) + "\n  lamp: 2");

        assertThat(docs.search("lamp", 20)).hasSizeGreaterThanOrEqualTo(2).allSatisfy(DataPassagesTest::isBounded);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "\"lamp\": {", "lamp:", "- lamp:"})
    void levelsAreReadToACertainDepth(String opening) throws Exception {
        StringBuilder nested = new StringBuilder();
        for (int level = 0; level < 3_000; level++) {
            nested.append(" ".repeat(level)).append(opening).append('\n');
        }
        nested.append("lamp\n").append("]\n\n".repeat(200_000));
        docs.with("a.yaml", nested.toString());

        assertThat(docs.search("lamp", 20)).isNotEmpty().allSatisfy(DataPassagesTest::isBounded);
    }

    private static void isBounded(Passage passage) {
        assertThat(passage.text().length()).isLessThanOrEqualTo(1_200);
        assertThat(passage.heading().getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(1_000);
    }
}
