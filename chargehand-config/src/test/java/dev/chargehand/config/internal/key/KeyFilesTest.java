package dev.chargehand.config.internal.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The schema and the tables of the page are those of the keys. With {@code -Dchargehand.keys=write} this test writes
 * both files instead.
 */
class KeyFilesTest {

    private static final Path DOCS = Path.of("..", "docs");
    private static final String ADVICE = "%s is not what the keys say. Write it anew:"
            + " mvn -pl chargehand-config -am test -Dtest=KeyFilesTest -Dchargehand.keys=write";

    private static void expect(Path file, String text) throws IOException {
        if ("write".equals(System.getProperty("chargehand.keys"))) {
            Files.writeString(file, text);
        }
        assertThat(Files.readString(file)).as(ADVICE, file.getFileName()).isEqualTo(text);
    }

    @Test
    void theSchemaInTheDocumentsIsThatOfTheKeys() throws IOException {
        expect(DOCS.resolve("chargehand.schema.json"), KeyTable.schema());
    }

    @Test
    void thePageHasTheTableOfEverySection() throws IOException {
        Path page = DOCS.resolve("chargehand-yaml.md");
        String text = Files.readString(page);
        for (KeySection section : KeyTable.sections()) {
            Pattern table = Pattern.compile(Pattern.quote(KeyPage.marker(section)) + "(\\|.*\\n)+");
            Matcher found = table.matcher(text);
            assertThat(found.find())
                    .as("the page has the comment of %s", section.name())
                    .isTrue();
            text = text.substring(0, found.start())
                    + KeyPage.marker(section)
                    + KeyPage.table(section)
                    + text.substring(found.end());
        }
        expect(page, text);
    }

    @Test
    void everyReferenceOfTheSchemaNamesASectionAndEverySectionIsNamed() {
        List<String> names = KeyTable.sections().stream().map(KeySection::name).toList();
        Set<String> referenced = new HashSet<>();
        Matcher references = Pattern.compile("#/\\$defs/(\\w+)").matcher(KeyTable.schema());
        while (references.find()) {
            referenced.add(references.group(1));
        }
        assertThat(referenced).containsExactlyInAnyOrderElementsOf(names);
    }

    @Test
    void aKeyIsDeclaredOnceInItsSectionAndSaysWhatItMeans() {
        for (KeySection section : KeyTable.sections()) {
            assertThat(section.names())
                    .as(section.name())
                    .doesNotHaveDuplicates()
                    .isNotEmpty();
            assertThat(KeyPage.table(section)).as(section.name()).doesNotContain("|  |");
        }
        assertThat(Json.parse(KeyTable.schema()).at("/$defs/limits/properties/modelCalls/default"))
                .hasValue(Json.of(100));
    }
}
