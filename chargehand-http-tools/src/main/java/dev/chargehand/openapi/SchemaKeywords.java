package dev.chargehand.openapi;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The keywords of schemas in OpenAPI documents, by how they are handled. */
final class SchemaKeywords {

    /** What a value may be, but for null. */
    static final Set<String> TYPES =
            new LinkedHashSet<>(List.of("string", "integer", "number", "boolean", "object", "array"));

    /** Keywords whose values are no schemas and mean the same in JSON Schema. */
    static final Set<String> PLAIN = Set.of(
            "title",
            "format",
            "default",
            "enum",
            "const",
            "multipleOf",
            "maximum",
            "minimum",
            "exclusiveMaximum",
            "exclusiveMinimum",
            "maxLength",
            "minLength",
            "maxItems",
            "minItems",
            "uniqueItems",
            "maxContains",
            "minContains",
            "maxProperties",
            "minProperties",
            "dependentRequired");

    /** Keywords without information for a model about what to send. */
    static final Set<String> LEFT_OUT = Set.of(
            "example",
            "examples",
            "xml",
            "externalDocs",
            "discriminator",
            "deprecated",
            "writeOnly",
            "nullable",
            "readOnly",
            "contentEncoding",
            "contentMediaType",
            "contentSchema",
            "required",
            "description",
            "type",
            "pattern",
            "$ref",
            "$defs",
            "$comment",
            "$schema");

    /** Keywords with named schemas as values. */
    static final Set<String> SCHEMAS = Set.of(
            "properties",
            "patternProperties",
            "dependentSchemas",
            "items",
            "prefixItems",
            "additionalProperties",
            "unevaluatedItems",
            "unevaluatedProperties",
            "allOf",
            "anyOf",
            "oneOf",
            "not",
            "if",
            "then",
            "else",
            "contains",
            "propertyNames");

    /** All that mean something. */
    static final List<String> KNOWN =
            Stream.of(PLAIN, LEFT_OUT, SCHEMAS).flatMap(Set::stream).sorted().toList();
    /** Keywords that change what references mean. */
    static final List<String> NOT_UNDERSTOOD =
            List.of("$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef");

    private SchemaKeywords() {}
}
