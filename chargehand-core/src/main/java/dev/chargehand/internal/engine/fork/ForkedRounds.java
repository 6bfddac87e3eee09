package dev.chargehand.internal.engine.fork;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.definition.WorkflowDefinition;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.fact.ChildLink;
import dev.chargehand.internal.fact.DefinitionLink;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RoundFact;
import dev.chargehand.internal.fact.task.Background;
import dev.chargehand.internal.journal.RunOpening;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.internal.workflow.GivenRounds;
import dev.chargehand.json.Json;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.ForkOrigin;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunRecord;
import dev.chargehand.workflow.Entry;
import dev.chargehand.workflow.Workflow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Makes what a fork starts with of the rounds of its source run, and of nested runs on the way to its place. */
record ForkedRounds(RuntimeEnvironment environment, OptionValues options, WorkflowForkChanges changes, Instant now) {

    /**
     * What a run of the fork starts with.
     *
     * @param count how many complete rounds it has of its source run
     * @param facts what follows on its first fact
     * @param below the nested runs on the way to the place, each below the one before
     */
    record Forked(int count, List<Fact> facts, List<RunOpening.Nested> below) {}

    /** Where a run of the fork is. */
    record Where(RunId runId, RunId root, AgentPath path, OptionValues settings) {}

    /** Return what the root run starts with. */
    Forked of(Where where, SourceRounds source, WorkflowDefinition definition) {
        return of(where, source, definition, ForkPlace.of(changes.place()), changes.outputs(), changes.state() == null);
    }

    private Forked of(
            Where where,
            SourceRounds source,
            WorkflowDefinition definition,
            ForkPlace place,
            Map<String, Json> outputs,
            boolean withChanges) {
        Workflow<?, ?> workflow = definition.workflow();
        if (!place.isHere()) {
            return nested(where, source, definition, place, outputs, withChanges);
        }
        Optional<CopiedRounds> reached = source.before(place.entry());
        if (reached.isEmpty()) {
            return unreached(source, workflow, place.entry(), outputs, withChanges);
        }
        CopiedRounds copied = changed(reached.get(), workflow, outputs, withChanges);
        return new Forked(copied.count(), copied.facts(), List.of());
    }

    private static CopiedRounds changed(
            CopiedRounds rounds, Workflow<?, ?> workflow, Map<String, Json> outputs, boolean withChanges) {
        rounds.requireEntries(workflow);
        if (withChanges) {
            rounds.requireState(workflow);
        }
        CopiedRounds kept = withChanges ? rounds : rounds.withoutChanges();
        return outputs.isEmpty() ? kept : kept.withOutputs(workflow, outputs);
    }

    /** Copy the complete rounds before an entry, and add those whose outputs are given. */
    private Forked unreached(
            SourceRounds source,
            Workflow<?, ?> workflow,
            ForkPlace.Part place,
            Map<String, Json> outputs,
            boolean withChanges) {
        Optional<Entry> target = GivenRounds.entry(workflow, place.id());
        if (target.isEmpty() || place.iteration() != null) {
            boolean isMap = workflow.entries().stream()
                    .anyMatch(entry ->
                            entry instanceof Entry.Mapping && entry.id().equals(place.id()));
            throw isMap ? source.isMap(place) : source.notReached(place);
        }
        CopiedRounds complete = source.complete(workflow, target.get().id());
        GivenRounds given = new GivenRounds(
                "Fork of run " + source.run().rootRunId(), source.above(), workflow, environment.ids(), now);
        List<String> missing = given.idsBefore(target.get(), complete.end());
        Map<String, Json> replaced = new LinkedHashMap<>(outputs);
        Map<String, Json> added = new LinkedHashMap<>();
        for (String id : missing) {
            Json output = replaced.remove(id);
            if (output != null) {
                added.put(id, output);
            }
        }
        CopiedRounds copied = changed(complete, workflow, replaced, withChanges);
        CopiedRounds all = copied.plus(given.before(place.id(), copied.end(), added));
        return new Forked(copied.count(), all.facts(), List.of());
    }

