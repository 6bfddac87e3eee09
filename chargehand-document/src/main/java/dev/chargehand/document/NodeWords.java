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
