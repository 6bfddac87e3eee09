package dev.chargehand.workflow.view;

import dev.chargehand.internal.text.ReadableTime;
import dev.chargehand.workflow.Delegate;
import dev.chargehand.workflow.Entry;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Draws a workflow entry by entry: each is connected with the loose ends of the one before it. Not thread-safe. */
final class DefinitionDrawing {

    private final Workflow<?, ?> workflow;
    private final RunStates states;
    private final MermaidText text;

    /** A node from which an arrow is still to be drawn, and the label of that arrow. */
    private record End(String node, String label) {}

    /** Nodes that belong together: where arrows lead to, and where they start. */
    private record Part(List<String> starts, List<End> ends) {

        static Part of(String node) {
            return new Part(List.of(node), List.of(new End(node, "")));
        }
    }

    DefinitionDrawing(Workflow<?, ?> workflow, RunStates states, MermaidText text) {
        this.workflow = workflow;
        this.states = states;
        this.text = text;
    }

    /** Draw the workflow between a start and an end. */
    void draw() {
        String start = text.node(
                MermaidText.Shape.STADIUM, workflow.name(), workflow.id() + ", version " + workflow.version());
        state(start, states.ofStart());
        Part entries = entries();
        String end = text.node(MermaidText.Shape.STADIUM, "end");
        state(end, states.ofEnd());
        connect(Part.of(start).ends(), entries.starts());
        connect(entries.ends(), List.of(end));
    }

    private Part entries() {
        List<String> starts = List.of();
        List<End> ends = List.of();
        List<Entry> entries = workflow.entries();
        for (int i = 0; i < entries.size(); i++) {
            Part part = entry(entries.get(i), entries.subList(i + 1, entries.size()));
            if (i == 0) {
                starts = part.starts();
            } else {
                connect(ends, part.starts());
            }
            ends = part.ends();
        }
        return new Part(starts, ends);
    }

    private Part entry(Entry entry, List<Entry> followers) {
        return switch (entry) {
            case Entry.Then then -> step(then.step(), followers);
            case Entry.Mapping map -> passed(MermaidText.Shape.ROUND, entry, followers, map.id());
            case Entry.Parallel parallel -> parallel(parallel, followers);
            case Entry.Branch branch -> branch(branch, followers);
            case Entry.BranchAll all -> branchAll(all, followers);
            case Entry.Loop loop -> loop(loop, followers);
            case Entry.Foreach foreach -> foreach(foreach, followers);
            case Entry.Sleep sleep -> {
                String until =
                        sleep.duration() == null ? "waits until a time" : "waits " + ReadableTime.of(sleep.duration());
                String node = text.node(MermaidText.Shape.HEXAGON, sleep.id(), until);
                state(node, states.of(sleep.id(), followers));
                yield Part.of(node);
            }
        };
    }

    /** Draw an entry, or the start of one, that has no call of its own. */
    private Part passed(MermaidText.Shape shape, Entry entry, List<Entry> followers, String... label) {
        String node = text.node(shape, label);
        state(node, states.of(entry, followers));
        return Part.of(node);
    }

    private Part parallel(Entry.Parallel entry, List<Entry> followers) {
        Part fork = passed(MermaidText.Shape.CIRCLE, entry, followers, entry.id(), "all of");
        List<End> ends = new ArrayList<>();
        for (Step<?, ?> step : entry.steps()) {
            Part part = step(step, followers);
            connect(fork.ends(), part.starts());
            ends.addAll(part.ends());
        }
        return new Part(fork.starts(), ends);
    }

    private Part branch(Entry.Branch entry, List<Entry> followers) {
        Part choice = passed(MermaidText.Shape.DIAMOND, entry, followers, entry.id());
        String node = choice.starts().getFirst();
        List<End> ends = cases(node, entry.cases(), followers);
        if (entry.otherwise() == null) {
            ends.add(new End(node, "otherwise"));
        } else {
            Part part = step(entry.otherwise(), followers);
            connect(List.of(new End(node, "otherwise")), part.starts());
            ends.addAll(part.ends());
        }
        return new Part(choice.starts(), ends);
    }

