package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.json.Json;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.workflow.Branch;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Outputs;
import dev.chargehand.workflow.Repeat;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowContext;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers to Mastra's client have the fields that its types declare. */
class MastraShapesTest extends ServerFixture {

    record Shared(int count) {}

    private final Workflow<Integer, Integer> every = every();

    private static Step<Integer, Integer> step(String id) {
        return Step.of(id, Integer.class, Integer.class, (in, context) -> in);
    }

    private static Workflow<Integer, Integer> every() {
        Step<Integer, Integer> fails = Step.of("fails", Integer.class, Integer.class, (in, context) -> {
            throw new IllegalStateException("It is closed.");
        });
        return Workflow.from("every", Integer.class)
                .description("Has every kind of entry.")
                .state(Shared.class, new Shared(0))
                .then(step("first"))
                .parallel("both", step("left"), step("right"))
                .map("sum", Integer.class, (Outputs out, WorkflowContext context) -> 1)
                .branch(Branch.when("large", (Integer in, WorkflowContext context) -> in > 100, step("cut"))
                        .otherwise(step("keep")))
                .doUntil(step("poll"), (in, context) -> true, Repeat.atMost(2))
                .foreach("items", (in, context) -> List.of(in), step("item"), Each.concurrency(3))
                .map("count", Integer.class, (all, context) -> all.size())
                .sleep("rest", Duration.ofMillis(5))
                .then(Workflow.from("inner", Integer.class).then(step("below")).build(Integer.class))
                .then(fails)
                .build(Integer.class);
    }

    @Override
    List<Agent> agents() {
        List<Agent> agents = new ArrayList<>(super.agents());
        agents.add(Agent.builder("host")
                .model(script.modelFor("host"))
                .workflows(every)
                .build());
        agents.add(Agent.builder("named")
                .model(ModelChoice.of("openai/gpt-5-mini").orElse("anthropic/claude-haiku-4-5"))
                .build());
        return agents;
    }

    @Override
    AgentRuntimeBuilder changed(AgentRuntimeBuilder runtime) {
        return runtime.addWorkflow(every);
    }

    @ParameterizedTest
    @EnumSource
    void theGraphOfAWorkflowHasTheEntriesOfTheClient(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        HttpResponse<String> details = get(server, "/api/workflows/every");
        Map<String, Object> none = Map.of("id", "", "fn", "");
        assertThat(Json.parse(at(details, "/stepGraph")).canonical())
                .isEqualTo(Json.of(List.of(
                                with("first", Map.of("type", "step", "step", Map.of("id", "first"))),
                                with("both", Map.of("type", "parallel", "steps", nodes("left", "right"))),
                                with("sum", Map.of("type", "mapping", "mapConfig", "")),
                                with(
                                        "branch-1",
                                        Map.of(
                                                "type", "conditional",
                                                "steps", nodes("cut", "keep"),
                                                "serializedConditions",
                                                        List.of(with("large", none), with("otherwise", none)))),
                                with(
                                        "poll",
                                        Map.of(
                                                "type",
                                                "loop",
                                                "step",
                                                nodes("poll").getFirst(),
                                                "serializedCondition",
                                                with("poll", none),
                                                "loopType",
                                                "dountil")),
                                with(
                                        "items",
                                        Map.of(
                                                "type", "foreach",
                                                "step", nodes("item").getFirst(),
                                                "opts", Map.of("concurrency", 3))),
                                with("count", Map.of("type", "mapping", "mapConfig", "")),
                                with("rest", Map.of("type", "sleep", "duration", 5)),
                                with(
                                        "inner",
                                        Map.of(
                                                "type", "workflow",
                                                "workflowId", "inner",
                                                "serializedStepFlow",
                                                        List.of(with(
                                                                "below",
                                                                nodes("below").getFirst())))),
                                with("fails", nodes("fails").getFirst())))
                        .canonical());
        assertThat(Json.parse(at(details, "/stateSchema")).at("/properties/count"))
                .isPresent();
        assertThat(at(details, "/steps/inner/isWorkflow")).isEqualTo("true");
        assertThat(at(details, "/steps/first/isWorkflow")).isEqualTo("false");
    }

