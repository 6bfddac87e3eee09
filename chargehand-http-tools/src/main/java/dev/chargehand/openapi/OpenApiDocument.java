package dev.chargehand.openapi;

import dev.chargehand.document.DocumentException;
import dev.chargehand.document.Mistakes;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import dev.chargehand.document.YamlText;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** An OpenAPI document as its nodes. References within it are followed; what is outside of it is never fetched. */
final class OpenApiDocument {

    static final List<String> METHODS = List.of("get", "put", "post", "delete", "options", "head", "patch", "trace");

    private static final List<String> TOP = List.of(
            "openapi", "info", "servers", "paths", "components", "security", "tags", "externalDocs", "webhooks");
    private static final List<String> PATH_ITEM = Stream.concat(
                    METHODS.stream(), Stream.of("$ref", "summary", "description", "servers", "parameters"))
            .toList();

    private final String name;
    private final Mistakes mistakes;
    private final Node root;
    private final Section top;
    private final List<DocumentedOperation> operations = new ArrayList<>();

    /** The fields of the nodes that references lead through, of which there may be thousands. */
    private final IdentityHashMap<Node, Map<String, Node>> fields = new IdentityHashMap<>();

    /**
     * An operation of the document.
     *
     * @param id its id; empty if it has none
     */
    record DocumentedOperation(String id, String method, String path, Section pathItem, Section section) {

        /** Return what it can be chosen by. */
        String title() {
            return id.isEmpty() ? method + " " + path : id;
        }

        boolean is(String wanted) {
            if (wanted.equals(id)) {
                return true;
            }
            int space = wanted.indexOf(' ');
            return space > 0
                    && wanted.substring(0, space).toUpperCase(Locale.ROOT).equals(method)
                    && wanted.substring(space).strip().equals(path);
        }
    }

    private OpenApiDocument(String name, Mistakes mistakes, Node root) {
        this.name = name;
        this.mistakes = mistakes;
        this.root = root;
        this.top = Section.of(mistakes, "the document", root).misspelt(TOP);
    }

    /** Read a file; nothing if there is a mistake in it that leaves nothing to read. */
    static Optional<OpenApiDocument> read(Path path, String name, Mistakes mistakes) {
        return read(name, mistakes, yaml -> yaml.read(path));
    }

    /** Read a text, like a file. */
    static Optional<OpenApiDocument> parse(String text, String name, Mistakes mistakes) {
        return read(name, mistakes, yaml -> yaml.read(text));
    }

    private static Optional<OpenApiDocument> read(String name, Mistakes mistakes, Function<YamlText, Node> root) {
        try {
            Mistakes its = mistakes.of(name);
            OpenApiDocument document =
                    new OpenApiDocument(name, its, root.apply(new YamlText(name, its, YamlText.Sort.OPENAPI)));
            return document.isUnderstood() ? Optional.of(document) : Optional.empty();
        } catch (DocumentException e) {
            return Optional.empty(); // the mistakes are noted
        }
    }

    private boolean isUnderstood() {
        int before = mistakes.count();
        Setting version = top.text("openapi");
        if (top.has("swagger")) {
            mistakes.add(
                    top.at("swagger"),
                    "is a document of Swagger 2, which is not understood. Convert it to OpenAPI 3 first, with swagger2openapi"
                            + " for example.");
        } else if (version == null) {
            mistakes.add(top.at(), "is no OpenAPI document: it needs 'openapi', such as openapi: 3.1.0.");
        } else if (!version.text().matches("3\\.[01](\\..*)?")) {
            mistakes.add(
                    version.at(),
                    "has the version '" + Section.shown(version.text()) + "' of OpenAPI. Understood are 3.0 and 3.1.");
        } else if (!top.has("paths")) {
            mistakes.add(
                    top.at(), "has no 'paths', and so no operations." + NameSuggestions.meant("paths", top.keys()));
        }
        if (mistakes.count() > before) {
            return false;
        }
        Section paths = top.section("paths", "'paths'");
        paths.keys().stream().filter(path -> !path.startsWith("x-")).forEach(path -> collect(path, paths.node(path)));
        return true;
    }

    private void collect(String path, @Nullable Node node) {
        resolved(node).ifPresent(resolved -> {
            Section item = Section.of(mistakes, "path '" + Section.shown(path) + "'", resolved)
                    .misspelt(PATH_ITEM);
            for (String method : METHODS) {
                if (item.has(method)) {
                    Section section = item.section(method, "operation '" + method + " " + Section.shown(path) + "'");
                    operations.add(new DocumentedOperation(
                            section.words("operationId"), method.toUpperCase(Locale.ROOT), path, item, section));
                }
            }
        });
    }

