package dev.chargehand.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.InvalidJsonException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of a text that is not JSON: it reaches models and clients of a server, who know no settings of the library. */
class InvalidTextsTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {"a":1,"a":2}     | Duplicate property "a"
            {"a":{"b":1,"b":2}} | Duplicate property "b"
            {"a":NaN}         | Non-standard token 'NaN'
            {/* a */"a":1}    | Unexpected character ('/' (code 47)): maybe a (non-standard) comment?
            {"a":             | Unexpected end-of-input within/between Object entries
            {"a":[1           | Unexpected end-of-input: expected close marker for Array
            {'a':1}           | Unexpected character (''' (code 39)): was expecting double-quote to start property name
            """)
    void aFaultNamesNoSettingOfTheLibrary(String text, String fault) {
        assertThatThrownBy(() -> Json.parse(text))
                .isInstanceOfSatisfying(InvalidJsonException.class, e -> assertThat(e.publicMessage())
                        .matches("Not valid JSON at line 1, column \\d+: .*")
                        .endsWith(": " + fault));
    }
}
