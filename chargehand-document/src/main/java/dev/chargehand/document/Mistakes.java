package dev.chargehand.document;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/** Collects what is wrong with a file and those it names, so that all of it is said at once. Used by one thread. */
public final class Mistakes {

    private final String first;
    private final String file;
    private final Map<Position, Mistake> found;

    public Mistakes(String file) {
        this(file, file, new LinkedHashMap<>());
    }

    private Mistakes(String first, String file, Map<Position, Mistake> found) {
        this.first = first;
        this.file = file;
        this.found = found;
    }

    /** Collect the mistakes of another file too; they are reported after those of this file. */
    public Mistakes of(String other) {
        return new Mistakes(first, other, found);
    }

    /** Add a mistake, unless one is known at the same place, which is probably its cause. */
    public void add(Position at, String message) {
        found.putIfAbsent(at, new Mistake(at, message));
    }

    /** Return how many there are so far; if there are more after reading something, that was not right. */
    public int count() {
        return found.size();
    }

    /** Add a mistake and end the reading, because the rest cannot be understood. */
    public DocumentException fatal(Position at, String message) {
        add(at, message);
        return all();
    }

    /**
     * End the reading if there was a mistake.
     *
     * @throws DocumentException with all of them
     */
    public void throwAny() {
        if (!found.isEmpty()) {
            throw all();
        }
    }

    /** Return the mistakes so far, those of the first file first, in the order of the files. */
    public List<Mistake> found() {
        return found.values().stream().sorted(order()).toList();
    }

    private DocumentException all() {
        return new DocumentException(found());
    }

    private Comparator<Mistake> order() {
        return Comparator.comparing((Mistake mistake) -> !mistake.at().source().equals(first))
                .thenComparing(mistake -> mistake.at().source())
                .thenComparingInt(mistake -> mistake.at().line())
                .thenComparingInt(mistake -> mistake.at().column());
    }

    public Position whole() {
        return new Position(file);
    }

    public Position at(int line, int column) {
        return new Position(file, line, column);
    }

    public Position at(Mark mark) {
        return at(mark.getLine() + 1, mark.getColumn() + 1);
    }

    public Position at(Node node) {
        return node.getStartMark().map(this::at).orElseGet(() -> at(1, 1));
    }
}
