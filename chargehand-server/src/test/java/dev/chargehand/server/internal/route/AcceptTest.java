package dev.chargehand.server.internal.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What headers say of JSON and of a stream: of each whether it may be sent, and whether it is sent in place of the other. */
class AcceptTest {

    private static final String JSON = "application/json";
    private static final String STREAM = "text/event-stream";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            */*                                                      | both    | none
            application/json                                         | JSON    | JSON
            APPLICATION/Json                                         | JSON    | JSON
            application/json; charset=utf-8                          | JSON    | JSON
            application/json;profile="a,b;q=0"                       | JSON    | JSON
            application/json;profile="a\\",b/c";q=0.5, text/event-stream | both | stream
            text/event-stream                                        | stream  | stream
            text/event-stream, application/json                      | both    | either
            application/json, text/event-stream                      | both    | either
            text/event-stream;q=0.9, application/json                | both    | JSON
            text/event-stream; q=0.901 , application/json ;Q=0.9     | both    | stream
            text/event-stream, */*                                   | both    | stream
            text/event-stream, */*;q=0.1                             | both    | stream
            application/json, text/plain, */*                        | both    | JSON
            text/event-stream;q=0.1, */*                             | both    | JSON
            text/event-stream;q=0, */*                               | JSON    | JSON
            application/json;q=0, */*;q=0.1                          | stream  | stream
            application/*                                            | JSON    | JSON
            text/*                                                   | stream  | stream
            text/*;q=0, text/event-stream;q=0.2, */*;q=0.1           | both    | stream
            */*;q=0                                                  | neither | none
            application/json;q=0                                     | neither | none
            application/json;q=0.000                                 | neither | none
            text/html                                                | neither | none
            text/html, application/xhtml+xml, application/xml;q=0.9, image/webp, */*;q=0.8 | both | none
            application/problem+json                                 | neither | none
            application/json;q=0, application/json                   | JSON    | JSON
            application/json;version=2;q=0, application/json         | JSON    | JSON
            text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2     | both    | none
            text/html, *; q=.2                                       | both    | none
            , ,text/event-stream,,                                   | stream  | stream
            text/event-stream/x, application/json                    | JSON    | JSON
            text/event-stream;q=high, application/json               | JSON    | JSON
            text/event-stream;q=1.5, application/json                | JSON    | JSON
            text/event-stream;q=-1, application/json                 | JSON    | JSON
            */json                                                   | both    | none
            garbage                                                  | both    | none
            ;;;                                                      | both    | none
            text/event-stream;profile="open                          | both    | none
            """)
    void aHeaderSaysWhatMayBeSentAndWhatIsWanted(String header, String allowed, String wanted) {
        Accept accept = Accept.of(List.of(header));
        assertThat(allowed(accept)).isEqualTo(allowed);
        assertThat(wanted(accept)).isEqualTo(wanted);
    }

    private static String allowed(Accept accept) {
        return name(accept.allows(JSON), accept.allows(STREAM), "both", "neither");
    }

    private static String wanted(Accept accept) {
        return name(accept.prefers(JSON, STREAM), accept.prefers(STREAM, JSON), "either", "none");
    }

    private static String name(boolean json, boolean stream, String both, String none) {
        return json && stream ? both : json ? "JSON" : stream ? "stream" : none;
    }

    @Test
    void withoutAHeaderOrWithAnEmptyOneEverythingMayBeSent() {
        for (List<String> lines : List.of(List.<String>of(), List.of(""), List.of(" ", ","))) {
            assertThat(allowed(Accept.of(lines))).as(lines.toString()).isEqualTo("both");
            assertThat(wanted(Accept.of(lines))).as(lines.toString()).isEqualTo("none");
        }
    }

    @Test
    void severalLinesAreOneList() {
        Accept accept = Accept.of(List.of("application/json;q=0", "text/event-stream;q=0.5, */*;q=0.1"));
        assertThat(allowed(accept)).isEqualTo("stream");
        assertThat(wanted(accept)).isEqualTo("stream");
    }

    @Test
    void aLongHeaderIsReadInOnePass() {
        assertThat(Accept.of(List.of(",;\"\\".repeat(4_000) + "a/b;c=".repeat(1_000)))
                        .allows(JSON))
                .isTrue();
    }
}
