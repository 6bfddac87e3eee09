package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.ForkBuilder;
import dev.chargehand.RunHandle;
import dev.chargehand.TenantRuntime;
import dev.chargehand.json.Json;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.server.internal.api.RunKey;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.store.RunRecord;
import dev.chargehand.workflow.Entry;
import dev.chargehand.workflow.Workflow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Repeats runs of workflows from one of their steps on: a time travel is a fork, and so a run with an id of its own. Its source is only read.
 * Thread-safe.
 */
final class WorkflowForks {

    private final WireRuns runs;
    private final WorkflowStarts starts;

    WorkflowForks(WireRuns runs, WorkflowStarts starts) {
        this.runs = runs;
        this.starts = starts;
    }

    /** Start a fork of the run that the query names, and return its id. */
    RunId fork(Call call, boolean read) {
        RunRecord source = starts.require(call);
        Body body = Body.of(call.body());
        rejectWhatIsNotOffered(body);
        Place place = Place.of(body, starts.workflow(call));
        Map<String, Json> outputs = outputs(body, place);
        Optional<Json> input = body.json("inputData");
        input.filter(value -> !place.isFirst()).ifPresent(value -> outputs.put(place.before(body), value));
        RequestContext context = starts.context(body);
        Optional<String> key = RunKey.of(call, source.resourceId());
        TenantRuntime runtime = runs.runtime(call.principal());
        RunHandle fork = runs.state()
                .slots()
                .startHere(
                        call,
                        read,
                        () -> runtime.fork(source.runId(), (ForkBuilder.WorkflowForkBuilder changes) -> {
                            changes.before(place.path());
                            outputs.forEach(changes::output);
                            input.filter(value -> place.isFirst()).ifPresent(changes::input);
                            body.json("initialState").ifPresent(changes::state);
                            changes.options(options -> {
                                options.requester(call.principal().id());
                                WorkflowStarts.values(context).accept(options);
                                key.ifPresent(options::idempotencyKey);
                            });
                        }));
        return fork.runId();
    }

    private static void rejectWhatIsNotOffered(Body body) {
        if (body.json("resumeData").isPresent()) {
            throw body.problem("resumeData", "is not offered: travel to the step, and answer it in the new run");
        }
        WorkflowStarts.rejectPauses(body);
    }

    /** Return the outputs of steps before the place, which the client sends as results of steps, by their paths. */
    private static Map<String, Json> outputs(Body body, Place place) {
        Map<String, Json> outputs = new LinkedHashMap<>();
        body.object("context").ifPresent(results -> addOutputs(results, "", place, outputs));
        body.object("nestedStepsContext").ifPresent(nested -> nested.names().forEach(step -> nested.object(step)
                .ifPresent(results -> addOutputs(results, step + ".", place, outputs))));
        return outputs;
    }

    private static void addOutputs(Body results, String prefix, Place place, Map<String, Json> outputs) {
        for (String step : results.names()) {
            boolean precedes = prefix.isEmpty()
                    ? place.isAfter(step)
                    : place.path().startsWith(prefix) && !place.path().equals(prefix + step);
            results.object(step)
                    .filter(result -> precedes)
                    .flatMap(result -> result.json("output"))
                    .ifPresent(output -> outputs.put(prefix + step, output));
        }
    }

    /**
     * Where a fork continues.
     *
     * @param path the ids of a step and of those around it
     * @param entries the entries before that of the step
     */
    private record Place(String path, List<Entry> entries) {

        static Place of(Body body, Workflow<?, ?> workflow) {
            List<String> ids = ids(body);
            List<Entry> all = workflow.entries();
            int index = 0;
            while (index < all.size() && !hasStep(all.get(index), ids.getFirst())) {
                index++;
            }
            if (index == all.size()) {
                throw body.problem("step", "must be a step of the workflow, or a path that starts with one");
            }
            return new Place(String.join(".", ids), all.subList(0, index));
        }

        private static List<String> ids(Body body) {
            if (body.json("step").flatMap(Json::string).isPresent()) {
                return List.of(body.requiredId("step").split("\\.", -1));
            }
            List<String> ids = body.list("step").stream()
                    .map(id ->
                            id.string().orElseThrow(() -> body.problem("step", "must be a text, or a list of texts")))
                    .toList();
            if (ids.isEmpty()) {
                throw body.problem("step", "is missing");
            }
            return ids;
        }

        private static boolean hasStep(Entry entry, String id) {
            return entry.id().equals(id)
                    || entry.steps().stream().anyMatch(step -> step.id().equals(id));
        }

        /** Return whether the input of the run is that of the step. */
        boolean isFirst() {
            return entries.isEmpty() && path.indexOf('.') < 0;
        }

        boolean isAfter(String step) {
            return entries.stream().anyMatch(entry -> hasStep(entry, step));
        }

        /** Return the step whose output is the input of the step. */
        String before(Body body) {
            if (path.indexOf('.') < 0 && entries.getLast() instanceof Entry.Then then) {
                return then.step().id();
            }
            throw body.problem(
                    "inputData",
                    "is not offered: no single step makes the input of this one. Give the outputs of earlier steps as 'context'");
        }
    }
}