    /** Copy the rounds before a call, and the nested run of that up to the place. */
    private Forked nested(
            Where where,
            SourceRounds source,
            WorkflowDefinition definition,
            ForkPlace place,
            Map<String, Json> outputs,
            boolean withChanges) {
        ForkPlace.Part step = place.above().getFirst();
        OpenedRound round = source.calling(step).orElseThrow(() -> source.notReached(step));
        String stepId = round.call().step();
        Map<String, Json> own = new LinkedHashMap<>();
        Map<String, Json> below = new LinkedHashMap<>();
        outputs.forEach((path, output) -> {
            boolean isBelow = path.startsWith(step.id() + ".") || path.startsWith(step + ".");
            (isBelow ? below : own).put(isBelow ? path.substring(path.indexOf('.') + 1) : path, output);
        });
        CopiedRounds before = changed(round.before(), definition.workflow(), own, withChanges);
        requireCalls(source, round, definition);
        RunDefinition callee = definition.children().get(stepId);
        if (!(callee instanceof WorkflowDefinition nested)) {
            throw new ConfigurationException("Fork of run " + source.run().rootRunId() + ": step '" + source.above()
                    + stepId + "' is not a workflow, so that a fork cannot continue in its run. Fork before '"
                    + source.above() + stepId + "'.");
        }
        SourceRounds child = child(source, Objects.requireNonNull(round.intent().child()), source.above() + step + ".");
        RunId childId = new RunId(environment.ids().next("run_"));
        OptionValues settings = nested.defaultOptions().settingsUnder(where.settings());
        Where there = new Where(childId, where.root(), where.path().child(stepId), settings);
        Forked forked = of(there, child, nested, place.below(), below, true);
        List<RunOpening.Nested> all = new ArrayList<>();
        all.add(new RunOpening.Nested(
                childId,
                RunOpening.of(
                                started(
                                        where,
                                        there,
                                        round,
                                        child,
                                        nested,
                                        new ForkOrigin(
                                                child.run().runId(),
                                                forked.count(),
                                                WorkflowForkChanges.replaced(below))),
                                List.of())
                        .having(forked.facts())));
        all.addAll(forked.below());
        return new Forked(
                before.count(),
                before.plus(round.copied(childId, withChanges, now)).facts(),
                all);
    }

    private static void requireCalls(SourceRounds source, OpenedRound round, WorkflowDefinition definition) {
        round.before().plus(round.facts()).requireEntries(definition.workflow());
        round.facts().stream()
                .filter(RoundFact.Planned.class::isInstance)
                .flatMap(fact -> ((RoundFact.Planned) fact).calls().stream())
                .filter(call -> definition.workflow().step(call.step()).isEmpty())
                .findFirst()
                .ifPresent(call -> {
                    throw new ConfigurationException("Workflow '" + definition.id() + "' of version '"
                            + definition.version() + "' has no step '" + call.step()
                            + "', which run " + source.run().runId()
                            + " calls in the same round. Continue with a workflow that has it.");
                });
    }

    private SourceRounds child(SourceRounds source, ChildLink link, String above) {
        RunRecord child = environment
                .store()
                .find(link.runId())
                .orElseThrow(() -> new ConfigurationException("Run " + link.runId() + ", a nested run of "
                        + source.run().runId() + ", has not started. Fork before its step."));
        if (!child.rootRunId().equals(source.run().rootRunId())) {
            throw new ConfigurationException("Run " + link.runId() + " is below run " + child.rootRunId()
                    + ", of which run " + source.run().runId() + " is a fork. Fork run " + child.rootRunId() + ".");
        }
        return SourceRounds.read(environment.store(), child, above);
    }

    private Fact.Started started(
            Where above,
            Where where,
            OpenedRound round,
            SourceRounds source,
            WorkflowDefinition definition,
            ForkOrigin origin) {
        Fact.Started old = source.start().started();
        Workflow<?, ?> workflow = definition.workflow();
        Json state = old.definition() == null ? null : old.definition().initialState();
        return new Fact.Started(
                definition.id(),
                definition.name(),
                where.path(),
                where.root(),
                above.runId(),
                round.call().callId(),
                null,
                options.get(Options.RESOURCE),
                List.of(),
                Transcript.input(where.runId(), old.input()),
                null,
                where.settings(),
                List.of(),
                options.get(Options.REQUEST_CONTEXT).stored(),
                null,
                origin,
                false,
                false,
                new DefinitionLink(workflow.version(), workflow.shape(), state),
                Background.NONE,
                now);
    }
}
