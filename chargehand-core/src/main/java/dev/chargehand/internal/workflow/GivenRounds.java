package dev.chargehand.internal.workflow;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.fact.CallKind;
import dev.chargehand.internal.fact.ClosedCalls;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RoundFact;
import dev.chargehand.internal.fact.RoundFact.PlannedCall;
import dev.chargehand.internal.scope.ArgumentDigest;
import dev.chargehand.internal.state.Round;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonType;
import dev.chargehand.run.Limit;
import dev.chargehand.spi.IdSource;
import dev.chargehand.workflow.Entry;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes the facts of rounds that no run has made, of outputs which a caller gives: so a run starts in the middle of its
 * workflow. A given output looks as if its step had been executed with the input null.
 *
 * @param what names the run in errors, such as {@code A run of workflow 'ordering'}
 * @param above what precedes the paths of the caller, such as {@code pricing.} in a nested run
 */
public record GivenRounds(String what, String above, Workflow<?, ?> workflow, IdSource ids, Instant now) {

    private static final Json NOTHING = Json.of(null);

    /** Return the entry of an id, or of a step of that id, before which a run can start: a map is a part of what follows it. */
    public static Optional<Entry> entry(Workflow<?, ?> workflow, String id) {
        return workflow.entries().stream()
                .filter(entry -> !(entry instanceof Entry.Mapping))
                .filter(entry -> entry.id().equals(id)
                        || entry.steps().stream().anyMatch(step -> step.id().equals(id)))
                .findFirst();
    }

    /**
     * Return the facts of the rounds between a state and an entry.
     *
     * @param place the id of the entry, or of one of its steps
     * @param start the run with the rounds that it has
     * @param outputs by the ids of steps and entries
     * @throws ConfigurationException if the workflow has no such entry, an output does not fit, or one is missing
     */
    public List<Fact> before(String place, WorkflowState start, Map<String, Json> outputs) {
        Entry target = entry(workflow, place)
                .orElseThrow(() -> new ConfigurationException(what + " cannot start at '" + above + place
                        + "', which is neither an entry nor a step of workflow '" + workflow.id()
                        + "'. It can start at: " + places() + "."));
        int end = Entries.place(workflow, target.id());
        Map<String, Json> left = new LinkedHashMap<>(outputs);
        WorkflowState state = start;
        List<Fact> facts = new ArrayList<>();
        for (Entry entry : workflow.entries().subList(Math.min(end, next(start)), end)) {
            Map<String, Json> given = takenBy(entry, left);
            if (!given.isEmpty()) {
                List<Fact> round = round(state, entry, given);
                for (Fact fact : round) {
                    state = state.after(fact);
                }
                facts.addAll(round);
                Fact closed = new RoundFact.RoundClosed(
                        state.round().planned().round(),
                        null,
                        false,
                        RoundEnd.of(entry, state.round()).text(),
                        now);
                state = state.after(closed);
                facts.add(closed);
            }
        }
        requireNoneLeft(place, left, idsBefore(target, start));
        requireReached(place, state, end);
        return facts;
    }

    private String places() {
        return workflow.entries().stream()
                .filter(entry -> !(entry instanceof Entry.Mapping))
                .map(entry -> above + entry.id())
                .collect(Collectors.joining(", "));
    }

    /** Return the ids under which outputs are given of the entries between a state and an entry. */
    public List<String> idsBefore(Entry target, WorkflowState state) {
        int end = Entries.place(workflow, target.id());
        return workflow.entries().subList(Math.min(end, next(state)), end).stream()
                .flatMap(entry -> idsOf(entry).stream())
                .toList();
    }

    /** Return the place of the entry that follows on what a run has done. */
    private int next(WorkflowState state) {
        if (state.rounds().isEmpty()) {
            return 0;
        }
        Round last = state.rounds().getLast();
        int place = Entries.place(workflow, last.planned().entry());
        return Objects.requireNonNull(last.closed()).again() ? place : place + 1;
    }

