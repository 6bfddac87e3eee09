package dev.chargehand.cli.http;

import dev.chargehand.cli.config.Headers;
import dev.chargehand.cli.config.OperationEntry;
import dev.chargehand.cli.config.OperationEntry.Body;
import dev.chargehand.cli.config.OperationEntry.Parameter;
import dev.chargehand.cli.config.OperationEntry.Place;
import dev.chargehand.json.Json;
import dev.chargehand.tool.ToolFailure;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes the requests of one operation. A call fills in what the operation declares and nothing else: no argument leaves its
 * place in the path, begins another parameter or another header, or chooses the server.
 */
final class RequestWriter {

    private static final Pattern PLACE = Pattern.compile("\\{([^{}]*)}");
    private static final Pattern SEPARATOR = Pattern.compile("[/\\\\]");

    private final OperationEntry operation;
    private final URI server;

    RequestWriter(OperationEntry operation, URI server) {
        this.operation = operation;
        this.server = server;
    }

    /** Returns where a call goes. */
    URI uri(Json arguments) {
        List<String> query = new ArrayList<>();
        for (Parameter parameter : operation.parameters()) {
            Json given = given(parameter, arguments);
            if (parameter.place() == Place.QUERY && given != null) {
                Value value = value(parameter, given);
                requireOwnNames(parameter, value);
                query.addAll(Styles.inQuery(parameter, value));
            }
        }
        return URI.create(server + path(arguments) + (query.isEmpty() ? "" : "?" + String.join("&", query)));
    }

    private String path(Json arguments) {
        Map<String, Parameter> parameters = operation.parameters().stream()
                .filter(parameter -> parameter.place() == Place.PATH)
                .collect(Collectors.toMap(Parameter::name, parameter -> parameter));
        StringBuilder path = new StringBuilder();
        int from = 0;
        Matcher place = PLACE.matcher(operation.path());
        while (place.find()) {
            path.append(Percent.path(operation.path().substring(from, place.start())));
            Parameter parameter = parameters.get(place.group(1));
            if (parameter != null) {
                path.append(segment(parameter, given(parameter, arguments)));
            }
            from = place.end();
        }
        path.append(Percent.path(operation.path().substring(from)));
        for (String segment : path.toString().split("/", -1)) {
            if (segment.equals(".") || segment.equals("..")) {
                throw new ToolFailure(
                        "The arguments make '" + segment + "' a part of the path, which would lead" + " elsewhere.");
            }
        }
        return path.toString();
    }

    private static String segment(Parameter parameter, @Nullable Json given) {
        if (given == null) {
            throw new ToolFailure("'" + parameter.argument() + "' is part of the path and must be given.");
        }
        Value value = value(parameter, given);
        if (value.isEmpty()) {
            throw new ToolFailure("'" + parameter.argument() + "' is part of the path and must not be empty.");
        }
        // Servers and what stands before them may decode a slash, and then follow the dots.
        if (value.texts().flatMap(SEPARATOR::splitAsStream).anyMatch(part -> part.equals(".") || part.equals(".."))) {
            throw new ToolFailure("'" + parameter.argument() + "' must not have '.' or '..' as a part of a path.");
        }
        return Styles.inPath(parameter, value);
    }

    /** An object that is written field by field must not write what another parameter is there for. */
    private void requireOwnNames(Parameter parameter, Value value) {
        if (value instanceof Value.Fields fields
                && parameter.explode()
                && parameter.style() != OperationEntry.Style.DEEP_OBJECT) {
            Set<String> others = operation.parameters().stream()
                    .filter(other -> other.place() == Place.QUERY && !other.equals(parameter))
                    .map(Parameter::name)
                    .collect(Collectors.toSet());
            fields.fields().keySet().stream()
                    .filter(others::contains)
                    .findFirst()
                    .ifPresent(name -> {
                        throw new ToolFailure("'" + parameter.argument() + "' must not have a field '" + name
                                + "', which is a parameter of its own.");
                    });
        }
    }

    /** Returns the headers that a call fills in. */
    Map<String, String> headers(Json arguments) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (Parameter parameter : operation.parameters()) {
            Json given = given(parameter, arguments);
            if (parameter.place() == Place.HEADER && given != null) {
                String text = Styles.inHeader(parameter, value(parameter, given));
                if (!Headers.isValue(text)) {
                    throw new ToolFailure("'" + parameter.argument()
                            + "' is sent as a header and must be printable ASCII on one line.");
                }
                headers.put(parameter.name(), text);
            }
        }
        return headers;
    }

    /** Returns the body of a call, or null if it has none. */
    @Nullable
    String body(Json arguments) {
        Body body = operation.body();
        Json given = body == null ? null : arguments.fields().get(body.argument());
        if (body == null || given == null) {
            return null;
        }
        return switch (body.form()) {
            case JSON -> given.text();
            case TEXT -> given.string().orElseGet(given::text);
            case FORM_URLENCODED -> form(body, given);
        };
    }

    private static String form(Body body, Json given) {
        List<String> pieces = new ArrayList<>();
        given.fields().forEach((name, field) -> {
            if (Value.isNull(field)) {
                return;
            }
            switch (Value.of(body.argument(), field)) {
                case Value.One one -> pieces.add(Percent.strict(name) + "=" + Percent.strict(one.text()));
                case Value.Many many ->
                    many.items().forEach(item -> pieces.add(Percent.strict(name) + "=" + Percent.strict(item)));
                case Value.Fields fields ->
                    throw new ToolFailure("'" + name + "' of '" + body.argument() + "' must not be an object.");
            }
        });
        return String.join("&", pieces);
    }

    private static @Nullable Json given(Parameter parameter, Json arguments) {
        Json given = arguments.fields().get(parameter.argument());
        return Value.isNull(given) ? null : given;
    }

    private static Value value(Parameter parameter, Json given) {
        return parameter.style() == OperationEntry.Style.JSON
                ? new Value.One(given.text())
                : Value.of(parameter.argument(), given);
    }
}
