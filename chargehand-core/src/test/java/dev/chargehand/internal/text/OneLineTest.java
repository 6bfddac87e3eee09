package dev.chargehand.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OneLineTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Plan a day|Plan a day",
                "exactly ten|exactly",
                "one two three|one two",
                "one two th|one two th",
                "ab cdefghijklm|ab cdefghi",
                "abcdefghijklm|abcdefghij"
            })
    void aLongTextEndsWithAWholeWordUnlessThatLeavesTooLittle(String text, String line) {
        assertThat(OneLine.of(text, 10)).isEqualTo(line);
    }

    @Test
    void whiteSpaceAndControlCharactersAreOneSpace() {
        assertThat(OneLine.of("\n\u0000 a\r\n\u2028\u0007b\u0085\u00a0\u3000c \t", 80))
                .isEqualTo("a b c");
    }

    @Test
    void marksOfDirectionAreLeftOut() {
        assertThat(OneLine.of("\ufeffpay \u202egpj.exe\u202c\u2066!\u2069\u200f", 80))
                .isEqualTo("pay gpj.exe!");
    }

    @Test
    void aPairOfSurrogatesIsNotCutAndAHalfIsReplaced() {
        String dog = "\uD83D\uDC15";

        assertThat(OneLine.of("123456789" + dog, 10)).isEqualTo("123456789");
        assertThat(OneLine.of("12345678" + dog + "x", 10)).isEqualTo("12345678" + dog);
        assertThat(OneLine.of("a\uD83D b\uDC15", 10)).isEqualTo("a\ufffd b\ufffd");
        assertThat(OneLine.of("123456789\uD83D", 9)).isEqualTo("123456789");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n\t", "\u0000", "\u202e"})
    void nothingToShowIsEmpty(String text) {
        assertThat(OneLine.of(text, 80)).isEmpty();
    }

    @Test
    void noMoreOfALongTextIsReadThanIsShown() {
        assertThat(OneLine.of("word ".repeat(1_000_000), 80)).hasSize(79).endsWith("word");
    }
}
