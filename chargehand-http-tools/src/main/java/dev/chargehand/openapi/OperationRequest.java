package dev.chargehand.openapi;

import dev.chargehand.json.Json;
import dev.chargehand.openapi.Operation.Body;
import dev.chargehand.openapi.Operation.Parameter;
import dev.chargehand.openapi.Operation.Place;
import dev.chargehand.tool.ToolFailureException;
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
 * Writes the requests of one operation. A call fills in what the operation declares and nothing else: no argument
 * leaves its place in the path, starts another parameter or another header, or chooses the server.
 */
final class OperationRequest {

    private static final Pattern PLACE = Pattern.compile("\\{([^{}]*)}");
    private static final Pattern SEPARATOR = Pattern.compile("[/\\\\]");

    private final Operation operation;
    private final URI server;

    OperationRequest(Operation operation, URI server) {
        this.operation = operation;
        this.server = server;
    }

    /** Return where a call goes; {@code fixed} is in the query of every call. */
    URI uri(Json arguments, Map<String, String> fixed) {
        List<String> query = new ArrayList<>();
        fixed.forEach((name, text) -> query.add(PercentEncoding.strict(name) + "=" + PercentEncoding.strict(text)));
        for (Parameter parameter : operation.parameters()) {
            Json given = given(parameter, arguments);
            if (parameter.place() == Place.QUERY && given != null) {
                ParameterValue value = value(parameter, given);
                requireOwnNames(parameter, value, fixed.keySet());
                query.addAll(ParameterStyles.inQuery(parameter, value));
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
            path.append(PercentEncoding.path(operation.path().substring(from, place.start())));
            Parameter parameter = parameters.get(place.group(1));
            if (parameter != null) {
                path.append(segment(parameter, given(parameter, arguments)));
            }
            from = place.end();
        }
        path.append(PercentEncoding.path(operation.path().substring(from)));
        for (String segment : path.toString().split("/", -1)) {
            if (segment.equals(".") || segment.equals("..")) {
                throw new ToolFailureException(
                        "The arguments make '" + segment + "' a part of the path, which would lead" + " elsewhere.");
            }
        }
        return path.toString();
    }

    private static String segment(Parameter parameter, @Nullable Json given) {
        if (given == null) {
            throw new ToolFailureException("'" + parameter.argument() + "' is part of the path and must be given.");
        }
        ParameterValue value = value(parameter, given);
        if (value.isEmpty()) {
            throw new ToolFailureException("'" + parameter.argument() + "' is part of the path and must not be empty.");
        }
        // Servers and what stands before them may decode a slash, and then follow the dots.
        if (value.texts().flatMap(SEPARATOR::splitAsStream).anyMatch(part -> part.equals(".") || part.equals(".."))) {
            throw new ToolFailureException(
                    "'" + parameter.argument() + "' must not have '.' or '..' as a part of a path.");
        }
        return ParameterStyles.inPath(parameter, value);
    }

    /** An object that is written field by field must not write the value of another parameter. */
    private void requireOwnNames(Parameter parameter, ParameterValue value, Set<String> fixed) {
        if (value instanceof ParameterValue.Fields fields
                && parameter.explode()
                && parameter.style() != Operation.Style.DEEP_OBJECT) {
            Set<String> others = operation.parameters().stream()
                    .filter(other -> other.place() == Place.QUERY && !other.equals(parameter))
                    .map(Parameter::name)
                    .collect(Collectors.toSet());
            fields.fields().keySet().stream()
                    .filter(name -> others.contains(name) || fixed.contains(name))
                    .findFirst()
                    .ifPresent(name -> {
                        throw new ToolFailureException("'" + parameter.argument() + "' must not have a field '" + name
                                + "', which is a parameter of its own.");
                    });
        }
    }

    /** Return the headers that a call fills in. */
    Map<String, String> headers(Json arguments) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (Parameter parameter : operation.parameters()) {
            Json given = given(parameter, arguments);
            if (parameter.place() == Place.HEADER && given != null) {
                String text = ParameterStyles.inHeader(parameter, value(parameter, given));
                if (!HeaderNames.isValue(text)) {
                    throw new ToolFailureException("'" + parameter.argument()
                            + "' is sent as a header and must be printable ASCII on one line.");
                }
                headers.put(parameter.name(), text);
            }
        }
        return headers;
    }

    /** Return the body of a call, or null if it has none. */
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
            if (ParameterValue.isNull(field)) {
                return;
            }
            switch (ParameterValue.of(body.argument(), field)) {
                case ParameterValue.One one ->
                    pieces.add(PercentEncoding.strict(name) + "=" + PercentEncoding.strict(one.text()));
                case ParameterValue.Many many ->
                    many.items()
                            .forEach(item ->
                                    pieces.add(PercentEncoding.strict(name) + "=" + PercentEncoding.strict(item)));
                case ParameterValue.Fields fields ->
                    throw new ToolFailureException(
                            "'" + name + "' of '" + body.argument() + "' must not be an object.");
            }
        });
        return String.join("&", pieces);
    }

    private static @Nullable Json given(Parameter parameter, Json arguments) {
        Json given = arguments.fields().get(parameter.argument());
        return ParameterValue.isNull(given) ? null : given;
    }

    private static ParameterValue value(Parameter parameter, Json given) {
        return parameter.style() == Operation.Style.JSON
                ? new ParameterValue.One(given.text())
                : ParameterValue.of(parameter.argument(), given);
    }
}
