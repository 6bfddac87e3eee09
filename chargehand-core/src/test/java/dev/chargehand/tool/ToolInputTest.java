package dev.chargehand.tool;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ConfigurationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A type that is no object is rejected with the record that holds one. */
class ToolInputTest {

    @ParameterizedTest
    @CsvSource({
        "java.lang.String, 'record Input(String value) {}'",
        "java.lang.Integer, 'record Input(Integer value) {}'",
        "java.util.OptionalInt, 'record Input(OptionalInt value) {}'",
    })
    void aSingleValueNeedsARecord(Class<?> type, String record) {
        assertThatThrownBy(() -> Tool.of("find", "Finds.", type, (in, context) -> in))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("Tool 'find': the arguments of a tool are a JSON object, which " + type.getSimpleName()
                        + " is not; use a record with a component for it: " + record + ".");
    }
}
