package dev.chargehand.workflow.view;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes a flowchart. Ids of nodes are its own, so that no name can be a keyword. Not thread-safe. */
final class MermaidText {

    /** Longer labels are cut: they name something, and are not read as a text. */
    private static final int LONGEST = 200;

    private static final Map<StepState, String> STYLES = new EnumMap<>(Map.of(
            StepState.DONE, "fill:#d7f0dc,stroke:#2e7d32,color:#12331a",
            StepState.RUNNING, "fill:#d6e6fb,stroke:#1c5fb0,color:#0d2c52",
            StepState.WAITING, "fill:#fdf0cc,stroke:#a87400,color:#4a3500",
            StepState.FAILED, "fill:#fbdad7,stroke:#b3261e,color:#5c120d",
            StepState.STOPPED, "fill:#e9e2ec,stroke:#6b5875,color:#33263a",
            StepState.SKIPPED, "fill:#f2f2f2,stroke:#9a9a9a,color:#5f5f5f,stroke-dasharray:4 3",
            StepState.NOT_REACHED, "fill:#ffffff,stroke:#9a9a9a,color:#5f5f5f"));

    private final StringBuilder lines = new StringBuilder("flowchart TD\n");
    private final StringBuilder edges = new StringBuilder();
    private final Map<StepState, List<String>> classes = new EnumMap<>(StepState.class);
    private String indent = "    ";
    private int count;

    /** The form of a node. */
    enum Shape {
        BOX("[", "]"),
        ROUND("(", ")"),
        STADIUM("([", "])"),
        SUBROUTINE("[[", "]]"),
        DIAMOND("{", "}"),
        HEXAGON("{{", "}}"),
        CIRCLE("((", "))");

        private final String open;
        private final String close;

        Shape(String open, String close) {
            this.open = open;
            this.close = close;
        }
    }

    /** Add a node and return its id; each part of the label is a line. */
    String node(Shape shape, String... label) {
        String id = "n" + ++count;
        lines.append(indent)
                .append(id)
                .append(shape.open)
                .append(label(label))
                .append(shape.close)
                .append('\n');
        return id;
    }

    /** Open a box around the nodes that follow, and return its id. */
    String open(String... label) {
        String id = "b" + ++count;
        lines.append(indent)
                .append("subgraph ")
                .append(id)
                .append('[')
                .append(label(label))
                .append("]\n");
        indent += "    ";
        return id;
    }

    /** Close the box that was opened last. */
    void close() {
        indent = indent.substring(4);
        lines.append(indent).append("end\n");
    }

    /** Add an arrow; an empty label is none. */
    void edge(String from, String to, String label) {
        edges.append("    ").append(from).append(" -->");
        if (!label.isEmpty()) {
            edges.append('|').append(label(label)).append('|');
        }
        edges.append(' ').append(to).append('\n');
    }

    /** Give a node or a box the class of a state. */
    void state(String id, StepState state) {
        classes.computeIfAbsent(state, unused -> new ArrayList<>()).add(id);
    }

    private static String label(String... parts) {
        StringBuilder label = new StringBuilder("\"");
        for (int i = 0; i < parts.length; i++) {
            label.append(i == 0 ? "" : "<br/>").append(escaped(parts[i]));
        }
        return label.append('"').toString();
    }

    /**
     * Write all but letters, digits and harmless signs as codes of characters: quotes, tags, and what Mermaid or Markdown read
     * as markup.
     */
    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().limit(LONGEST).forEach(c -> {
            if (Character.isLetterOrDigit(c) || " _-,.:/()+".indexOf(c) >= 0) {
                escaped.appendCodePoint(c);
            } else if (Character.isISOControl(c)
                    || Character.isWhitespace(c)
                    || Character.getType(c) == Character.FORMAT) {
                escaped.append(' ');
            } else {
                escaped.append('#').append(c).append(';');
            }
        });
        return text.codePointCount(0, text.length()) > LONGEST ? escaped + "…" : escaped.toString();
    }

    private static String name(StepState state) {
        return state == StepState.NOT_REACHED ? "notReached" : state.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        StringBuilder styles = new StringBuilder();
        classes.forEach((state, ids) -> {
            styles.append("    classDef ")
                    .append(name(state))
                    .append(' ')
                    .append(STYLES.get(state))
                    .append('\n');
            styles.append("    class ")
                    .append(String.join(",", ids))
                    .append(' ')
                    .append(name(state))
                    .append('\n');
        });
        return lines + edges.toString() + styles;
    }
}
