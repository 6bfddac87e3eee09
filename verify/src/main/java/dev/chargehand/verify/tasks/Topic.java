package dev.chargehand.verify.tasks;

import java.util.List;
import java.util.stream.IntStream;

/**
 * What one task is about. Its kind says which way the task goes.
 *
 * @param kind the way
 * @param number unique in a conversation
 */
record Topic(Kind kind, int number) {

    /** The way of a task. */
    enum Kind {
        /** Its agent writes an entry with a tool that may be repeated. */
        PLAIN,
        /** Its agent signs with a tool that needs an approval and may not be repeated. */
        SIGNED,
        /** The first attempt fails, as its model is not available; the next one writes an entry. */
        UNSTEADY,
        /** Its agent has an agent of its own write an entry. */
        NESTED,
        /** Its agent has an agent of its own sign. */
        NESTED_SIGNED;

        private static final List<Kind> ALL = List.of(values());
    }

    /** Return so many topics, of all kinds in turn. */
    static List<Topic> first(int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> new Topic(Kind.ALL.get(number % Kind.ALL.size()), number))
                .toList();
    }

    /** Read what {@link #toString} returns. */
    static Topic of(String text) {
        int dash = text.lastIndexOf('-');
        return new Topic(Kind.valueOf(text.substring(0, dash)), Integer.parseInt(text.substring(dash + 1)));
    }

    /** Return whether its agent gives it to an agent of its own. */
    boolean isNested() {
        return kind == Kind.NESTED || kind == Kind.NESTED_SIGNED;
    }

    /** Return whether it needs an approval. */
    boolean isSigned() {
        return kind == Kind.SIGNED || kind == Kind.NESTED_SIGNED;
    }

    @Override
    public String toString() {
        return kind + "-" + number;
    }
}
