package dev.chargehand.cli.http;

import dev.chargehand.cli.config.OperationEntry.Parameter;
import dev.chargehand.cli.config.OperationEntry.Style;
import dev.chargehand.tool.ToolFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Writes values of parameters in the styles of OpenAPI, which are those of RFC 6570 and a few more. */
final class Styles {

    private Styles() {}

    /** Returns what stands in a path. */
    static String inPath(Parameter parameter, Value value) {
        return switch (parameter.style()) {
            case LABEL ->
                switch (value) {
                    case Value.One one -> "." + Percent.strict(one.text());
                    case Value.Many many -> "." + joined(many.items(), parameter.explode() ? "." : ",");
                    case Value.Fields fields ->
                        "."
                                + (parameter.explode()
                                        ? pairs(fields.fields(), "=", ".", Percent::strict)
                                        : pairs(fields.fields(), ",", ",", Percent::strict));
                };
            case MATRIX -> matrix(parameter, value);
            default -> simple(parameter, value, Percent::strict);
        };
    }

    private static String matrix(Parameter parameter, Value value) {
        String name = ";" + Percent.strict(parameter.name());
        return switch (value) {
            case Value.One one -> name + "=" + Percent.strict(one.text());
            case Value.Many many ->
                parameter.explode()
                        ? many.items().stream()
                                .map(item -> name + "=" + Percent.strict(item))
                                .collect(Collectors.joining())
                        : name + "=" + joined(many.items(), ",");
            case Value.Fields fields ->
                parameter.explode()
                        ? ";" + pairs(fields.fields(), "=", ";", Percent::strict)
                        : name + "=" + pairs(fields.fields(), ",", ",", Percent::strict);
        };
    }

    /** Returns what stands in a header, where nothing is encoded. */
    static String inHeader(Parameter parameter, Value value) {
        return simple(parameter, value, UnaryOperator.identity());
    }

    private static String simple(Parameter parameter, Value value, UnaryOperator<String> written) {
        return switch (value) {
            case Value.One one -> written.apply(one.text());
            case Value.Many many -> many.items().stream().map(written).collect(Collectors.joining(","));
            case Value.Fields fields -> pairs(fields.fields(), parameter.explode() ? "=" : ",", ",", written);
        };
    }

    /** Returns what stands in a query: names with their values, none for a list or an object without anything in it. */
    static List<String> inQuery(Parameter parameter, Value value) {
        UnaryOperator<String> written = parameter.allowReserved() ? Percent::lenient : Percent::strict;
        String name = Percent.strict(parameter.name());
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
            case Value.One one -> List.of(name + "=" + written.apply(one.text()));
            case Value.Many many ->
                many.items().isEmpty()
                        ? List.of()
                        : parameter.explode()
                                ? many.items().stream()
                                        .map(item -> name + "=" + written.apply(item))
                                        .toList()
                                : List.of(name + "="
                                        + many.items().stream().map(written).collect(Collectors.joining(between)));
            case Value.Fields fields ->
                fields.fields().isEmpty()
                        ? List.of()
                        : parameter.explode()
                                ? exploded(fields.fields(), written)
                                : List.of(name + "=" + pairs(fields.fields(), between, between, written));
        };
    }

    private static List<String> exploded(Map<String, String> fields, UnaryOperator<String> written) {
        List<String> pieces = new ArrayList<>();
        fields.forEach((field, value) -> pieces.add(Percent.strict(field) + "=" + written.apply(value)));
        return pieces;
    }

    private static List<String> deep(Parameter parameter, String name, Value value, UnaryOperator<String> written) {
        if (!(value instanceof Value.Fields fields)) {
            throw new ToolFailure("'" + parameter.argument() + "' must be an object.");
        }
        List<String> pieces = new ArrayList<>();
        fields.fields()
                .forEach((field, text) ->
                        pieces.add(name + "%5B" + Percent.strict(field) + "%5D=" + written.apply(text)));
        return pieces;
    }

    private static String joined(List<String> items, String between) {
        return items.stream().map(Percent::strict).collect(Collectors.joining(between));
    }

    private static String pairs(
            Map<String, String> fields, String behindName, String between, UnaryOperator<String> written) {
        return fields.entrySet().stream()
                .map(field -> written.apply(field.getKey()) + behindName + written.apply(field.getValue()))
                .collect(Collectors.joining(between));
    }
}