    /** Return the file as the user knows it. */
    String name() {
        return name;
    }

    /** Return whether it is of version 3.0, whose schemas are not quite JSON Schema. */
    boolean isOld() {
        return top.textOr("openapi", "").startsWith("3.0");
    }

    Section top() {
        return top;
    }

    Mistakes mistakes() {
        return mistakes;
    }

    List<DocumentedOperation> operations() {
        return operations;
    }

    /** Return the target of a node; nothing if it is not a reference. */
    static Optional<Setting> reference(@Nullable Node node, Mistakes mistakes) {
        if (node instanceof MappingNode mapping) {
            for (NodeTuple tuple : mapping.getValue()) {
                if (isKey(tuple, "$ref") && tuple.getValueNode() instanceof ScalarNode target) {
                    return Optional.of(new Setting(target.getValue(), mistakes.at(target)));
                }
            }
        }
        return Optional.empty();
    }

    /** Return a node, or what it refers to; nothing if that is a mistake, which is noted. */
    Optional<Node> resolved(@Nullable Node node) {
        Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Optional<Node> current = Optional.ofNullable(node);
        while (current.isPresent()) {
            Optional<Setting> reference = reference(current.get(), mistakes);
            if (reference.isEmpty()) {
                return current;
            }
            if (!seen.add(current.get())) {
                mistakes.add(reference.get().at(), "'$ref' leads back to itself, and so to nothing.");
                return Optional.empty();
            }
            current = target(reference.get());
        }
        return current;
    }

    /** Return what a reference names; nothing if it is not in this file. */
    Optional<Node> target(Setting reference) {
        String text = reference.text();
        if (!text.startsWith("#")) {
            mistakes.add(
                    reference.at(),
                    "'$ref' names '" + Section.shown(text)
                            + "', which is not in this file, and nothing is fetched. Bundle the document into one file first,"
                            + " with 'redocly bundle' for example.");
            return Optional.empty();
        }
        if (!text.equals("#") && !text.startsWith("#/")) {
            mistakes.add(
                    reference.at(),
                    "'$ref' names the anchor '" + Section.shown(text)
                            + "', which is not understood. Name the place, such as" + " #/components/schemas/Order.");
            return Optional.empty();
        }
        Node node = root;
        for (String token : text.equals("#") ? new String[0] : text.substring(2).split("/", -1)) {
            String key = unescaped(token);
            Optional<Node> below = below(node, key);
            if (below.isEmpty()) {
                mistakes.add(
                        reference.at(),
                        "'$ref' names '" + Section.shown(text) + "', but there is no '" + Section.shown(key) + "'."
                                + NameSuggestions.few("There are", key, keys(node)));
                return Optional.empty();
            }
            node = below.get();
        }
        return Optional.of(node);
    }

    private static String unescaped(String token) {
        String plain = token;
        if (token.contains("%")) {
            try {
                plain = URLDecoder.decode(token.replace("+", "%2B"), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException e) {
                plain = token; // it names what has a '%' in its name
            }
        }
        return plain.replace("~1", "/").replace("~0", "~");
    }

    private Optional<Node> below(Node node, String key) {
        if (node instanceof MappingNode mapping) {
            return Optional.ofNullable(fieldsOnce(mapping).get(key));
        }
        if (node instanceof SequenceNode list && key.matches("\\d{1,6}")) {
            int index = Integer.parseInt(key);
            return index < list.getValue().size() ? Optional.of(list.getValue().get(index)) : Optional.empty();
        }
        return Optional.empty();
    }

    private static Collection<String> keys(Node node) {
        Set<String> keys = new LinkedHashSet<>();
        if (node instanceof MappingNode mapping) {
            mapping.getValue().forEach(tuple -> {
                if (tuple.getKeyNode() instanceof ScalarNode key) {
                    keys.add(key.getValue());
                }
            });
        }
        return keys;
    }

    private static boolean isKey(NodeTuple tuple, String key) {
        return tuple.getKeyNode() instanceof ScalarNode scalar
                && scalar.getValue().equals(key);
    }

    private Map<String, Node> fieldsOnce(MappingNode mapping) {
        return fields.computeIfAbsent(mapping, node -> fieldsOf(mapping));
    }

    private static Map<String, Node> fieldsOf(MappingNode mapping) {
        Map<String, Node> fields = new HashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            if (tuple.getKeyNode() instanceof ScalarNode key) {
                fields.putIfAbsent(key.getValue(), tuple.getValueNode());
            }
        }
        return fields;
    }
}
