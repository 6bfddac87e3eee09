package dev.chargehand.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The texts of a JSON value are changed within the value: what comes out is always JSON. */
class JsonTextsTest {

    private static String hidden(String text) {
        return text.replaceAll("s\\d|42", "?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'a':'s1','b':['xs2y',true,null]} | {'a':'?','b':['x?y',true,null]}",
                "{'n':1421,'m':7,'f':0.420} | {'n':'1?1','m':7,'f':'0.?0'}",
                "42 | '?'",
                "{'s1':1,'s2':2,'?':3} | {'?':1,'? (2)':2,'? (3)':3}",
                "{'?':1,'? (2)':2,'s1':3,'s2':4} | {'?':1,'? (2)':2,'? (3)':3,'? (4)':4}",
                "{'s1':{'s1':1},'o':{'s1':1}} | {'?':{'?':1},'o':{'?':1}}",
                "{'q':'\\u00731 \\\\ \\\"'} | {'q':'? \\\\ \\\"'}",
                "{'exact':123456789012345678901234567890.10,'s':'s1'} | {'exact':123456789012345678901234567890.10,'s':'?'}",
            })
    void whatIsChangedStaysJson(String before, String after) {
        Json changed = json(before).withTexts(JsonTextsTest::hidden);

        assertThat(changed).isEqualTo(json(after));
        assertThat(Json.parse(changed.text())).isEqualTo(changed);
    }

    @Test
    void whatIsNotChangedIsTheSame() {
        Json json = json("{ 'a' : 1.00 }");

        assertThat(json.withTexts(JsonTextsTest::hidden)).isSameAs(json);
    }

    private static Json json(String text) {
        return Json.parse(text.replace('\'', '"'));
    }
}
