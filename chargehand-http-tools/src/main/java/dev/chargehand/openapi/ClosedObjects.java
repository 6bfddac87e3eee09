package dev.chargehand.openapi;

import dev.chargehand.document.Mistakes;
import dev.chargehand.document.Section;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** Keeps objects of a document to their declared fields. */
final class ClosedObjects {

    private final OpenApiDocument document;
    private final Mistakes mistakes;

    /** What is known of nodes that references lead to. */
    private final IdentityHashMap<Node, Boolean> declaring = new IdentityHashMap<>();

    ClosedObjects(OpenApiDocument document) {
        this.document = document;
        this.mistakes = document.mistakes();
    }

    /** Keep an object to the fields that are declared for it, unless the document says that there may be others. */
    void close(Node node, Section section, Map<String, Object> schema) {
        if (section.has("additionalProperties") || section.has("unevaluatedProperties") || !declares(node)) {
            return;
        }
        boolean simple =
                List.of("$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas", "patternProperties").stream()
                        .noneMatch(schema::containsKey);
        schema.put(simple ? "additionalProperties" : "unevaluatedProperties", false);
    }

    /** If none of what was looked at declares any fields, each of them is known not to. */
    private boolean declares(Node node) {
        Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        int before = declaring.size();
        boolean declares = declares(node, seen);
        if (!declares && declaring.size() == before) {
            seen.forEach(each -> declaring.putIfAbsent(each, false));
        }
        return declares;
    }

    private boolean declares(Node node, Set<Node> seen) {
        Node found = document.resolved(node).orElse(node);
        Boolean known = declaring.get(found);
        if (known != null) {
            return known;
        }
        if (!(found instanceof MappingNode) || !seen.add(found)) {
            return false;
        }
        boolean declares = allDeclare(found, seen);
        if (declares) {
            declaring.put(found, true);
        }
        return declares;
    }

    /** Return whether all that an object may be declares fields. */
    private boolean allDeclare(Node found, Set<Node> seen) {
        Section section = Section.of(mistakes, "a schema", found);
        if (section.has("properties")) {
            return true;
        }
        if (section.isList("allOf") && section.nodes("allOf").stream().anyMatch(part -> declares(part, seen))) {
            return true;
        }
        for (String key : List.of("oneOf", "anyOf")) {
            if (section.isList(key)) {
                return section.nodes(key).stream().anyMatch(part -> declares(part, seen))
                        && section.nodes(key).stream().noneMatch(this::isFree);
            }
        }
        return false;
    }

    /** Return whether a schema is an object of which nothing is declared. */
    private boolean isFree(Node node) {
        return document.resolved(node)
                .filter(MappingNode.class::isInstance)
                .map(found -> Section.of(mistakes, "a schema", found))
                .filter(section -> List.of("properties", "allOf", "anyOf", "oneOf", "additionalProperties").stream()
                        .noneMatch(section::has))
                .map(section -> section.node("type") instanceof ScalarNode type
                        && type.getValue().equals("object"))
                .orElse(false);
    }
}