    private static Map<String, Object> with(String id, Map<String, Object> fields) {
        Map<String, Object> all = new HashMap<>(fields);
        all.put("id", id);
        return all;
    }

    private static List<Map<String, Object>> nodes(String... ids) {
        return Arrays.stream(ids)
                .map(id -> Map.<String, Object>of("type", "step", "step", Map.of("id", id)))
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void theWorkflowsOfAnAgentAreDescribed(HttpBinding binding) {
        HttpResponse<String> host = get(serve(binding), "/api/agents/host");
        assertThat(at(host, "/workflows/every/steps/first/id")).as(host.body()).isEqualTo("first");
        assertThat(at(host, "/workflows/every/stepGraph/0/type")).isEqualTo("step");
        for (String field : List.of("defaultOptions", "defaultGenerateOptionsLegacy", "defaultStreamOptionsLegacy")) {
            assertThat(at(host, "/" + field)).isEqualTo("{}");
        }
    }

    @ParameterizedTest
    @EnumSource
    void theModelOfAnAgentHasItsName(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        HttpResponse<String> named = get(server, "/api/agents/named");
        assertThat(at(named, "/provider")).as(named.body()).isEqualTo("openai");
        assertThat(at(named, "/modelId")).isEqualTo("gpt-5-mini");
        assertThat(at(get(server, "/api/v1/agents/named"), "/model")).isEqualTo("openai/gpt-5-mini");
        String given = script.modelFor("host").name();
        assertThat(at(get(server, "/api/v1/agents/host"), "/model")).isEqualTo(given);
    }

    @ParameterizedTest
    @EnumSource
    void aStepThatFailsHasAnErrorWithAMessage(HttpBinding binding) {
        ChargehandServer server = serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.binding(binding));
        HttpResponse<String> result = post(server, "/api/workflows/every/start-async?runId=r", Map.of("inputData", 3));
        assertThat(at(result, "/status")).as(result.body()).isEqualTo("failed");
        assertThat(at(result, "/steps/fails/error/name")).isEqualTo("Error");
        assertThat(at(result, "/steps/fails/error/message")).isEqualTo("It is closed.");
        assertThat(Long.parseLong(at(result, "/steps/rest/startedAt"))).isPositive();
        String chunks =
                post(server, "/api/workflows/every/observe?runId=r", Map.of()).body();
        assertThat(chunks).contains("\"error\":{").doesNotContain("IllegalStateException");
        String own = "/api/v1/runs/" + at(result, "/runId");
        for (String path : List.of("", "/result", "/events?until=end")) {
            String body = get(server, own + path).body();
            assertThat(body).as(path).doesNotContain("IllegalStateException");
        }
        assertThat(get(server, own + "/events?until=end").body()).contains("\"error\":\"It is closed.\"");
    }

    @ParameterizedTest
    @EnumSource
    void runsAreListedForEveryFilterOfTheClient(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        HttpResponse<String> priced =
                post(server, "/api/workflows/pricing/start-async", Map.of("inputData", Map.of("amount", 1)));
        assertThat(priced.statusCode()).as(priced.body()).isEqualTo(200);
        String run = at(priced, "/runId");
        String runs = "/api/workflows/pricing/runs?";
        HttpResponse<String> all = get(server, runs + "limit=false");
        assertThat(at(all, "/runs/0/runId")).as(all.body()).isEqualTo(run);
        for (String field : List.of("value", "context", "activeStepsPath", "suspendedPaths", "waitingPaths")) {
            assertThat(at(all, "/runs/0/snapshot/" + field)).as(field).isEqualTo("{}");
        }
        assertThat(at(all, "/runs/0/snapshot/serializedStepGraph/0/id")).isEqualTo("price");
        assertThat(at(get(server, runs + "status=success"), "/total")).isEqualTo("1");
        for (String none : List.of("status=bailed", "status=skipped", "status=canceled", "resourceId=ann")) {
            HttpResponse<String> empty = get(server, runs + none);
            assertThat(at(empty, "/total")).as(none + empty.body()).isEqualTo("0");
        }
        assertThat(get(server, runs + "limit=none").statusCode()).isEqualTo(400);
    }
}
