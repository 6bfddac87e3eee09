package dev.chargehand.cli.config;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Says in errors what stands in a file. */
final class NodeWords {

    private static final Pattern GLUED = Pattern.compile("\\w+:\\S.*", Pattern.DOTALL);
    private static final Pattern PLAIN_WORDS = Pattern.compile("[\\w./-][\\w./, -]{0,79}");

    private NodeWords() {}

    /** Says what a node is. */
    static String kind(Node node) {
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

    /** Says how keys and values would be written in place of a node. */
    static String mend(Node instead) {
        return instead instanceof ScalarNode scalar
                        && GLUED.matcher(scalar.getValue()).matches()
                ? " Is a space missing behind the ':'?"
                : " Write each as 'key: value' on a line of its own, indented; {} stands for none.";
    }

    /** Says what a list of names looks like: as what stands there would, if it were one. */
    static String names(@Nullable Node instead) {
        String there = instead instanceof ScalarNode scalar ? scalar.getValue().strip() : "";
        String words = PLAIN_WORDS.matcher(there).matches() ? there : "one two";
        return "a list such as [" + words.replaceAll("[\\s,]+", ", ") + "]";
    }
}
