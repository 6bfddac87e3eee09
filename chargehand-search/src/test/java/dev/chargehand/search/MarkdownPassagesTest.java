package dev.chargehand.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.search.internal.document.DocumentText;
import dev.chargehand.search.internal.text.MarkdownBlocks;
import dev.chargehand.search.internal.text.PassageCutter;
import dev.chargehand.search.report.Passage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MarkdownPassagesTest {

    private static List<Passage> passages(String text) {
        List<String> lines = text.lines().toList();
        return passages(lines);
    }

    private static List<Passage> passages(List<String> lines) {
        return PassageCutter.cut(new DocumentText(lines, List.of(), MarkdownBlocks.of(lines), false)).stream()
                .map(piece -> new Passage("f:" + piece.place(), piece.heading(), piece.text()))
                .toList();
    }

    private static Passage passage(int line, String heading, String text) {
        return new Passage("f:" + line, heading, text);
    }

    @Test
    void aParagraphAListAndABlockOfCodeArePassages() {
        assertThat(passages("""
                # Top

                First
                paragraph.

                - one

                  still one
                - two

                Last.

                ```java
                # no heading

                code();
                ```
                """))
                .containsExactly(
                        passage(3, "Top", "First\nparagraph."),
                        passage(6, "Top", "- one\n\n  still one\n- two"),
                        passage(11, "Top", "Last."),
                        passage(13, "Top", "```java\n# no heading\n\ncode();\n```"));
    }

    @Test
    void headingsNestAndCloseEachOther() {
        assertThat(passages("""
                A
                =

                1

                B
                ---
                2
                ### `c()` of [D](d.md) ###
                3
                ## E {#e}
                4
                # F
                5
                """))
                .containsExactly(
                        passage(4, "A", "1"),
                        passage(8, "A > B", "2"),
                        passage(10, "A > B > c() of D", "3"),
                        passage(12, "A > E", "4"),
                        passage(14, "F", "5"));
    }

    @Test
    void whatIsIntroducedIsReadWithItsIntroduction() {
        assertThat(passages("The kinds are:\n\n- one\n- two\n\nAnd more.\n\nNext:\n\n## H\n\ntext"))
                .containsExactly(
                        passage(1, "", "The kinds are:\n\n- one\n- two"),
                        passage(6, "", "And more."),
                        passage(8, "", "Next:"),
                        passage(12, "H", "text"));
    }

    @Test
    void aHeadingLosesItsImagesAndTheTargetsOfItsLinks() {
        assertThat(passages("# Tool [![version](https://v/x.svg)](https://v) by [us](https://us)\n\nText."))
                .containsExactly(passage(3, "Tool by us", "Text."));
    }

    @Test
    void aHeadingWithNothingBelowItIsAPassage() {
        assertThat(passages("# A\n## B\n## C\ntext\n# D"))
                .containsExactly(passage(2, "A > B", "## B"), passage(4, "A > C", "text"), passage(5, "D", "# D"));
    }

    @Test
    void frontMatterCommentsAndRulesAreLeftOut() {
        assertThat(passages("---\ntitle: x\n---\n<!-- a\n\nb -->\ntext\n\n***\n\n<!-- c -->\nmore"))
                .containsExactly(passage(7, "", "text"), passage(12, "", "more"));
    }

    @Test
    void codeWithinAListKeepsItsHashes() {
        assertThat(passages("- run:\n\n  ```sh\n  # no heading\n\n  x\n  ```\n\nafter"))
                .containsExactly(
                        passage(1, "", "- run:\n\n  ```sh\n  # no heading\n\n  x\n  ```"), passage(9, "", "after"));
    }

    @Test
    void aFenceThatIsNeverClosedReachesToTheEnd() {
        assertThat(passages("text\n~~~~\n~~~\n# x\n\ny"))
                .containsExactly(passage(1, "", "text"), passage(2, "", "~~~~\n~~~\n# x\n\ny"));
    }

    @Test
    void aLongListIsCutBetweenItems() {
        String item =
                "- " + "word ".repeat(60).strip() + "\n  " + "more ".repeat(40).strip() + "\n";

        List<Passage> passages = passages(item.repeat(8));

        assertThat(passages).hasSizeGreaterThan(3).allSatisfy(passage -> {
            assertThat(passage.text()).startsWith("- ").hasSizeLessThanOrEqualTo(PassageCutter.LONGEST);
        });
        assertThat(passages.get(1).source()).isEqualTo("f:5");
    }

    @Test
    void aLongLineIsCutAfterSentencesOrBetweenWordsAndKeepsItsNumber() {
        String sentences = "A sentence of some words here. ".repeat(100).strip();
        String words = "word ".repeat(600).strip();
        String runes = "\uD83D\uDE00".repeat(1_500);

        assertThat(passages("x\n\n" + sentences))
                .filteredOn(passage -> !passage.source().equals("f:1"))
                .hasSizeGreaterThan(2)
                .allSatisfy(
                        passage -> assertThat(passage.text()).startsWith("A ").endsWith("here."))
                .allSatisfy(passage -> assertThat(passage.source()).isEqualTo("f:3"));
        assertThat(passages(words))
                .allSatisfy(
                        passage -> assertThat(passage.text()).startsWith("word").endsWith("word"));
        assertThat(String.join(
                        "", passages("a" + runes).stream().map(Passage::text).toList()))
                .isEqualTo("a" + runes);
    }

    /** Whatever the file looks like: what is cited stands there, and nothing but headings and rules gets lost. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void everyPassageStandsWordForWordWhereItSays(long seed) {
        Random random = new Random(seed);
        String[] pieces = {
            "# Head",
            "## Sub",
            "Title",
            "===",
            "---",
            "```",
            "~~~~",
            "- item",
            "  indented",
            "1. first",
            "> quote",
            "",
            "",
            "",
            "a: b:",
            "| a | b |",
            "***",
            "text of a line.",
            "long ".repeat(500),
            "\t tabbed ",
            "\u00A0",
            "#no",
            "   "
        };
        for (int round = 0; round < 80; round++) {
            List<String> lines = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                String piece = pieces[random.nextInt(pieces.length)];
                lines.add(piece.isBlank() ? piece : piece + " w" + i);
                if (piece.matches("[=~`*-]+")) {
                    lines.set(i, piece);
                }
            }
            List<Passage> passages = passages(lines);
            for (Passage passage : passages) {
                int line = Integer.parseInt(passage.source().substring(2));
                List<String> shown = passage.text().lines().toList();
                assertThat(passage.text()).isNotBlank().hasSizeLessThanOrEqualTo(PassageCutter.LONGEST);
                for (int i = 0; i < shown.size(); i++) {
                    assertThat(lines.get(line - 1 + i)).contains(shown.get(i).strip());
                }
            }
            String all = String.join(
                            "\n",
                            passages.stream()
                                    .map(p -> p.heading() + "\n" + p.text())
                                    .toList()) + "\n";
            boolean frontMatter = lines.getFirst().equals("---");
            for (int i = 0; i < lines.size() && !frontMatter; i++) {
                if (lines.get(i).endsWith(" w" + i)) {
                    assertThat(all).containsPattern("\\bw" + i + "\\b");
                }
            }
        }
    }
}
