package dev.chargehand.cli.output;

import dev.chargehand.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes JSON for readers who decide by it: one value or key to a line, keys in order, texts
 * {@link Revealed}, numbers exactly as they were written.
 *
 * <p>The lines together are JSON again and mean the same, so that no two values look alike.
 */
public final class PrettyJson {

    private final String json;
    private final List<String> lines = new ArrayList<>();
    private final StringBuilder line = new StringBuilder();
    private int at;

    private PrettyJson(String json) {
        this.json = json;
    }

    /** Return the lines of a value. */
    public static List<String> lines(Json json) {
        PrettyJson pretty = new PrettyJson(json.text());
        pretty.write(pretty.value(), 0);
        pretty.endLine();
        return List.copyOf(pretty.lines);
    }

    /** What is read. It is JSON already, so that nothing in it can be wrong. */
    private sealed interface Value {}

    private record Obj(Map<String, Value> fields) implements Value {}

    private record Arr(List<Value> items) implements Value {}

    private record Text(String text) implements Value {}

    /** A number, true, false or null. */
    private record Word(String word) implements Value {}

    private Value value() {
        skipSpace();
        return switch (json.charAt(at)) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> new Text(text());
            default -> word();
        };
    }

    private Value object() {
        Map<String, Value> fields = new TreeMap<>();
        at++;
        while (next() != '}') {
            if (json.charAt(at) == ',') {
                at++;
                next();
            }
            String key = text();
            next(); // the colon
            at++;
            fields.put(key, value());
        }
        at++;
        return new Obj(fields);
    }

    private Value array() {
        List<Value> items = new ArrayList<>();
        at++;
        while (next() != ']') {
            if (json.charAt(at) == ',') {
                at++;
            }
            items.add(value());
        }
        at++;
        return new Arr(items);
    }

    private Value word() {
        int from = at;
        while (at < json.length() && ",]} \t\r\n".indexOf(json.charAt(at)) < 0) {
            at++;
        }
        return new Word(json.substring(from, at));
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        at++;
        for (char c = json.charAt(at++); c != '"'; c = json.charAt(at++)) {
            text.append(c == '\\' ? unescaped() : c);
        }
        return text.toString();
    }

    private char unescaped() {
        char c = json.charAt(at++);
        return switch (c) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                at += 4;
                yield (char) Integer.parseInt(json.substring(at - 4, at), 16);
            }
            default -> c;
        };
    }

    private char next() {
        skipSpace();
        return json.charAt(at);
    }

    private void skipSpace() {
        while (" \t\r\n".indexOf(json.charAt(at)) >= 0) {
            at++;
        }
    }

    private void write(Value value, int depth) {
        switch (value) {
            case Text text -> quoted(text.text());
            case Word word -> line.append(word.word());
            case Arr array -> {
                line.append('[');
                boolean first = true;
                for (Value item : array.items()) {
                    begin(first, depth + 1);
                    write(item, depth + 1);
                    first = false;
                }
                end(first, depth, ']');
            }
            case Obj object -> {
                line.append('{');
                boolean first = true;
                for (Map.Entry<String, Value> field : object.fields().entrySet()) {
                    begin(first, depth + 1);
                    quoted(field.getKey());
                    line.append(": ");
                    write(field.getValue(), depth + 1);
                    first = false;
                }
                end(first, depth, '}');
            }
        }
    }

    private void quoted(String text) {
        line.append('"').append(Revealed.text(text)).append('"');
    }

    private void begin(boolean first, int depth) {
        if (!first) {
            line.append(',');
        }
        endLine();
        line.append("  ".repeat(depth));
    }

    private void end(boolean empty, int depth, char bracket) {
        if (!empty) {
            endLine();
            line.append("  ".repeat(depth));
        }
        line.append(bracket);
    }

    private void endLine() {
        lines.add(line.toString());
        line.setLength(0);
    }
}
