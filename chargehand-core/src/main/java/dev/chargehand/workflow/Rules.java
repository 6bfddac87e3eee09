package dev.chargehand.workflow;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.text.ReadableTime;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules that several parts of a definition have in common. */
final class Rules {

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private Rules() {}

    /**
     * Return an id that is valid.
     *
     * @param what names what has it, as a sentence starts: {@code Step}
     */
    static String id(String what, @Nullable String id) {
        if (id == null || !ID.matcher(id).matches()) {
            throw new ConfigurationException(
                    what + " '" + id + "': an id has 1 to 64 letters, digits, '_' or '-'; choose another id.");
        }
        return id;
    }

    /** Return a value that must not be null. */
    static <T> T given(String where, String what, @Nullable T value) {
        if (value == null) {
            throw new ConfigurationException(where + ": " + what + " must not be null.");
        }
        return value;
    }

    /** Require a number within bounds, both included. */
    static void between(String what, int least, int most, int value) {
        if (value < least || value > most) {
            String bounds = most == Integer.MAX_VALUE ? "at least " + least : "from " + least + " to " + most;
            throw new ConfigurationException(what + " must be " + bounds + ", but is " + value + ".");
        }
    }

    /** Require a time to wait that is not too long. */
    static void requireSleep(String what, Duration duration) {
        if (!duration.isPositive() || duration.compareTo(Entry.LONGEST_SLEEP) > 0) {
            throw new ConfigurationException(what + " must be above zero and at most " + Entry.LONGEST_SLEEP.toDays()
                    + " days, but is " + ReadableTime.of(duration) + ".");
        }
    }

    /** Require that the last entry has a valid id, and that no other entry or step has its id or that of its steps. */
    static void requireUniqueIds(String where, List<Entry> entries) {
        id(where + ": entry", entries.getLast().id());
        Set<String> taken = new HashSet<>();
        for (Entry entry : entries) {
            for (String each : ids(entry)) {
                if (!taken.add(each)) {
                    throw new ConfigurationException(where + ": id '" + each + "' is used twice; the ids of entries"
                            + " and steps must be unique. Give one of them another id; a step has withId.");
                }
            }
        }
    }

    /** Return the ids that an entry uses: its own, which may be that of its only step, and those of its steps. */
    private static List<String> ids(Entry entry) {
        List<String> ids = new ArrayList<>(entry.steps().stream().map(Step::id).toList());
        if (!ids.equals(List.of(entry.id()))) {
            ids.add(entry.id());
        }
        return ids;
    }

    /** Return the last entry with what a failure means. */
    static Entry withFailure(String where, List<Entry> entries, Entry.Failure failure) {
        Entry last = entries.isEmpty() ? null : entries.getLast();
        if (last instanceof Entry.Parallel entry) {
            return new Entry.Parallel(entry.id(), entry.steps(), failure);
        }
        if (last instanceof Entry.BranchAll entry) {
            return new Entry.BranchAll(entry.id(), entry.cases(), failure);
        }
        if (last instanceof Entry.Foreach entry && !entry.collect()) {
            return new Entry.Foreach(entry.id(), entry.function(), entry.step(), entry.concurrency(), false, failure);
        }
        String found = last == null ? "there is no entry yet" : "'" + last.id() + "' is another entry";
        throw new ConfigurationException(
                where + ": onFailure follows a parallel, a branchAll, or a foreach that does not"
                        + " collect outcomes; " + found + ".");
    }

    /** Require that the names of the cases of a branch are unique. */
    static void requireUniqueNames(String where, List<Entry.Case> cases) {
        Set<String> taken = new HashSet<>();
        for (Entry.Case each : cases) {
            if (!taken.add(each.name())) {
                throw new ConfigurationException(where + ": case '" + each.name()
                        + "' exists twice in one branch; the names of its cases must be unique. Rename one of them.");
            }
        }
    }

    /** Require that a run can start with a state. */
    static void requireState(String where, JsonSchema schema, Json initial) {
        if (!initial.isObject()) {
            throw new ConfigurationException(
                    where + ": its initial state must be a JSON object, but is " + initial.text() + ".");
        }
        List<String> violations = schema.violations(initial);
        if (!violations.isEmpty()) {
            throw new ConfigurationException(where + ": the initial state breaks the schema of the state: "
                    + String.join("; ", violations) + ". Set one that fits with state(type, initial).");
        }
    }

    /** Require that a value can be the input of a step. */
    static void requireFit(String where, String from, JsonSchema given, Step<?, ?> step) {
        String mismatch = Form.mismatch(given, step.input());
        if (mismatch != null) {
            throw new ConfigurationException(where + ": " + from + " cannot be the input of step '" + step.id()
                    + "', because it " + mismatch + ". Change one of the types, or add a map between them.");
        }
    }
}
