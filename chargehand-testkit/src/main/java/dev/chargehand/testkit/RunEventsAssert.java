package dev.chargehand.testkit;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.EventId;
import dev.chargehand.event.EventTypes;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/** Assertions about what a run emitted. */
public final class RunEventsAssert extends AbstractAssert<RunEventsAssert, List<RunEvent>> {

    RunEventsAssert(@Nullable List<RunEvent> actual) {
        super(actual, RunEventsAssert.class);
    }

    /**
     * Verify that every start has an end, once and after its start: runs, steps, iterations, texts, reasoning,
     * arguments of calls, calls, delegations; and that no run reports anything before its start or after its end.
     */
    public RunEventsAssert arePaired() {
        List<String> faults = Pairs.faultsOf(events());
        if (!faults.isEmpty()) {
            failWithMessage("Expected events in pairs, but %s; the events were %s", faults, described());
        }
        return this;
    }

    /** Verify that the last event is the end of the run that started first. */
    public RunEventsAssert endWithRunFinish() {
        return endWith(RunEvent.RunFinish.class, "run-finish");
    }

    /** Verify that the last event says that the run that started first waits for answers. */
    public RunEventsAssert endWithRunSuspend() {
        return endWith(RunEvent.RunSuspend.class, "run-suspend");
    }

    private RunEventsAssert endWith(Class<? extends RunEvent> type, String name) {
        List<RunEvent> events = events();
        if (events.isEmpty()
                || !type.isInstance(events.getLast())
                || !events.getLast().runId().equals(events.getFirst().runId())) {
            failWithMessage(
                    "Expected the last event to be the %s of the root run, but they were %s", name, described());
        }
        return this;
    }

    /** Verify that the ids only grow; provisional events have none. */
    public RunEventsAssert haveGrowingIds() {
        EventId last = null;
        for (RunEvent event : events()) {
            EventId id = event.origin().id().orElse(last);
            if (id != null && last != null && event.origin().id().isPresent() && id.compareTo(last) <= 0) {
                failWithMessage("Expected ids that grow, but after <%s> there is %s", last, event.origin());
            }
            last = id;
        }
        return this;
    }

    /**
     * Verify that events of these types appear in this order; others may stand between them.
     *
     * @throws ConfigurationException if no event has one of the types
     */
    public RunEventsAssert areInOrder(String... types) {
        requireKnown(types);
        int found = 0;
        for (RunEvent event : events()) {
            if (found < types.length && event.type().equals(types[found])) {
                found++;
            }
        }
        if (found < types.length) {
            failWithMessage(
                    "Expected <%s> after %s, but the events were %s",
                    types[found], List.of(types).subList(0, found), described());
        }
        return this;
    }

    /**
     * Verify the types of all events.
     *
     * @throws ConfigurationException if no event has one of the types
     */
    public RunEventsAssert haveTypes(String... types) {
        requireKnown(types);
        List<String> found = events().stream().map(RunEvent::type).toList();
        if (!found.equals(List.of(types))) {
            failWithActualExpectedAndMessage(
                    found, List.of(types), "Expected events %s, but they were %s", List.of(types), found);
        }
        return this;
    }

    /**
     * Verify that there is an event of a type.
     *
     * @throws ConfigurationException if no event has the type
     */
    public RunEventsAssert contain(String type) {
        return areInOrder(type);
    }

    /**
     * Verify that there is no event of a type.
     *
     * @throws ConfigurationException if no event has the type, so that a wrong letter does not make the test pass
     */
    public RunEventsAssert doNotContain(String type) {
        requireKnown(type);
        if (events().stream().anyMatch(event -> event.type().equals(type))) {
            failWithMessage("Expected no event <%s>, but the events were %s", type, described());
        }
        return this;
    }

    /** Continue the events of one run, without those of its nested runs. */
    public RunEventsAssert ofRun(RunId runId) {
        return new RunEventsAssert(
                events().stream().filter(event -> event.runId().equals(runId)).toList());
    }

    /** Continue the events of one agent path, such as {@code supervisor/researcher}. */
    public RunEventsAssert ofPath(String path) {
        return new RunEventsAssert(events().stream()
                .filter(event -> event.path().toString().equals(path))
                .toList());
    }

    private static void requireKnown(String... types) {
        for (String type : types) {
            if (!EventTypes.isKnown(type)) {
                throw new ConfigurationException("No event is a '" + type + "'. "
                        + EventTypes.nearest(type)
                                .map(near -> "Did you mean '" + near + "'? ")
                                .orElse("")
                        + "Use a name of docs/events.md, such as 'run-finish'.");
            }
        }
    }

    private List<RunEvent> events() {
        isNotNull();
        return Objects.requireNonNull(actual);
    }

    private List<String> described() {
        List<String> lines = new ArrayList<>();
        events().forEach(event -> lines.add(event.path() + " " + event.type()));
        return lines;
    }
}
