package dev.chargehand.openapi;

import dev.chargehand.document.Mistakes;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.openapi.Operation.Body;
import dev.chargehand.openapi.Operation.Form;
import dev.chargehand.openapi.Operation.Parameter;
import dev.chargehand.openapi.Operation.Place;
import dev.chargehand.openapi.Operation.Style;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads what a call of one operation fills in: its parameters and its body, and the schema of both. */
final class OperationReader {

    private static final int LONGEST_SCHEMA = 200_000;
    private static final Pattern PATH = Pattern.compile("/(?!/)(?:[^?#%]++|%[0-9A-Fa-f]{2})*+");
    private static final Pattern PLACE = Pattern.compile("\\{([^{}]*)}");
    private static final List<String> OPERATION = List.of(
            "tags",
            "summary",
            "description",
            "externalDocs",
            "operationId",
            "parameters",
            "requestBody",
            "responses",
            "callbacks",
            "deprecated",
            "security",
            "servers");
    private static final List<String> PARAMETER = List.of(
            "name",
            "in",
            "description",
            "required",
            "deprecated",
            "allowEmptyValue",
            "style",
            "explode",
            "allowReserved",
            "schema",
            "example",
            "examples",
            "content");
    private static final List<String> BODY = List.of("description", "content", "required");

    /** What OpenAPI takes from elsewhere. */
    private static final Set<String> SAID_ELSEWHERE = Set.of("accept", "content-type", "authorization");

    private static final Map<String, Style> OF_PATH =
            Map.of("simple", Style.SIMPLE, "label", Style.LABEL, "matrix", Style.MATRIX);
    private static final Map<String, Style> OF_QUERY = Map.of(
            "form",
            Style.FORM,
            "spaceDelimited",
            Style.SPACE_DELIMITED,
            "pipeDelimited",
            Style.PIPE_DELIMITED,
            "deepObject",
            Style.DEEP_OBJECT);
    private static final Map<String, Style> OF_HEADER = Map.of("simple", Style.SIMPLE);

    private final OpenApiDocument document;
    private final OpenApiDocument.DocumentedOperation operation;
    private final Collection<String> fixedHeaders;
    private final Collection<String> fixedQuery;
    private final Mistakes mistakes;
    private final OpenApiSchemas schemas;
    private final String what;
    private final Map<String, Object> properties = new LinkedHashMap<>();
    private final Set<String> required = new LinkedHashSet<>();

    /**
     * What a call fills in.
     *
     * @param body null for nothing
     */
    record Filled(List<Parameter> parameters, @Nullable Body body, JsonSchema input) {}

    /** Start reading; {@code fixedHeaders} and {@code fixedQuery} are sent anyway, and no call can change them. */
    OperationReader(
            OpenApiDocument document,
            OpenApiDocument.DocumentedOperation operation,
            Collection<String> fixedHeaders,
            Collection<String> fixedQuery) {
        this.document = document;
        this.fixedQuery = fixedQuery;
        this.operation = operation;
        this.fixedHeaders =
                fixedHeaders.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
        this.mistakes = document.mistakes();
        this.schemas = new OpenApiSchemas(document);
        this.what = "operation '" + Section.shown(operation.title()) + "'";
    }

    Filled read() {
        operation.section().misspelt(OPERATION);
        List<Parameter> parameters = parameters();
        requireFilledPath(parameters);
        Body body = body();
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put("required", List.copyOf(required));
        schema.put("additionalProperties", false);
        Map<String, Object> definitions = schemas.definitions();
        if (!definitions.isEmpty()) {
            schema.put("$defs", definitions);
        }
        Json json = Json.of(schema);
        if (json.text().length() > LONGEST_SCHEMA) {
            mistakes.add(
                    operation.section().at(),
                    what + " takes more than " + LONGEST_SCHEMA
                            + " characters to describe, which no model should have to"
                            + " read with each question. Make its schemas smaller, or leave it out.");
        }
        return new Filled(parameters, body, JsonSchema.of(json));
    }

