package dev.chargehand.document;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Describes the content of a file in errors. */
final class NodeWords {

    private static final Pattern GLUED = Pattern.compile("\\w+:\\S.*", Pattern.DOTALL);
    private static final Pattern PLAIN_WORDS = Pattern.compile("[\\w./-][\\w./, -]{0,79}");

    private NodeWords() {}

    /** Describe an unknown key; a blank that YAML does not know looks like indentation, and becomes a part of the key. */
    static String unknownKey(String key, String section, String advice) {
        if (!key.isEmpty() && key.charAt(0) > ' ' && Character.isSpaceChar(key.charAt(0))) {
            return "'" + Section.shown(key.replaceFirst("^[\\p{Z}]+", "")) + "' is indented with the character U+"
                    + String.format("%04X", (int) key.charAt(0))
                    + ", which only looks like a space. Indent with spaces.";
        }
        return "unknown key '" + Section.shown(key) + "' in " + section + "." + advice;
    }

    /** Describe a node that is not what was wanted, as the end of a sentence. */
    static String instead(Node node) {
        boolean isEmpty = node instanceof ScalarNode scalar && scalar.getValue().isBlank();
        return ", but is " + kind(node) + "." + (isEmpty ? " Write it behind the ':', or leave the key out." : "");
    }

    /** Describe a node. */
    public static String kind(Node node) {
        return switch (node) {
            case MappingNode ignored -> "keys and values";
            case SequenceNode ignored -> "a list";
            case ScalarNode scalar ->
                scalar.getValue().isBlank() || scalar.getTag().equals(Tag.NULL)
                        ? "empty"
                        : "'" + Section.shown(scalar.getValue()) + "'";
            default -> "something else";
        };
    }

    /** Describe the keys and values to write instead of a node. */
    public static String advice(Node instead) {
        return instead instanceof ScalarNode scalar
                        && GLUED.matcher(scalar.getValue()).matches()
                ? " Is a space missing behind the ':'?"
                : " Write each as 'key: value' on a line of its own, indented; {} stands for none.";
    }

    /** Describe the form of a list of names, with the current value as an example. */
    public static String names(@Nullable Node instead) {
        String there = instead instanceof ScalarNode scalar ? scalar.getValue().strip() : "";
        String words = PLAIN_WORDS.matcher(there).matches() ? there : "one two";
        return "a list such as [" + words.replaceAll("[\\s,]+", ", ") + "]";
    }
}
