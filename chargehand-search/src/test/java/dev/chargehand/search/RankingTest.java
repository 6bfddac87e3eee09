package dev.chargehand.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.search.report.Passage;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes first when several passages have the words of a question. */
class RankingTest {

    private static final String TEXT = "# Backups\n\nA backup is made every night.";

    /** What the stand-in wants. */
    private static final double SURE = 0.74;

    @TempDir
    Path folder;

    Documents docs;

    @BeforeEach
    void setUp() {
        docs = new Documents(folder);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "adr/backups.md",
                "decisions/backups.md",
                "a/rfcs/backups.md",
                "0007-backups.md",
                "CHANGELOG.md",
                "HISTORY.txt",
                "release-notes.md",
                "TODO.md",
                "a/roadmap.md",
                "LICENSE.md",
                "a/test/backups.md",
                "fixtures/backups.md",
                "build/backups.md",
                "vendor/backups.md",
                "backups.schema.json",
                "openapi.yaml",
                "backups.java"
            })
    void aGuideComesBeforeARecordAListATestOrSomethingGenerated(String other) throws Exception {
        docs.with(other, TEXT).with("zz/guide.md", TEXT);

        assertThat(docs.sources("when is a backup made")).first().asString().startsWith("docs/zz/guide.md");
    }

    @ParameterizedTest
    @CsvSource({
        "why is a backup made every night, adr/backups.md",
        "what changed about the backup, CHANGELOG.md",
        "which plan is there for the backup, TODO.md",
        "schema of a backup, backups.schema.json"
    })
    void aQuestionThatAsksForSuchAFileGetsIt(String question, String file) throws Exception {
        docs.with(file, TEXT + " The backup is on a plan, changed with its schema, every night, every night.")
                .with("zz/guide.md", TEXT);

        assertThat(docs.sources(question)).first().asString().startsWith("docs/" + file);
    }

    @Test
    void aSynonymIsFoundAfterTheWord() throws Exception {
        docs.with("a.md", "Accommodation is paid for.").with("b.md", "A hotel is paid for.");

        assertThat(docs.sources("hotel")).containsExactly("docs/b.md:1", "docs/a.md:1");
    }

    @Test
    void aSectionWhoseHeadingIsTheQuestionIsReadFromItsStart() throws Exception {
        docs.with("a.md", "# Manual\n\n## Cleaning the filter\n\nSwitch it off first.\n\nNever use soap on a filter.");

        assertThat(docs.sources("how to clean filter")).containsExactly("docs/a.md:5", "docs/a.md:7");
    }

    @Test
    void aSentenceExplainsMoreThanAListOfLinksOrCode() throws Exception {
        docs.with("a.md", "- [Backups](b.md)\n- [Backups at night](c.md)")
                .with("b.md", "```\nbackup --backup backups;\n```")
                .with("c.md", "A backup is made every night, and it is stored for a month.");

        assertThat(docs.sources("backup")).startsWith("docs/c.md:1");
    }

    @Test
    void theSearchIsSureOfTheOnlyPlaceWithTheQuestionAndNotOfOneWithAWordOfIt() throws Exception {
        docs.with("a.md", "Lost parcels are searched for.").with("b.md", "Parcels are booked here.");
        try (FileSearch search = FileSearch.over(folder)) {
            assertThat(search.fitting("lost parcels", 5).getFirst().sure()).isGreaterThan(SURE);
            assertThat(search.fitting("insurance of parcels", 5).getFirst().sure())
                    .isLessThan(SURE);
        }
    }

    @Test
    void whatIsReadTogetherComesFirst() throws Exception {
        docs.with("a.md", "Parcels are booked here. It is quick. None was ever lost. It is safe.")
                .with(
                        "b.md",
                        "Who waits for parcels that are late, or lost, or broken, writes to the service at once, and in their own words.");

        assertThat(docs.sources("lost parcels")).startsWith("docs/b.md:1");
    }

    @Test
    void theAddressesInMarkupAreNotReadWithTheText() throws Exception {
        docs.with(
                        "a.md",
                        "See [the price](https://example.com/parcels/lost). <a href=\"https://example.com/lost\">Parcels</a>")
                .with(
                        "b.md",
                        "Who waits for parcels that are late, or lost, or broken, writes to the service at once, and in their own words.");

        assertThat(docs.sources("lost parcels")).startsWith("docs/b.md:1");
    }

    @Test
    void aLineOfCapitalsAboveIndentedTextIsAHeadingOfAPlainText() throws Exception {
        docs.with("a.txt", "OPTIONS, ALL\n    -v  Be verbose.\n\n    -q  Be quiet.\n\nNO HEADING\nbut text.");

        assertThat(docs.search("verbose quiet text"))
                .containsExactlyInAnyOrder(
                        new Passage("docs/a.txt:2", "OPTIONS, ALL", "-v  Be verbose."),
                        new Passage("docs/a.txt:4", "OPTIONS, ALL", "-q  Be quiet."),
                        new Passage("docs/a.txt:6", "OPTIONS, ALL", "NO HEADING\nbut text."));
    }

    @Test
    void wordsOfSeveralEntriesOfDataDoNotStandTogether() throws Exception {
        String filler = "  note: kept in the second store, and brought from there on request within a day or two\n";
        docs.with(
                "stock.yaml",
                "lamps:\n  colour: amber\n" + filler.repeat(3) + "cables:\n  length: five metres\n" + filler.repeat(3));
        try (FileSearch search = FileSearch.over(folder)) {
            FittingPassage first = search.fitting("length of cables", 5).getFirst();
            assertThat(first.source()).endsWith("/stock.yaml:6");
            assertThat(first.sure()).isGreaterThan(SURE);
            assertThat(search.fitting("length of lamps", 5).getFirst().sure()).isLessThan(SURE);
        }
    }

    @Test
    void itIsNotSureOfWordsThatStandTogetherInSeveralFiles() throws Exception {
        docs.with("a.md", "A tree is packed in a net.")
                .with("b.md", "The tree and what was packed yesterday.")
                .with("c.md", "A packed tree needs two people.");
        try (FileSearch search = FileSearch.over(folder)) {
            assertThat(search.fitting("packed tree", 5).getFirst().sure()).isLessThan(SURE);
        }
    }

    @Test
    void itIsSureOfASectionWhoseHeadingIsTheQuestionThoughOthersHaveItsWords() throws Exception {
        docs.with("a.md", "# Packing a tree\n\nPack the tree in a net, the trunk first.")
                .with("b.md", "The tree and what was packed yesterday.")
                .with("c.md", "A packed tree needs two people.");
        try (FileSearch search = FileSearch.over(folder)) {
            FittingPassage first = search.fitting("pack a tree", 5).getFirst();
            assertThat(first.heading()).isEqualTo("Packing a tree");
            assertThat(first.sure()).isGreaterThan(SURE);
        }
    }

    @Test
    void passagesOfATextWithoutHeadingsAreRivals() throws Exception {
        docs.with(
                "licence.txt",
                "The covered work may be sold.\n\nWho sells a covered work keeps this notice.\n\nA covered work is a program.");
        try (FileSearch search = FileSearch.over(folder)) {
            assertThat(search.fitting("covered work", 5).getFirst().sure()).isLessThan(SURE);
        }
    }

    @Test
    void aLineThatIsUnderlinedIsAHeadingOfAPlainText() throws Exception {
        docs.with(
                "a.rst",
                "=====\nGuide\n=====\n\nFirst words.\n\nLimits\n------\n\nTen requests.\n\nEmpty\n-----\n\nMore\n----\nLast words.\n\nShort\n--\n");

        assertThat(docs.search("first words requests empty last short", 10))
                .containsExactlyInAnyOrder(
                        new Passage("docs/a.rst:5", "Guide", "First words."),
                        new Passage("docs/a.rst:10", "Guide > Limits", "Ten requests."),
                        new Passage("docs/a.rst:12", "Guide > Empty", "Empty"),
                        new Passage("docs/a.rst:17", "Guide > More", "Last words."),
                        new Passage("docs/a.rst:19", "Guide > More", "Short\n--"));
    }

    @Test
    void aTitleIsNotANewName() throws Exception {
        docs.with("a.md", "The title of the file system is shown.").with("b.md", "The kettle is hot.");

        try (FileSearch search = FileSearch.over(folder)) {
            assertThat(search.fitting("rename a kettle", 5)).hasSize(1);
        }
    }
}
