package dev.chargehand.config.internal.offline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is quoted of a passage, by the kind of its file. */
class FindingTest {

    @ParameterizedTest
    @ValueSource(strings = {"a.json:3", "a.JSON:3", "a/b.yaml:3", "b.yml:3", "b.yml"})
    void anEntryOfDataIsQuotedInOneLineWithoutItsMarks(String source) {
        Finding entry = new Finding(
                source,
                "services",
                "\"web\": {\n  \"image\": \"a \\\"b\\\"\",\n  \"ports\": [\n    80,\n    443\n  ]\n},");

        assertThat(entry.isData()).isTrue();
        assertThat(entry.sentences()).containsExactly("web: image: a \\\"b\\\"; ports: 80 443");
    }

    @Test
    void anEntryOfYamlIsQuotedWithItsItemsAndTexts() {
        assertThat(new Finding(
                                "a.yaml:1",
                                "",
                                "web:\n  - name: x\n    note: |\n      First line\n      and second.\n  - name: y")
                        .sentences())
                .containsExactly("web: name: x; note: First line and second.; name: y");
        assertThat(new Finding("a.yaml:1", "", "retries: 3").sentences()).containsExactly("retries: 3");
    }

    @Test
    void otherFilesAreNoData() {
        assertThat(new Finding("json.md:1", "", "One sentence. Another one.").isData())
                .isFalse();
        assertThat(new Finding("json.md:1", "", "One sentence. Another one.").sentences())
                .containsExactly("One sentence.", "Another one.");
    }

    @Test
    void theNamesOfColumnsMayHaveSpaces() {
        assertThat(new Finding("a.tsv:2", "Full name\tAge", "Ann Lee\t31\nBo\t40").sentences())
                .containsExactly("Full name: Ann Lee; Age: 31", "Full name: Bo; Age: 40");
        assertThat(new Finding("a.csv:2", "Full name,Age", "Ann Lee,31").sentences())
                .containsExactly("Full name: Ann Lee; Age: 31");
    }
}
