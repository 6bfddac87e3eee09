package dev.chargehand.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class VariablesTest {

    private final Variables variables = new Variables(Map.of("NAME", "gpt", "EMPTY", "")::get);

    private Variables.Resolved resolve(String text) {
        return variables.resolve(new Setting(text, new Position("crew.yaml:4")));
    }

    @Test
    void aVariableIsReplacedWhereverItStands() {
        assertThat(resolve("openai/${NAME}-5")).isEqualTo(new Variables.Resolved("openai/gpt-5", false));
        assertThat(resolve("plain $NAME")).isEqualTo(new Variables.Resolved("plain $NAME", false));
    }

    @Test
    void theDefaultStandsInForOneThatIsUnsetOrEmpty() {
        assertThat(resolve("${NAME:-offline}")).isEqualTo(new Variables.Resolved("gpt", false));
        assertThat(resolve("${NONE:-offline}")).isEqualTo(new Variables.Resolved("offline", true));
        assertThat(resolve("${EMPTY:-offline}")).isEqualTo(new Variables.Resolved("offline", true));
    }

    @Test
    void oneWithoutAValueIsNamed() {
        assertThatThrownBy(() -> resolve("${NONE}"))
                .hasMessage("crew.yaml:4: the environment variable NONE is not set. Set it, or give a default:"
                        + " ${NONE:-...}.");
        assertThatThrownBy(() -> resolve("${NONE:-}"))
                .hasMessage("crew.yaml:4: '${NONE:-}' is empty. Write a value or a default.");
    }

    @Test
    void oneThatIsMisspeltIsRefused() {
        assertThatThrownBy(() -> resolve("${NAME"))
                .hasMessage("crew.yaml:4: '${NAME' has a variable that cannot be read. Allowed: ${NAME} and"
                        + " ${NAME:-default}.");
    }
}
