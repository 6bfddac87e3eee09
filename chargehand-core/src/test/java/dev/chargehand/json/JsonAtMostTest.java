package dev.chargehand.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The bound of {@link Json#ofAtMost}. */
class JsonAtMostTest {

    @Test
    void aBoundOfNoCharactersIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Json.ofAtMost("text", 0))
                .withMessage("A value is kept with a number of characters above zero; it is 0.");
    }

    @Test
    void theLargestBoundKeepsAll() {
        assertThat(Json.ofAtMost(List.of("a"), Integer.MAX_VALUE).text()).isEqualTo("[\"a\"]");
    }

    @Test
    void aBoundOfOneCharacterCutsBehindIt() {
        assertThat(Json.ofAtMost("text", 1).text()).startsWith("\"t\\n[Cut here: it has more than 1 characters.");
    }
}
