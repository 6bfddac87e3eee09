package dev.chargehand.openapi;

import dev.chargehand.document.Mistakes;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.constructor.StandardConstructor;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Makes JSON Schemas of the schemas of an OpenAPI document, for what is sent.
 *
 * <p>What is referred to is kept in {@code $defs}, so that a schema may refer to itself. An object gets no fields that
 * the document does not declare, unless it says that there may be others; a model must not be able to set them. Fields
 * that are read only are left out.
 */
final class OpenApiSchemas {

    private static final int LONGEST_DESCRIPTION = 1_000;
    private final OpenApiDocument document;
    private final Mistakes mistakes;
    private final ClosedObjects closed;
    private final Map<Wanted, String> names = new LinkedHashMap<>();
    private final Set<String> taken = new HashSet<>();
    private final Map<String, Integer> tried = new HashMap<>();
    private final Map<Wanted, Setting> references = new HashMap<>();
    private final Deque<Wanted> open = new ArrayDeque<>();

    /** How a schema is used. */
    private enum Use {
        /** A value keeps it: the model must not send more than it says. */
        VALUE,
        /** It is one of several that a value keeps. */
        PART,
        /** A keyword that only distinguishes values. */
        TEST
    }

    /** A definition; the same one wherever the reference to it stands. */
    private record Wanted(String reference, Use use) {}

    OpenApiSchemas(OpenApiDocument document) {
        this.document = document;
        this.mistakes = document.mistakes();
        this.closed = new ClosedObjects(document);
    }

    /** Return the schema of a value; it may refer to the {@link #definitions()}. */
    Map<String, Object> value(@Nullable Node node) {
        return node != null && schema(node, Use.VALUE) instanceof Map<?, ?> map ? copied(map) : new LinkedHashMap<>();
    }

