package dev.chargehand.cli.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The result of a tool is a line that people read, not JSON. */
class ResultLineTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"paid\" | paid",
                "3.50 | 3.50",
                "null | nothing",
                "{} | nothing",
                "[] | 0 items",
                "[1,\"b\"] | 2 items: 1, b",
                "[1,2,3,4] | 4 items: 1, 2, 3, …",
                "[{\"a\":1}] | 1 item",
                "{\"id\":7,\"name\":\"Ann\",\"tags\":[\"x\"],\"more\":{\"a\":1,\"b\":2}} | id 7, name Ann, tags 1 item: x, more 2 fields",
                "{\"passages\":[],\"note\":\"Nothing.\"} | found nothing",
                "{\"passages\":[{\"source\":\"a.md:3\",\"text\":\"A\"}],\"note\":\"\"} | 1 passage: a.md:3",
            })
    void aResultIsALine(String json, String line) {
        assertThat(ResultLine.of(Json.parse(json))).isEqualTo(line);
    }

    @Test
    void longTextsInAnObjectAreCut() {
        assertThat(ResultLine.of(Json.parse("{\"text\":\"" + "x".repeat(100) + "\"}")))
                .isEqualTo("text " + "x".repeat(60) + "…");
    }
}
