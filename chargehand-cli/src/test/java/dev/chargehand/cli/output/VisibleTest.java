package dev.chargehand.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import org.junit.jupiter.api.Test;

class VisibleTest {

    @Test
    void tagsThatSpellOutATextAreShown() {
        String hidden = "a" + Character.toString(0xE0041) + Character.toString(0xE0002) + "b👩";
        String shown = "a\\udb40\\udc41\\udb40\\udc02b👩";

        assertThat(Visible.text(hidden)).isEqualTo(shown);
        assertThat(Visible.line(hidden, 50)).isEqualTo(shown);
        assertThat(Visible.json(hidden)).isEqualTo(shown);
    }

    @Test
    void ordinaryTextStaysAsItIs() {
        String text = "Füße → 漢字 👩‍🔬 ok";

        assertThat(Visible.line(text, 100)).isEqualTo(text);
        assertThat(Visible.text(text)).isEqualTo(text);
        assertThat(Visible.json(text)).isEqualTo(text);
    }

    @Test
    void whatATerminalActsOnIsWrittenOut() {
        assertThat(Visible.line("\u001b[31mred\u0007 \u009b \u202eabc \u2028.", 100))
                .isEqualTo("\\u001b[31mred\\u0007 \\u009b \\u202eabc \\u2028.");
    }

    @Test
    void aLineIsOneLine() {
        assertThat(Visible.line("  one\n\ttwo\r\n", 100)).isEqualTo("one\\n\\ttwo");
    }

    @Test
    void aLongLineIsCutBetweenCharacters() {
        assertThat(Visible.line("ab👍👍👍", 4)).isEqualTo("ab👍👍…");
        assertThat(Visible.line("abcd", 4)).isEqualTo("abcd");
    }

    @Test
    void aTextKeepsItsLinesButNotABareReturn() {
        assertThat(Visible.text("one\r\n\ttwo\nsafe\rover")).isEqualTo("one\r\n\ttwo\nsafe\\u000dover");
    }

    @Test
    void jsonMeansTheSameAsBefore() {
        Json json = Json.of("a\u0007b\u007fc\u009bd\u202ee");

        String visible = Visible.json(json.text());

        assertThat(visible).isEqualTo("\"a\\u0007b\\u007fc\\u009bd\\u202ee\"");
        assertThat(Json.parse(visible).string()).isEqualTo(json.string());
    }
}
