package dev.chargehand.cli.setup;

import dev.chargehand.cli.output.Visible;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds the run that a user names: by its id, by the start of its id, or as the last one. */
final class NamedRun {

    /** The name of the root run that started last. */
    static final String LAST = "last";

    /** How many runs, those that started last, a start of an id is compared with. */
    private static final int RECENT = 1_000;

    /** How many characters behind the prefix a start of an id has at least. */
    private static final int SHORTEST = 4;

    private static final int SHOWN = 5;
    private static final String PREFIX = "run_";

    private final Store store;

    NamedRun(Store store) {
        this.store = store;
    }

    /**
     * Return the run; empty if none has the name.
     *
     * @throws ConfigurationException if several ids start so
     */
    Optional<RunRecord> find(String name) {
        if (name.isBlank()) {
            return Optional.empty();
        }
        Optional<RunRecord> exact = store.find(new RunId(name));
        if (exact.isPresent()) {
            return exact;
        }
        return name.equals(LAST) ? store.list(RunFilter.ROOTS.limit(1)).stream().findFirst() : startingWith(name);
    }

    private Optional<RunRecord> startingWith(String start) {
        String whole = start.startsWith(PREFIX) ? start : PREFIX + start;
        if (whole.length() < PREFIX.length() + SHORTEST) {
            return Optional.empty();
        }
        List<String> found = store.list(RunFilter.ROOTS.limit(RECENT)).stream()
                .map(run -> run.runId().value())
                .filter(id -> id.startsWith(whole))
                .toList();
        if (found.size() > 1) {
            throw new ConfigurationException(
                    "The ids of " + found.size() + " runs start with '" + Visible.line(start, 100) + "': "
                            + found.stream().limit(SHOWN).collect(Collectors.joining(", "))
                            + (found.size() > SHOWN ? ", …" : "") + ". Write more of the id.");
        }
        return found.stream().findFirst().flatMap(id -> store.find(new RunId(id)));
    }
}
