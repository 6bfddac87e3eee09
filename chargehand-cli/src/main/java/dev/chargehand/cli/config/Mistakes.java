package dev.chargehand.cli.config;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/** Collects what is wrong with a file and those it names, so that all of it is said at once. Used by one thread. */
final class Mistakes {

    private final String first;
    private final String file;
    private final Map<Position, Mistake> found;

    Mistakes(String file) {
        this(file, file, new LinkedHashMap<>());
    }

    private Mistakes(String first, String file, Map<Position, Mistake> found) {
        this.first = first;
        this.file = file;
        this.found = found;
    }

    /** Collects what is wrong with another file too; what is added there is said behind what is wrong with this one. */
    Mistakes of(String other) {
        return new Mistakes(first, other, found);
    }

    /** Adds a mistake, unless one is known at the same place: what follows from that one is no news. */
    void add(Position at, String message) {
        found.putIfAbsent(at, new Mistake(at, message));
    }

    /** Returns how many there are so far; if there are more after reading something, that was not right. */
    int count() {
        return found.size();
    }

    /** Adds a mistake and ends the reading, because nothing behind it can be understood. */
    AgentsFileException fatal(Position at, String message) {
        add(at, message);
        return all();
    }

    /**
     * Ends the reading if there was a mistake.
     *
     * @throws AgentsFileException with all of them
     */
    void throwAny() {
        if (!found.isEmpty()) {
            throw all();
        }
    }

    private AgentsFileException all() {
        return new AgentsFileException(found.values().stream().sorted(order()).toList());
    }

    private Comparator<Mistake> order() {
        return Comparator.comparing((Mistake mistake) -> !mistake.at().source().equals(first))
                .thenComparing(mistake -> mistake.at().source())
                .thenComparingInt(mistake -> mistake.at().line())
                .thenComparingInt(mistake -> mistake.at().column());
    }

    Position whole() {
        return new Position(file);
    }

    Position at(int line, int column) {
        return new Position(file, line, column);
    }

    Position at(Mark mark) {
        return at(mark.getLine() + 1, mark.getColumn() + 1);
    }

    Position at(Node node) {
        return node.getStartMark().map(this::at).orElseGet(() -> at(1, 1));
    }
}