    private static Map<String, Object> copied(Map<?, ?> map) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put(String.valueOf(key), value));
        return copy;
    }

    /** Return the schemas that those referred to so far refer to, and theirs, by their names in {@code $defs}. */
    Map<String, Object> definitions() {
        Map<String, Object> definitions = new LinkedHashMap<>();
        while (!open.isEmpty()) {
            Wanted next = open.remove();
            Optional<Node> target = document.target(reference(next));
            boolean there = target.flatMap(document::resolved).isPresent();
            definitions.put(names.getOrDefault(next, ""), there ? schema(target.orElseThrow(), next.use()) : true);
        }
        Set<String> circles = SchemaCycles.in(definitions);
        names.forEach((wanted, name) -> {
            if (circles.contains(name)) {
                mistakes.add(
                        reference(wanted).at(),
                        "'" + Section.shown(wanted.reference())
                                + "' holds itself by 'allOf', 'oneOf' or the like, so that no value can be checked by it. Leave"
                                + " one of the references out.");
            }
        });
        return definitions;
    }

    /** Return a reference by which a definition is wanted, the first that was met. */
    private Setting reference(Wanted wanted) {
        return Objects.requireNonNull(references.get(wanted));
    }

    private Object schema(Node node, Use use) {
        if (node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.BOOL)) {
            return Boolean.valueOf(scalar.getValue());
        }
        Section section = Section.of(mistakes, "a schema", node).misspelt(SchemaKeywords.KNOWN);
        for (String key : SchemaKeywords.NOT_UNDERSTOOD) {
            if (section.has(key)) {
                mistakes.add(
                        section.at(key),
                        "'" + key
                                + "' in a schema is not understood. Write the schema without it, and refer to others by"
                                + " their place, such as #/components/schemas/Order.");
            }
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        Optional<Setting> reference = OpenApiDocument.reference(node, mistakes);
        boolean more = !document.isOld()
                && section.keys().stream()
                        .anyMatch(key -> SchemaKeywords.SCHEMAS.contains(key) || key.equals("required"));
        reference.ifPresent(to -> schema.put("$ref", "#/$defs/" + name(to, more && use == Use.VALUE ? Use.PART : use)));
        describe(section, schema);
        if (reference.isPresent() && document.isOld()) {
            return schema; // nothing else counts beside a reference
        }
        type(section, schema);
        plain(section, schema);
        schemas(section, schema, use);
        if (use == Use.VALUE && (reference.isEmpty() || more)) {
            closed.close(node, section, schema);
        }
        return nullable(section, schema);
    }

    private String name(Setting reference, Use use) {
        Wanted wanted = new Wanted(reference.text(), use);
        String known = names.get(wanted);
        if (known != null) {
            return known;
        }
        String last = reference.text().substring(reference.text().lastIndexOf('/') + 1);
        String base = last.replaceAll("[^A-Za-z0-9_.-]", "_");
        String name = base.isEmpty() ? "root" : base;
        while (!taken.add(name)) {
            name = base + "-" + (tried.merge(base, 1, Integer::sum) + 1);
        }
        names.put(wanted, name);
        references.put(wanted, reference);
        open.add(wanted);
        return name;
    }

    private static void describe(Section section, Map<String, Object> schema) {
        String description = section.words("description");
        if (!description.isEmpty()) {
            schema.put("description", cut(description, LONGEST_DESCRIPTION));
        }
    }

    /** Return a text, shortened if it is long. */
    static String cut(String text, int most) {
        return text.codePointCount(0, text.length()) <= most
                ? text
                : text.substring(0, text.offsetByCodePoints(0, most - 1)) + "…";
    }

    private void type(Section section, Map<String, Object> schema) {
        Node node = section.node("type");
        if (node == null) {
            return;
        }
        List<String> types = new ArrayList<>();
        for (Node item : node instanceof SequenceNode list ? list.getValue() : List.of(node)) {
            String type = item instanceof ScalarNode scalar ? scalar.getValue() : "";
            if (SchemaKeywords.TYPES.contains(type) || (type.equals("null") && !document.isOld())) {
                types.add(type);
            } else {
                mistakes.add(
                        mistakes.at(item),
                        "'" + Section.shown(type) + "' is no type of a schema."
                                + NameSuggestions.allowed("Allowed", type, SchemaKeywords.TYPES));
            }
        }
        if (document.isOld() && Boolean.TRUE.equals(section.flag("nullable"))) {
            types.add("null");
        }
        if (!types.isEmpty()) {
            schema.put("type", types.size() == 1 ? types.getFirst() : types);
        }
    }

    private void plain(Section section, Map<String, Object> schema) {
        for (String key : section.keys()) {
            Node node = section.node(key);
            Object value = SchemaKeywords.PLAIN.contains(key) && node != null ? plain(node) : null;
            if (value != null) {
                schema.put(key, value);
            }
        }
        Setting pattern = section.has("pattern") ? section.text("pattern") : null;
        if (pattern != null && isRegularExpression(pattern.text())) {
            schema.put("pattern", pattern.text());
        }
        if (document.isOld()) {
            bound(schema, "exclusiveMinimum", "minimum");
            bound(schema, "exclusiveMaximum", "maximum");
        }
        if (schema.get("enum") instanceof List<?> values
                && document.isOld()
                && Boolean.TRUE.equals(section.flag("nullable"))
                && !values.contains(null)) {
            List<@Nullable Object> more = new ArrayList<>(values);
            more.add(null);
            schema.put("enum", more);
        }
    }

    private @Nullable Object plain(Node node) {
        try {
            return new StandardConstructor(LoadSettings.builder().build()).constructSingleDocument(Optional.of(node));
        } catch (YamlEngineException e) {
            mistakes.add(mistakes.at(node), "cannot be written as JSON.");
            return null;
        }
    }

    /** One that is written for another language is left to the server, which checks it anyway. */
    private static boolean isRegularExpression(String pattern) {
        try {
            Pattern.compile(pattern);
            return true;
        } catch (PatternSyntaxException e) {
            return false;
        }
    }

    private static void bound(Map<String, Object> schema, String exclusive, String bound) {
        if (schema.get(exclusive) instanceof Boolean is) {
            schema.remove(exclusive);
            Object limit = schema.get(bound);
            if (is && limit != null) {
                schema.remove(bound);
                schema.put(exclusive, limit);
            }
        }
    }

    private void schemas(Section section, Map<String, Object> schema, Use use) {
        Use below = use == Use.TEST ? Use.TEST : Use.VALUE;
        Use beside = use == Use.TEST ? Use.TEST : Use.PART;
        for (String key : section.keys()) {
            Node node = section.node(key);
            if (node == null) {
                continue;
            }
            switch (key) {
                case "properties" -> schema.put(key, properties(section, below));
                case "patternProperties" -> schema.put(key, each(section, key, below));
                case "dependentSchemas" -> schema.put(key, each(section, key, Use.TEST));
                case "items", "additionalProperties", "unevaluatedItems", "unevaluatedProperties" ->
                    schema.put(key, schema(node, below));
                case "prefixItems" -> schema.put(key, list(section, key, below));
                case "allOf", "anyOf", "oneOf" -> schema.put(key, list(section, key, beside));
                case "then", "else" -> schema.put(key, schema(node, beside));
                case "not", "if", "contains", "propertyNames" -> schema.put(key, schema(node, Use.TEST));
                default -> {}
            }
        }
        if (section.has("required")) {
            List<String> required = section.list("required").stream()
                    .map(Setting::text)
                    .filter(name -> !isReadOnly(
                            section.section("properties", "'properties'").node(name)))
                    .distinct()
                    .toList();
            schema.put("required", required);
        }
    }

    private Map<String, Object> properties(Section section, Use use) {
        Section listed = section.section("properties", "'properties'");
        Map<String, Object> properties = new LinkedHashMap<>();
        for (String name : listed.keys()) {
            Node node = listed.node(name);
            if (node != null && !isReadOnly(node)) {
                properties.put(name, schema(node, use));
            }
        }
        return properties;
    }

    private Map<String, Object> each(Section section, String key, Use use) {
        Section listed = section.section(key, "'" + key + "'");
        Map<String, Object> schemas = new LinkedHashMap<>();
        for (String name : listed.keys()) {
            Node node = listed.node(name);
            if (node != null) {
                schemas.put(name, schema(node, use));
            }
        }
        return schemas;
    }

    private List<Object> list(Section section, String key, Use use) {
        return section.nodes(key).stream().map(node -> schema(node, use)).toList();
    }

    private boolean isReadOnly(@Nullable Node node) {
        return node != null
                && document.resolved(node)
                        .filter(MappingNode.class::isInstance)
                        .map(found -> Section.of(mistakes, "a schema", found))
                        .map(section -> section.has("readOnly") && Boolean.TRUE.equals(section.flag("readOnly")))
                        .orElse(false);
    }

    /** Version 3.0 has a keyword for what is a type elsewhere. */
    private Object nullable(Section section, Map<String, Object> schema) {
        if (document.isOld()
                && section.has("nullable")
                && !section.has("type")
                && Boolean.TRUE.equals(section.flag("nullable"))) {
            return Map.of("anyOf", List.of(schema, Map.of("type", "null")));
        }
        return schema;
    }
}
