package dev.chargehand.verify.streams;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunHandle;
import dev.chargehand.background.Disposition;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.run.RunId;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Branch;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The facts of real runs of workflows, with all that is stored in them, and of a background task. */
final class SampleWorkflowFacts {

    private SampleWorkflowFacts() {}

    /** What a step asks, and what it is answered. */
    record Asked(@Nullable String s) {}

    static List<FactEntry> ofRealRuns() {
        return Stream.of(ofAWorkflow("long enough"), ofAWorkflow("bail"), ofAWorkflow("fail"), ofATask())
                .flatMap(List::stream)
                .toList();
    }

    private static List<FactEntry> ofAWorkflow(String input) {
        Workflow<String, String> workflow = workflow();
        Store store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(store)
                .providers()
                .anyoneMayApprove()
                .workflows(workflow)
                .build()) {
            RunHandle run = runtime.start(workflow, input, o -> {});
            await(run);
            run.pendingApprovals().forEach(asked -> await(runtime.giveData(asked, new Asked("answer"))));
            return facts(store, run.runId());
        }
    }

    private static void await(RunHandle run) {
        try {
            Object ignored = run.result();
        } catch (RunFailedException e) {
            // its facts are wanted
        }
    }

    private static List<FactEntry> facts(Store store, RunId root) {
        return store.list(RunFilter.ROOTS.tree(root)).stream()
                .flatMap(run -> store.read(run.runId(), 0).stream())
                .toList();
    }

    private static Workflow<String, String> workflow() {
        Step<String, String> flaky = Step.of("flaky", String.class, String.class, (in, context) -> {
                    if (context.attempt() == 1) {
                        throw new IllegalStateException("The first attempt fails.");
                    }
                    context.updateState(Map.of("seen", List.of(in, 1.5)));
                    return in;
                })
                .repeatable()
                .retries(1, Backoff.fixed(Duration.ofMillis(1)));
        Step<String, String> asking = Step.of(
                        "asking", String.class, String.class, (in, context) -> context.resumeData(Asked.class)
                                .map(asked -> in + asked.s())
                                .orElseGet(() -> context.suspend(new Asked("Which?"))))
                .suspends(Asked.class, Asked.class);
        Step<String, String> failing = Step.of("failing", String.class, String.class, (in, context) -> {
            throw new IllegalStateException("It fails.");
        });
        Step<String, String> bailing = Step.of(
                "bailing", String.class, String.class, (in, context) -> in.equals("bail") ? context.bail(in) : in);
        Workflow<String, String> inner =
                Workflow.from("inner", String.class).then(flaky).build(String.class);
        Step<String, String> nested = inner.sharingState().asStep();
        Step<String, String> rescued = failing.withId("rescued").fallback((in, error, context) -> "rescued");
        return Workflow.from("outer", String.class)
                .then(bailing)
                .parallel("both", nested, rescued)
                .map("words", String.class, (out, context) -> context.input(String.class))
                .branch(Branch.when("fails", (in, context) -> in.equals("fail"), failing)
                        .otherwisePass())
                .sleep("sleep", Duration.ofMillis(1))
                .then(asking)
                .foreach(
                        "each",
                        (in, context) -> List.of(in.split(" ", -1)),
                        failing.withId("item"),
                        Each.concurrency(2).collect())
                .map("end", String.class, (outcomes, context) -> String.valueOf(outcomes.size()))
                .build(String.class);
    }

    private static List<FactEntry> ofATask() {
        Script script = ScriptedModel.script()
                .on("boss")
                .delegates("helper", "Help")
                .then()
                .says("It has started.")
                .on("helper")
                .says("Found");
        Agent helper = Agent.builder("helper")
                .description("Helps.")
                .model(script.modelFor("helper"))
                .build();
        Agent boss = Agent.builder("boss")
                .model(script.modelFor("boss"))
                .agents(helper)
                .background(b -> b.agent("helper", Disposition.ALWAYS))
                .build();
        Store store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime =
                AgentRuntime.builder().store(store).providers().agents(boss).build()) {
            RunId origin = runtime.agent("boss")
                    .generate("Do it", o -> o.thread("t").resource("r"))
                    .runId();
            Task task = runtime.tasks(TaskFilter.of(origin)).getFirst();
            Object ignored = runtime.task(task.id()).result();
            return Stream.of(facts(store, origin), facts(store, task.runId()))
                    .flatMap(List::stream)
                    .toList();
        }
    }
}
