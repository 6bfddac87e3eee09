package dev.chargehand.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.document.DocumentException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A document of thousands of schemas that refer to each other is read in proportion to their number. */
@Timeout(120)
class LargeDocumentTest extends WithApi {

    private static final int SCHEMAS = 3_000;

    private static final String POST = """
            /orders:
              post:
                operationId: it
                requestBody:
                  content:
                    application/json:
                      schema: { type: object, properties: { first: { $ref: "#/components/schemas/S-0" } } }
            """.indent(2);

    private static String schemas(String schema) {
        return "components:\n  schemas:\n"
                + IntStream.range(0, SCHEMAS)
                        .mapToObj(i -> "    S-" + i + ": "
                                + schema.formatted(
                                        i + 1 < SCHEMAS ? "$ref: '#/components/schemas/S-" + (i + 1) + "'" : ""))
                        .collect(Collectors.joining("\n"))
                + "\n";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ type: object, properties: { next: { %s } } }",
                "{ type: object, properties: { a: { %1$s }, b: { %1$s } } }",
                "{ type: object, properties: { a: {} }, allOf: [ { %s } ] }",
                "{ type: object, properties: { a: {} }, anyOf: [ { %s }, { type: object, properties: { b: {} } } ] }"
            })
    void schemasThatAreLinkedAreReadAndFoundTooManyForOneOperation(String schema) {
        assertThatThrownBy(() -> api.paths(POST).more(schemas(schema)).tool())
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining("operation 'it' takes more than 200000 characters to describe");
    }

    @Test
    void aCircleOfThemIsFound() {
        String circle = schemas("{ type: object, properties: { a: {} }, allOf: [ { %s } ] }")
                .replace("{  }", "{ $ref: '#/components/schemas/S-0' }");

        assertThatThrownBy(() -> api.paths(POST).more(circle).tool())
                .isInstanceOfSatisfying(DocumentException.class, e -> assertThat(e.mistakes())
                        .filteredOn(mistake -> mistake.toString().contains("holds itself by 'allOf'"))
                        .hasSizeGreaterThan(1_000));
    }
}
