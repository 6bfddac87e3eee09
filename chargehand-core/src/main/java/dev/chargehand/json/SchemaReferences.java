package dev.chargehand.json;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Finds the references of a schema that lead out of it. Used by one thread. */
final class SchemaReferences {

    private static final Set<String> REFERENCES = Set.of("$ref", "$dynamicRef", "$recursiveRef");

    private static final Set<String> IDS = Set.of("$id", "id");

    /** Their values are data, even if they look like schemas. */
    private static final Set<String> DATA = Set.of("const", "enum", "default", "examples", "example");

    /** They hold schemas by names, which may look like keywords. */
    private static final Set<String> NAMED =
            Set.of("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies");

    /** Where the standard keeps the schemas of schemas, which come with the validator. */
    private static final List<String> STANDARD =
            List.of("https://json-schema.org/draft/", "http://json-schema.org/draft-0");

    private static final URI NOWHERE = URI.create("");

    /** A reference as it is written, and the document that it leads to. */
    private record Reference(String written, String document) {}

    private final Set<String> documents = new HashSet<>(Set.of(""));
    private final List<Reference> references = new ArrayList<>();

    private SchemaReferences() {}

    /** Return the references that lead neither into the schema nor to the standard, as they are written. */
    static List<String> leadingOut(JsonNode schema) {
        SchemaReferences found = new SchemaReferences();
        found.read(schema, NOWHERE);
        Set<String> leadingOut = new LinkedHashSet<>();
        for (Reference reference : found.references) {
            if (!found.documents.contains(reference.document()) && !isOfTheStandard(reference.document())) {
                leadingOut.add(reference.written());
            }
        }
        return List.copyOf(leadingOut);
    }

    /** Return whether the standard itself is at an address. */
    static boolean isOfTheStandard(String address) {
        return STANDARD.stream().anyMatch(address::startsWith);
    }

    private void read(JsonNode schema, URI around) {
        if (schema.isArray()) {
            for (JsonNode each : schema) {
                read(each, around);
            }
        }
        if (!schema.isObject()) {
            return;
        }
        URI base = around;
        for (String id : IDS) {
            if (schema.path(id).isString()) {
                base = resolved(base, schema.path(id).stringValue());
                documents.add(document(base));
            }
        }
        for (Map.Entry<String, JsonNode> keyword : schema.properties()) {
            read(keyword.getKey(), keyword.getValue(), base);
        }
    }

    private void read(String keyword, JsonNode value, URI base) {
        if (REFERENCES.contains(keyword) && value.isString()) {
            String written = value.stringValue();
            references.add(new Reference(written, written.startsWith("#") ? "" : document(resolved(base, written))));
        } else if (NAMED.contains(keyword) && value.isObject()) {
            for (JsonNode each : value) {
                read(each, base);
            }
        } else if (!DATA.contains(keyword)) {
            read(value, base);
        }
    }

    private static URI resolved(URI base, String reference) {
        @Nullable URI given = uri(reference);
        return given == null ? URI.create("unreadable:address") : base.resolve(given);
    }

    private static @Nullable URI uri(String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static String document(URI address) {
        String text = address.toString();
        int fragment = text.indexOf('#');
        return fragment < 0 ? text : text.substring(0, fragment);
    }
}
