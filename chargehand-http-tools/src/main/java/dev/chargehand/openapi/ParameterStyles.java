package dev.chargehand.openapi;

import dev.chargehand.openapi.Operation.Parameter;
import dev.chargehand.openapi.Operation.Style;
import dev.chargehand.tool.ToolFailureException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Writes values of parameters in the styles of OpenAPI, which are those of RFC 6570 and a few more. */
final class ParameterStyles {

    private ParameterStyles() {}

    /** Return the form of a value in a path. */
    static String inPath(Parameter parameter, ParameterValue value) {
        return switch (parameter.style()) {
            case LABEL ->
                switch (value) {
                    case ParameterValue.One one -> "." + PercentEncoding.strict(one.text());
                    case ParameterValue.Many many -> "." + joined(many.items(), parameter.explode() ? "." : ",");
                    case ParameterValue.Fields fields ->
                        "."
                                + (parameter.explode()
                                        ? pairs(fields.fields(), "=", ".", PercentEncoding::strict)
                                        : pairs(fields.fields(), ",", ",", PercentEncoding::strict));
                };
            case MATRIX -> matrix(parameter, value);
            default -> simple(parameter, value, PercentEncoding::strict);
        };
    }

    private static String matrix(Parameter parameter, ParameterValue value) {
        String name = ";" + PercentEncoding.strict(parameter.name());
        return switch (value) {
            case ParameterValue.One one -> name + "=" + PercentEncoding.strict(one.text());
            case ParameterValue.Many many ->
                parameter.explode()
                        ? many.items().stream()
                                .map(item -> name + "=" + PercentEncoding.strict(item))
                                .collect(Collectors.joining())
                        : name + "=" + joined(many.items(), ",");
            case ParameterValue.Fields fields ->
                parameter.explode()
                        ? ";" + pairs(fields.fields(), "=", ";", PercentEncoding::strict)
                        : name + "=" + pairs(fields.fields(), ",", ",", PercentEncoding::strict);
        };
    }

    /** Return the form of a value in a header, where nothing is encoded. */
    static String inHeader(Parameter parameter, ParameterValue value) {
        return simple(parameter, value, UnaryOperator.identity());
    }

    private static String simple(Parameter parameter, ParameterValue value, UnaryOperator<String> written) {
        return switch (value) {
            case ParameterValue.One one -> written.apply(one.text());
            case ParameterValue.Many many -> many.items().stream().map(written).collect(Collectors.joining(","));
            case ParameterValue.Fields fields -> pairs(fields.fields(), parameter.explode() ? "=" : ",", ",", written);
        };
    }

    /** Return the form of a value in a query: names with their values, none for an empty list or object. */
    static List<String> inQuery(Parameter parameter, ParameterValue value) {
        UnaryOperator<String> written = parameter.allowReserved() ? PercentEncoding::lenient : PercentEncoding::strict;
        String name = PercentEncoding.strict(parameter.name());
        if (parameter.style() == Style.DEEP_OBJECT) {
            return deep(parameter, name, value, written);
        }
        String between =
                switch (parameter.style()) {
                    case SPACE_DELIMITED -> "%20";
                    case PIPE_DELIMITED -> "%7C";
                    default -> ",";
                };
        return switch (value) {
            case ParameterValue.One one -> List.of(name + "=" + written.apply(one.text()));
            case ParameterValue.Many many ->
                many.items().isEmpty()
                        ? List.of()
                        : parameter.explode()
                                ? many.items().stream()
                                        .map(item -> name + "=" + written.apply(item))
                                        .toList()
                                : List.of(name + "="
                                        + many.items().stream().map(written).collect(Collectors.joining(between)));
            case ParameterValue.Fields fields ->
                fields.fields().isEmpty()
                        ? List.of()
                        : parameter.explode()
                                ? exploded(fields.fields(), written)
                                : List.of(name + "=" + pairs(fields.fields(), between, between, written));
        };
    }

    private static List<String> exploded(Map<String, String> fields, UnaryOperator<String> written) {
        List<String> pieces = new ArrayList<>();
        fields.forEach((field, value) -> pieces.add(PercentEncoding.strict(field) + "=" + written.apply(value)));
        return pieces;
    }

    private static List<String> deep(
            Parameter parameter, String name, ParameterValue value, UnaryOperator<String> written) {
        if (!(value instanceof ParameterValue.Fields fields)) {
            throw new ToolFailureException("'" + parameter.argument() + "' must be an object.");
        }
        List<String> pieces = new ArrayList<>();
        fields.fields()
                .forEach((field, text) ->
                        pieces.add(name + "%5B" + PercentEncoding.strict(field) + "%5D=" + written.apply(text)));
        return pieces;
    }

    private static String joined(List<String> items, String between) {
        return items.stream().map(PercentEncoding::strict).collect(Collectors.joining(between));
    }

    private static String pairs(
            Map<String, String> fields, String behindName, String between, UnaryOperator<String> written) {
        return fields.entrySet().stream()
                .map(field -> written.apply(field.getKey()) + behindName + written.apply(field.getValue()))
                .collect(Collectors.joining(between));
    }
}