    /** Return the ids under which the outputs of an entry are given. */
    private static List<String> idsOf(Entry entry) {
        return switch (entry) {
            case Entry.Mapping ignored -> List.of();
            case Entry.Foreach ignored -> List.of(entry.id());
            case Entry.Sleep ignored -> List.of(entry.id());
            case Entry.Branch branch -> {
                List<String> ids = new ArrayList<>(idsOfSteps(entry));
                if (branch.otherwise() == null) {
                    ids.add(entry.id()); // of what passes
                }
                yield ids;
            }
            case Entry.BranchAll ignored -> idsOfSteps(entry);
            case Entry.Parallel ignored -> idsOfSteps(entry);
            case Entry.Then ignored -> List.of(entry.id());
            case Entry.Loop ignored -> List.of(entry.id());
        };
    }

    private static List<String> idsOfSteps(Entry entry) {
        return entry.steps().stream().<String>map(Step::id).toList();
    }

    private static Map<String, Json> takenBy(Entry entry, Map<String, Json> left) {
        Map<String, Json> taken = new LinkedHashMap<>();
        for (String id : idsOf(entry)) {
            Json output = left.remove(id);
            if (output != null) {
                taken.put(id, output);
            }
        }
        return taken;
    }

    private List<Fact> round(WorkflowState state, Entry entry, Map<String, Json> given) {
        return switch (entry) {
            case Entry.Foreach foreach -> items(state, foreach, Objects.requireNonNull(given.get(entry.id())));
            case Entry.Sleep ignored -> passing(state, entry, Objects.requireNonNull(given.get(entry.id())));
            case Entry.Branch branch -> {
                if (given.size() > 1) {
                    throw new ConfigurationException(what + ": the outputs of " + quoted(List.copyOf(given.keySet()))
                            + " are given, but branch '" + above + entry.id()
                            + "' calls one step. Give the output of one.");
                }
                yield given.containsKey(branch.id()) && branch.otherwise() == null
                        ? passing(state, entry, Objects.requireNonNull(given.get(entry.id())))
                        : calling(state, entry, given);
            }
            case Entry.Parallel ignored -> {
                if (given.size() < entry.steps().size()) {
                    throw new ConfigurationException(what + ": entry '" + above + entry.id() + "' calls all of "
                            + quoted(idsOf(entry)) + ". Give the output of each of them, or of none.");
                }
                yield calling(state, entry, given);
            }
            case Entry.BranchAll ignored -> calling(state, entry, given);
            case Entry.Then ignored -> calling(state, entry, given);
            case Entry.Loop ignored -> calling(state, entry, given);
            case Entry.Mapping ignored -> throw new IllegalStateException("A map has no round.");
        };
    }

    private List<Fact> calling(WorkflowState state, Entry entry, Map<String, Json> given) {
        List<PlannedCall> calls = new ArrayList<>();
        List<Json> outputs = new ArrayList<>();
        List<String> skipped = new ArrayList<>();
        for (Step<?, ?> step : entry.steps()) {
            Json output = given.get(step.id());
            if (output == null) {
                skipped.add(step.id());
            } else {
                requireFit(step.id(), step, output);
                calls.add(call(step.id(), step.id()));
                outputs.add(output);
            }
        }
        return executed(state, entry, calls, outputs, skipped);
    }

    private List<Fact> items(WorkflowState state, Entry.Foreach entry, Json list) {
        if (!list.text().startsWith("[")) {
            throw new ConfigurationException(
                    what + ": the output for '" + above + entry.id() + "' must be a list with the output of step '"
                            + entry.step().id() + "' for each item.");
        }
        List<Json> outputs = list.as(new JsonType<List<Json>>() {});
        long most = Limit.FOREACH_ITEMS.byDefault();
        if (outputs.size() > most) {
            throw new ConfigurationException(what + ": the output for '" + above + entry.id() + "' has "
                    + outputs.size() + " items; at most " + most + " can be given.");
        }
        List<PlannedCall> calls = new ArrayList<>();
        for (Json output : outputs) {
            String path = entry.id() + "[" + calls.size() + "]";
            requireFit(path, entry.step(), output);
            calls.add(call(path, entry.step().id()));
        }
        return executed(state, entry, calls, outputs, List.of());
    }

