package dev.chargehand.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.jdbc.internal.sql.NulEscape;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NulEscapeTest {

    private static final int CASES = 2000;

    @Test
    void anyTextComesBackAsItWasAndKeepsItsPlaceInTheOrder() {
        Random random = new Random(11);
        List<String> texts = Stream.generate(() -> text(random)).limit(CASES).toList();
        for (String text : texts) {
            String escaped = NulEscape.escape(text);
            assertThat(escaped).doesNotContain("\0");
            assertThat(NulEscape.unescape(escaped)).isEqualTo(text);
            String other = texts.get(random.nextInt(CASES));
            assertThat(Integer.signum(escaped.compareTo(NulEscape.escape(other))))
                    .isEqualTo(Integer.signum(text.compareTo(other)));
        }
    }

    @Test
    void aTextWithoutNulIsKeptLetterByLetter() {
        String json = "{\"a\": \"\\u0000 \\u0001 \u0002 \ud83d\ude00 0 1\"}";

        assertThat(NulEscape.escape(json)).isSameAs(json);
        assertThat(NulEscape.unescape(json)).isSameAs(json);
    }

    private static String text(Random random) {
        return random.ints(random.nextInt(8), 0, 4)
                .map(i -> "\0\u0001\u00020".charAt(i))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