    private Part branchAll(Entry.BranchAll entry, List<Entry> followers) {
        Part choice = passed(MermaidText.Shape.DIAMOND, entry, followers, entry.id(), "all that hold");
        String node = choice.starts().getFirst();
        List<End> ends = cases(node, entry.cases(), followers);
        ends.add(new End(node, "none"));
        return new Part(choice.starts(), ends);
    }

    private List<End> cases(String choice, List<Entry.Case> cases, List<Entry> followers) {
        List<End> ends = new ArrayList<>();
        for (Entry.Case each : cases) {
            Part part = step(each.step(), followers);
            connect(List.of(new End(choice, each.name())), part.starts());
            ends.addAll(part.ends());
        }
        return ends;
    }

    private Part loop(Entry.Loop entry, List<Entry> followers) {
        Part body = step(entry.step(), followers);
        String again = (entry.until() ? "until a condition is true" : "while a condition is true") + ", at most "
                + entry.atMost() + " times";
        List<End> back = body.ends().stream()
                .map(end -> new End(end.node(), end.label().isEmpty() ? again : end.label() + "; " + again))
                .toList();
        connect(back, body.starts());
        return body;
    }

    private Part foreach(Entry.Foreach entry, List<Entry> followers) {
        String how = entry.concurrency() == 1 ? "one after the other" : "at most " + entry.concurrency() + " at once";
        text.open(entry.id(), "for each item, " + how + (entry.collect() ? ", failures collected" : ""));
        Part part = step(entry.step(), followers);
        text.close();
        return part;
    }

    private Part step(Step<?, ?> step, List<Entry> followers) {
        List<String> label = new ArrayList<>(List.of(step.id()));
        Delegate delegate = step.delegate().orElse(null);
        if (delegate != null) {
            label.add((delegate instanceof Workflow<?, ?> ? "workflow " : "agent ") + delegate.id());
        }
        step.tool().ifPresent(tool -> label.add("tool " + tool.name()));
        step.scorer().ifPresent(scorer -> label.add("scorer " + scorer.name()));
        if (step.retries() > 0) {
            label.add("at most " + (step.retries() + 1) + " attempts");
        }
        counts(step).ifPresent(label::add);
        String[] lines = label.toArray(String[]::new);
        StepState state = states.of(step.id(), followers);
        if (delegate instanceof Workflow<?, ?> nested) {
            String box = text.open(lines);
            Part part = new DefinitionDrawing(nested, states.below(step), text).entries();
            text.close();
            state(box, state);
            return part;
        }
        MermaidText.Shape shape = delegate != null
                ? MermaidText.Shape.STADIUM
                : step.tool().isPresent() ? MermaidText.Shape.SUBROUTINE : MermaidText.Shape.BOX;
        String node = text.node(shape, lines);
        state(node, state);
        return Part.of(node);
    }

    /** Return how many calls a step has in each state, if it has several. */
    private Optional<String> counts(Step<?, ?> step) {
        Map<StepState, Integer> counts = new EnumMap<>(StepState.class);
        List<StepProgress> calls = states.calls(step.id());
        calls.forEach(call -> counts.merge(call.state(), 1, Integer::sum));
        return calls.size() < 2
                ? Optional.empty()
                : Optional.of(counts.entrySet().stream()
                        .map(each ->
                                each.getValue() + " " + each.getKey().name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining(", ")));
    }

    private void state(String node, StepState state) {
        if (states.areShown()) {
            text.state(node, state);
        }
    }

    private void connect(List<End> ends, List<String> starts) {
        ends.forEach(end -> starts.forEach(start -> text.edge(end.node(), start, end.label())));
    }
}