    /** Return the start and the calls of a round that passes a value on. */
    private List<Fact> passing(WorkflowState state, Entry entry, Json value) {
        if (!(entry instanceof Entry.Sleep)) {
            return List.of(planned(state, entry, List.of(), idsOfSteps(entry), value.text()));
        }
        PlannedCall call = new PlannedCall(ids.next("call_"), entry.id(), entry.id(), value.text());
        return List.of(
                planned(state, entry, List.of(call), List.of(), null),
                ClosedCalls.succeeded(call.callId(), value, now));
    }

    private List<Fact> executed(
            WorkflowState state, Entry entry, List<PlannedCall> calls, List<Json> outputs, List<String> skipped) {
        List<Fact> facts = new ArrayList<>();
        facts.add(planned(state, entry, calls, skipped, calls.isEmpty() ? NOTHING.text() : null));
        for (int i = 0; i < calls.size(); i++) {
            String callId = calls.get(i).callId();
            facts.add(new Fact.CallOpened(callId, CallKind.REPEATABLE, ArgumentDigest.of(NOTHING), null, now));
            facts.add(ClosedCalls.succeeded(callId, outputs.get(i), now));
        }
        return facts;
    }

    private PlannedCall call(String path, String step) {
        return new PlannedCall(ids.next("call_"), path, step, NOTHING.text());
    }

    private Fact planned(
            WorkflowState state, Entry entry, List<PlannedCall> calls, List<String> skipped, @Nullable String input) {
        Round last = state.rounds().isEmpty() ? null : state.rounds().getLast();
        int iteration = last != null && last.planned().entry().equals(entry.id())
                ? last.planned().iteration() + 1
                : 1;
        return new RoundFact.Planned(
                state.stepsOver() + 1, entry.id(), iteration, calls, skipped, input, calls.size(), now);
    }

    private void requireFit(String path, Step<?, ?> step, Json output) {
        Misfit.reject(
                what + ": the output for '" + above + path + "' breaks the schema of the step", step.output(), output);
    }

    private void requireNoneLeft(String place, Map<String, Json> left, List<String> allowed) {
        if (!left.isEmpty()) {
            throw new ConfigurationException(
                    what + " starts at '" + above + place + "', which has no use for an output for "
                            + quoted(List.copyOf(left.keySet())) + ". Outputs can be given for: "
                            + (allowed.isEmpty()
                                    ? "nothing"
                                    : allowed.stream().map(above::concat).collect(Collectors.joining(", ")))
                            + ".");
        }
    }

    /** The value of the entry comes from the one before it, apart from maps, which are called. */
    private void requireReached(String place, WorkflowState state, int end) {
        List<Entry> before = workflow.entries().subList(0, end).stream()
                .filter(entry -> !(entry instanceof Entry.Mapping))
                .toList();
        if (before.isEmpty()) {
            return;
        }
        Entry last = before.getLast();
        boolean isThere = !state.rounds().isEmpty()
                && state.rounds().getLast().planned().entry().equals(last.id())
                && !Objects.requireNonNull(state.rounds().getLast().closed()).again();
        if (!isThere) {
            throw new ConfigurationException(
                    what + " cannot start at '" + above + place + "' without the output of entry '" + above
                            + last.id() + "' before it. Give the output for " + quoted(idsOf(last))
                            + (last instanceof Entry.Branch && idsOf(last).size() > 1 ? ": for one of them." : "."));
        }
    }

    private String quoted(List<String> ids) {
        return ids.stream().map(id -> "'" + above + id + "'").collect(Collectors.joining(", "));
    }
}
