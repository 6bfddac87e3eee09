package dev.chargehand.processor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What nobody sees is taken out, and what people need stays. */
class UnicodeNormalizerTest {

    @ParameterizedTest
    @CsvSource({
        "ｉｇｎｏｒｅ, ignore",
        "ﬁle ①, file 1",
        "e\u0301, é",
        "ig\u200Bno\u2060re\uFEFF, ignore",
        "a\u202Eb\u202Cc\u2066d\u2069\u200E\u200F, abcd",
        "a\u00ADb, ab",
        "x\uDB40\uDC41\uDB40\uDC42y, xy",
        "a\uDB40\uDD00b, ab",
        "a\uDB40\uDC00b\uDB40\uDC02c\uDB40\uDC1Fd\uDB40\uDC7Fe, abcde",
        "a\uDB40\uDDF0b\uDB40\uDFFFc, abc",
        "a\uFE00b\uFE0F\uFE01c, abc",
        "❤\uFE0F\uFE0F\uFE01x, ❤\uFE0Fx",
        "a\u180Bb, ab",
        "a\u0007\u001Bb, ab",
        "a\u200Db\u200Cc, abc",
        "a\u3164b, ab",
    })
    void whatHidesIsTakenOut(String text, String normal) {
        assertThat(UnicodeNormalizer.nfkc().normalize(text)).isEqualTo(normal);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Plain\ttext\r\nin two lines",
                "Grüße, señor, 日本語, Ω",
                "👩\u200D💻 and ❤\uFE0F\u200D🔥",
                "می\u200Cخواهم",
                "क्\u200Dष",
            })
    void whatPeopleNeedStays(String text) {
        assertThat(UnicodeNormalizer.nfkc().normalize(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ﬁle ①", "ｉｇ"})
    void theMilderFormKeepsWhatLooksDifferent(String text) {
        assertThat(UnicodeNormalizer.nfc().normalize(text)).isEqualTo(text);
    }
}
