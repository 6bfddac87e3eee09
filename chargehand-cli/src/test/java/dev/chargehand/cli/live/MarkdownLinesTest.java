package dev.chargehand.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jline.utils.AttributedString;
import org.junit.jupiter.api.Test;

/** Answers in Markdown as lines of a terminal. */
class MarkdownLinesTest {

    private static final Look PLAIN = new Look(false, false);

    private static List<String> lines(String markdown, int columns) {
        return new MarkdownLines(PLAIN, columns)
                .of(markdown).stream().map(AttributedString::toString).toList();
    }

    @Test
    void paragraphsAreBrokenWhereWordsEndAndLineEndsStay() {
        assertThat(lines("One two three four.\nFive.\n\nSix.", 12))
                .containsExactly("One two", "three four.", "Five.", "", "Six.");
    }

    @Test
    void listsHaveTheirMarksAndAreSetIn() {
        assertThat(lines("- one two three\n- four\n  1. five\n  2. six\n\nSeven", 12))
                .containsExactly("* one two", "  three", "* four", "  1. five", "  2. six", "", "Seven");
    }

    @Test
    void headingsCodeQuotesAndRules() {
        assertThat(lines("# Title\n\n```java\nint  a = 1;\n\n  b();\n```\n> said\n\n---\nend", 40))
                .containsExactly(
                        "Title",
                        "",
                        "| int  a = 1;",
                        "| ",
                        "|   b();",
                        "",
                        "| said",
                        "",
                        "--------------------",
                        "",
                        "end");
    }

    @Test
    void marksBecomeStylesAndLinksShowWhereTheyLead() {
        String markdown = "A **bold** and *slanted* `code` [link](https://example.org/x)";
        assertThat(lines(markdown, 80)).containsExactly("A bold and slanted code link (https://example.org/x)");
        String ansi = new MarkdownLines(new Look(true, true), 80)
                .of(markdown)
                .getFirst()
                .toAnsi();
        assertThat(ansi).contains("\u001b[1mbold").contains("\u001b[3mslanted").contains("\u001b[36mcode");
    }

    @Test
    void whatIsNoMarkdownIsShownAsItIs() {
        assertThat(lines("a < b && c_d_e * 2 [docs/concepts.md:12] <b>x</b>", 80))
                .containsExactly("a < b && c_d_e * 2 [docs/concepts.md:12] <b>x</b>");
        assertThat(lines("a | b, c | d", 80)).containsExactly("a | b, c | d");
    }

    @Test
    void aTableHasColumns() {
        String table = "Prices:\n\n| item | price |\n|---|--:|\n| a `boat` | 1 |\n| sail | 20 |\n\nEnd.";
        assertThat(lines(table, 80))
                .containsExactly(
                        "Prices:", "", "item    price", "-------------", "a boat  1", "sail    20", "", "End.");
        assertThat(new MarkdownLines(new Look(true, true), 80)
                        .of("| item |\n|---|\n| **x** |")
                        .getFirst()
                        .toAnsi())
                .contains("\u001b[1mitem");
    }

    @Test
    void cellsAreBrokenWhereTheTableIsTooWideAndNamedWhereThereIsNoRoomForColumns() {
        String table = "| what | why it is so |\n|---|---|\n| boats | because they are light |";
        assertThat(lines(table, 24))
                .containsExactly(
                        "what   why it is so", "------------------------", "boats  because they are", "       light");
        assertThat(lines("| one | two | three |\n|---|---|---|\n| first one | the second | the third one |", 22))
                .containsExactly("one: first one", "two: the second", "three: the third one");
    }

    @Test
    void aTableWithoutRowsOrCellsLosesNothing() {
        assertThat(lines("| a | b |\n|---|---|", 80)).containsExactly("a  b", "----");
        assertThat(lines("| a | b |\n|---|---|\n| 1 |", 80)).containsExactly("a  b", "----", "1");
    }

    @Test
    void aWordThatIsTooLongIsBrokenAndNothingOfItIsLost() {
        assertThat(String.join("", lines("x".repeat(95), 20))).isEqualTo("x".repeat(95));
        assertThat(lines("漢字".repeat(12), 20)).allMatch(line -> line.length() <= 10);
    }

    @Test
    void nothingGivesNothing() {
        assertThat(lines("", 20)).isEmpty();
        assertThat(lines("-", 20)).containsExactly("* ");
    }
}
