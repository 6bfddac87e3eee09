package dev.chargehand.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.internal.state.value.MergePatch;
import dev.chargehand.json.Json;
import dev.chargehand.tool.ToolFailureException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkingMemoryEditsTest {

    private static final String TEXT = "# User\n- Name:\n- Place: Oslo\n- Place of birth: Bergen\n";

    @Test
    void anEditReplacesWhatOccursOnce() {
        assertThat(edited(TEXT, "- Name:", "- Name: Ann", "- Place: Oslo", "- Place: Rome"))
                .isEqualTo("# User\n- Name: Ann\n- Place: Rome\n- Place of birth: Bergen\n");
    }

    @Test
    void anEditOfNothingAddsAtTheEnd() {
        assertThat(edited("a", "", "b", "", "c")).isEqualTo("a\nb\nc");
        assertThat(edited("a\n", "", "b")).isEqualTo("a\nb");
        assertThat(edited("", "", "b")).isEqualTo("b");
    }

    @Test
    void whatDoesNotOccurIsAnErrorThatNamesTheNearestLine() {
        assertThatThrownBy(() -> edited(TEXT, "- Birth place", "x"))
                .isInstanceOf(ToolFailureException.class)
                .hasMessageContaining("Nothing was changed")
                .hasMessageContaining("- Place of birth: Bergen");
    }

    @Test
    void whatOccursTwiceIsAnError() {
        assertThatThrownBy(() -> edited(TEXT, "- Place", "x"))
                .isInstanceOf(ToolFailureException.class)
                .hasMessageContaining("more than once");
    }

    /** The examples of RFC 7396. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":\"b\"}|{\"a\":\"c\"}|{\"a\":\"c\"}",
                "{\"a\":\"b\"}|{\"b\":\"c\"}|{\"a\":\"b\",\"b\":\"c\"}",
                "{\"a\":\"b\"}|{\"a\":null}|{}",
                "{\"a\":\"b\",\"b\":\"c\"}|{\"a\":null}|{\"b\":\"c\"}",
                "{\"a\":[\"b\"]}|{\"a\":\"c\"}|{\"a\":\"c\"}",
                "{\"a\":\"c\"}|{\"a\":[\"b\"]}|{\"a\":[\"b\"]}",
                "{\"a\":{\"b\":\"c\"}}|{\"a\":{\"b\":\"d\",\"c\":null}}|{\"a\":{\"b\":\"d\"}}",
                "{\"a\":[{\"b\":\"c\"}]}|{\"a\":[1]}|{\"a\":[1]}",
                "[\"a\",\"b\"]|[\"c\",\"d\"]|[\"c\",\"d\"]",
                "{\"a\":\"b\"}|[\"c\"]|[\"c\"]",
                "{\"a\":\"foo\"}|null|null",
                "{\"a\":\"foo\"}|\"bar\"|\"bar\"",
                "{\"e\":null}|{\"a\":1}|{\"e\":null,\"a\":1}",
                "[1,2]|{\"a\":\"b\",\"c\":null}|{\"a\":\"b\"}",
                "{}|{\"a\":{\"bb\":{\"ccc\":null}}}|{\"a\":{\"bb\":{}}}",
            })
    void aMergePatchIsAppliedAsItsStandardSays(String value, String patch, String result) {
        assertThat(MergePatch.applied(Json.parse(value), Json.parse(patch)).canonical())
                .isEqualTo(Json.parse(result).canonical());
    }

    private static String edited(String text, String... findsAndWrites) {
        List<Map<String, String>> edits = new ArrayList<>();
        for (int i = 0; i < findsAndWrites.length; i += 2) {
            edits.add(Map.of("find", findsAndWrites[i], "write", findsAndWrites[i + 1]));
        }
        return TemplateEdits.of(Json.of(Map.of("edits", edits))).appliedTo(text);
    }
}