    private List<Parameter> parameters() {
        Map<String, Section> found = new LinkedHashMap<>();
        for (Section holder : List.of(operation.pathItem(), operation.section())) {
            if (holder.has("parameters")) {
                for (Node node : holder.nodes("parameters")) {
                    document.resolved(node).ifPresent(resolved -> {
                        Section section = Section.of(mistakes, "a parameter of " + what, resolved)
                                .misspelt(PARAMETER);
                        found.put(section.textOr("in", "") + " " + section.textOr("name", ""), section);
                    });
                }
            }
        }
        List<Parameter> parameters = new ArrayList<>();
        found.values().forEach(section -> parameter(section, parameters));
        return parameters;
    }

    private void parameter(Section section, List<Parameter> to) {
        String name = section.has("name") ? section.textOr("name", "") : "";
        Setting in = section.text("in");
        if (name.isEmpty() || in == null) {
            mistakes.add(section.at(), "a parameter of " + what + " needs 'name' and 'in'.");
            return;
        }
        String its = "parameter '" + Section.shown(name) + "' of " + what;
        boolean isRequired = section.has("required") && Boolean.TRUE.equals(section.flag("required"));
        switch (in.text()) {
            case "path" -> add(section, name, its, Place.PATH, OF_PATH, "simple", true, to);
            case "query" -> {
                if (!fixedQuery.contains(name)) {
                    add(section, name, its, Place.QUERY, OF_QUERY, "form", isRequired, to);
                }
            }
            case "header" -> {
                if (SAID_ELSEWHERE.contains(name.toLowerCase(Locale.ROOT)) || isFixed(name)) {
                    return;
                }
                if (HeaderNames.isName(name)) {
                    add(section, name, its, Place.HEADER, OF_HEADER, "simple", isRequired, to);
                } else if (isRequired) {
                    mistakes.add(
                            section.at("name"),
                            its + " is a header that a model cannot be allowed to set. Leave the operation out.");
                }
            }
            case "cookie" -> {
                if (isRequired && !isFixed("cookie")) {
                    mistakes.add(
                            section.at("in"),
                            its
                                    + " is a cookie, which a model cannot set. Set the header 'Cookie' of the tool, or"
                                    + " leave the operation out.");
                }
            }
            default ->
                mistakes.add(
                        in.at(),
                        "'in' of " + its + " must be one of path, query, header, cookie, but is '"
                                + Section.shown(in.text()) + "'."
                                + NameSuggestions.meant(in.text(), List.of("path", "query", "header", "cookie")));
        }
    }

    private boolean isFixed(String header) {
        return fixedHeaders.contains(header.toLowerCase(Locale.ROOT));
    }

    private void add(
            Section section,
            String name,
            String its,
            Place place,
            Map<String, Style> styles,
            String byDefault,
            boolean isRequired,
            List<Parameter> to) {
        Style chosen = section.choice("style", styles);
        Style style = chosen == null ? styles.getOrDefault(byDefault, Style.SIMPLE) : chosen;
        Boolean explode = section.flag("explode");
        Node schema = section.node("schema");
        if (section.has("content")) {
            Section content = section.section("content", "'content' of " + its);
            style = Style.JSON;
            schema = content.keys().stream()
                    .filter(OperationReader::isJson)
                    .findFirst()
                    .map(type ->
                            content.section(type, "'" + type + "' of " + its).node("schema"))
                    .orElse(null);
            if (content.keys().stream().noneMatch(OperationReader::isJson)) {
                mistakes.add(
                        section.at("content"),
                        its + " has content that is not understood. Understood is application/json.");
            }
        } else if (schema == null) {
            mistakes.add(section.at(), its + " needs 'schema': the model has to know what it may be.");
        }
        Map<String, Object> property = schemas.value(schema);
        if (!section.words("description").isEmpty()) {
            property.put("description", OpenApiSchemas.cut(section.words("description"), 1_000));
        }
        String argument = argument(name, place.name().toLowerCase(Locale.ROOT));
        properties.put(argument, property);
        if (isRequired) {
            required.add(argument);
        }
        to.add(new Parameter(
                argument,
                name,
                place,
                style,
                explode == null ? style == Style.FORM : explode,
                section.has("allowReserved") && Boolean.TRUE.equals(section.flag("allowReserved")),
                isRequired));
    }

    /** Return the name of an argument, which every provider of models takes, and no other argument has. */
    private String argument(String name, String place) {
        String legal = name.replaceAll("[^A-Za-z0-9_-]", "_");
        String base = legal.substring(0, Math.min(50, legal.length()));
        String argument = properties.containsKey(base) ? place + "_" + base : base;
        for (int i = 2; properties.containsKey(argument); i++) {
            argument = place + "_" + base + "_" + i;
        }
        return argument;
    }

    private void requireFilledPath(List<Parameter> parameters) {
        String path = operation.path();
        if (!PATH.matcher(path).matches()) {
            mistakes.add(
                    operation.pathItem().at(),
                    "path '" + Section.shown(path)
                            + "' must start with one '/', have neither '?' nor '#', and '%' only in front of two hex digits.");
        }
        List<String> declared = parameters.stream()
                .filter(parameter -> parameter.place() == Place.PATH)
                .map(Parameter::name)
                .toList();
        Set<String> places = new LinkedHashSet<>();
        Matcher place = PLACE.matcher(path);
        while (place.find()) {
            places.add(place.group(1));
        }
        for (String name : places) {
            if (!declared.contains(name)) {
                mistakes.add(
                        operation.section().at(),
                        "'{" + Section.shown(name) + "}' in path '" + Section.shown(path) + "' is no parameter of "
                                + what + " with 'in: path'." + NameSuggestions.allowed("There are", name, declared));
            }
        }
        for (String name : declared) {
            if (!places.contains(name)) {
                mistakes.add(
                        operation.section().at(),
                        "parameter '" + Section.shown(name) + "' of " + what + " stands nowhere in path '"
                                + Section.shown(path) + "'." + NameSuggestions.allowed("There are", name, places));
            }
        }
    }

    private @Nullable Body body() {
        Node node = operation.section().node("requestBody");
        if (node == null) {
            return null;
        }
        Section section = document.resolved(node)
                .map(found ->
                        Section.of(mistakes, "'requestBody' of " + what, found).misspelt(BODY))
                .orElse(null);
        if (section == null) {
            return null;
        }
        boolean isRequired = section.has("required") && Boolean.TRUE.equals(section.flag("required"));
        Section content = section.section("content", "'content' of 'requestBody' of " + what);
        boolean possible = !List.of("GET", "HEAD").contains(operation.method());
        String type = possible
                ? Stream.<Predicate<String>>of(
                                OperationReader::isJson, OperationReader::isForm, OperationReader::isText)
                        .flatMap(kind -> content.keys().stream()
                                .filter(HeaderNames::isValue)
                                .filter(kind))
                        .findFirst()
                        .orElse(null)
                : null;
        if (type == null) {
            if (isRequired) {
                mistakes.add(
                        section.at(),
                        "'requestBody' of " + what
                                + (possible
                                        ? " has no content that is understood. Understood are application/json,"
                                                + " application/x-www-form-urlencoded and text/plain; leave the operation out."
                                        : " cannot be sent with " + operation.method() + ". Leave the operation out."));
            }
            return null;
        }
        Section media = content.section(type, "'" + Section.shown(type) + "' of 'requestBody' of " + what);
        Map<String, Object> property = schemas.value(media.node("schema"));
        if (isText(type)) {
            property.putIfAbsent("type", "string");
        }
        if (!section.words("description").isEmpty()) {
            property.putIfAbsent("description", OpenApiSchemas.cut(section.words("description"), 1_000));
        }
        String argument = argument("body", "request");
        properties.put(argument, property);
        if (isRequired) {
            required.add(argument);
        }
        String sent = type.contains("*") ? "application/json" : type;
        return new Body(argument, sent, isJson(type) ? Form.JSON : isForm(type) ? Form.FORM_URLENCODED : Form.TEXT);
    }

    private static boolean isJson(String type) {
        String media = media(type);
        return media.matches("application/(.+\\+)?json") || media.equals("*/*") || media.equals("application/*");
    }

    private static boolean isForm(String type) {
        return media(type).equals("application/x-www-form-urlencoded");
    }

    private static boolean isText(String type) {
        return media(type).equals("text/plain");
    }

    private static String media(String type) {
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }
}
