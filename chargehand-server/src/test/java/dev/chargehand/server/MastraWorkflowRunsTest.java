package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.json.Json;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs of workflows have what Mastra's client reads of them: their graph, their state, and the steps of nested workflows. */
class MastraWorkflowRunsTest extends ServerFixture {

    private static final String PATH = "/api/workflows/shipping/";
    private static final Map<String, Object> START = Map.of("inputData", 3, "initialState", Map.of("count", 5));

    record Shared(int count) {}

    record Verdict(boolean accepted) {}

    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    private static Step<Integer, Integer> asks(String id) {
        return Step.of(id, Integer.class, Integer.class, (in, context) -> context.resumeData(Verdict.class)
                .map(verdict -> in + 1)
                .orElseGet(() -> context.suspend(Map.of("amount", in))));
    }

    private Step<Integer, Integer> holds() {
        return Step.of("hold", Integer.class, Integer.class, (in, context) -> {
            entered.countDown();
            released.await();
            return in;
        });
    }

    @Override
    AgentRuntimeBuilder changed(AgentRuntimeBuilder runtime) {
        Step<Integer, Integer> last = Step.of("last", Integer.class, Integer.class, (in, context) -> in * 10);
        Step<Integer, Integer> right = Step.of("right", Integer.class, Integer.class, (in, context) -> in);
        Workflow<Integer, Integer> shipping = Workflow.from("shipping", Integer.class)
                .state(Shared.class, new Shared(0))
                .then(Workflow.from("inner", Integer.class).then(asks("below")).build(Integer.class))
                .sleep("rest", Duration.ofMillis(1))
                .then(last)
                .build(Integer.class);
        Workflow<Integer, Integer> checking = Workflow.from("checking", Integer.class)
                .sleep("before", Duration.ofMillis(1))
                .parallel("both", right, asks("left"))
                .map("sum", Integer.class, (outputs, context) -> 1)
                .sleep("after", Duration.ofMillis(1))
                .then(holds())
                .build(Integer.class);
        return runtime.workflows(shipping, checking);
    }

    private Json run(ChargehandServer server, String query) {
        HttpResponse<String> run = get(server, PATH + "runs/r" + query);
        assertThat(run.statusCode()).as(run.body()).isEqualTo(200);
        return Json.parse(run.body());
    }

    private static Optional<Json> json(Map<?, ?> value) {
        return Optional.of(Json.of(value));
    }

    @ParameterizedTest
    @EnumSource
    void aRunHasItsGraphAndItsState(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        HttpResponse<String> waiting = post(server, PATH + "start-async?runId=r", START);
        assertThat(at(waiting, "/status")).as(waiting.body()).isEqualTo("suspended");
        assertThat(at(waiting, "/payload") + at(waiting, "/suspendedPaths/inner/0"))
                .isEqualTo("30");
        HttpResponse<String> counts = get(server, "/api/workflows/run-counts");
        assertThat(at(counts, "/shipping/suspended") + at(counts, "/shipping/running"))
                .as(counts.body())
                .isEqualTo("10");
        Map<String, Object> answer = Map.of("step", List.of("inner", "below"), "resumeData", Map.of("accepted", true));
        HttpResponse<String> ended = post(server, PATH + "resume-async?runId=r", answer);
        Json graph = Json.parse(at(get(server, "/api/workflows/shipping"), "/stepGraph"));
        for (Json run : List.of(run(server, ""), Json.parse(ended.body()))) {
            assertThat(run.at("/result")).as(run.text()).isEqualTo(Optional.of(Json.of(40)));
            assertThat(run.at("/initialState")).isEqualTo(json(Map.of("count", 5)));
            assertThat(run.at("/activeStepsPath")).isEqualTo(json(Map.of()));
            assertThat(run.at("/suspendedPaths")).isEqualTo(json(Map.of()));
            assertThat(run.at("/serializedStepGraph").map(Json::canonical)).isEqualTo(Optional.of(graph.canonical()));
        }
        Json part = run(server, "?fields=steps,activeStepsPath");
        assertThat(part.fields().keySet()).contains("steps", "activeStepsPath", "status");
        assertThat(part.fields().keySet()).doesNotContain("serializedStepGraph", "suspendedPaths", "payload");
        HttpResponse<String> runs = get(server, PATH + "runs");
        assertThat(Json.parse(at(runs, "/runs/0/snapshot/serializedStepGraph")).canonical())
                .isEqualTo(graph.canonical());
    }

    @ParameterizedTest
    @EnumSource
    void theStepsOfANestedWorkflowAreAmongThoseOfItsRun(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        post(server, PATH + "start-async?runId=r", START);
        Json waiting = run(server, "");
        assertThat(waiting.at("/steps/inner.below/status")).isEqualTo(Optional.of(Json.of("suspended")));
        assertThat(waiting.at("/steps/inner.below/suspendPayload")).isEqualTo(json(Map.of("amount", 3)));
        post(server, PATH + "resume-async?runId=r", Map.of("resumeData", Map.of("accepted", true)));
        Json run = run(server, "");
        assertThat(run.at("/steps/inner.below/status")).isEqualTo(Optional.of(Json.of("success")));
        assertThat(run.at("/steps/inner.below/payload")).isEqualTo(Optional.of(Json.of(3)));
        assertThat(run.at("/steps/inner.below/output")).isEqualTo(Optional.of(Json.of(4)));
        assertThat(run.at("/steps/inner.below/resumedAt")).isPresent();
        Json without = run(server, "?withNestedWorkflows=false");
        assertThat(without.at("/steps/inner/output")).isEqualTo(Optional.of(Json.of(4)));
        assertThat(without.at("/steps/inner.below")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aStepThatWaitsForATimeHasTheOutputOfTheOneBefore(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        post(server, PATH + "start-async?runId=r", START);
        post(server, PATH + "resume-async?runId=r", Map.of("resumeData", Map.of("accepted", true)));
        for (String field : List.of("payload", "output")) {
            assertThat(run(server, "").at("/steps/rest/" + field)).isEqualTo(Optional.of(Json.of(4)));
        }
        assertThat(run(server, "").at("/steps/rest/status")).isEqualTo(Optional.of(Json.of("success")));
        String chunks = post(server, PATH + "observe?runId=r", Map.of()).body();
        List<Json> rest = chunks(chunks, "workflow-step-waiting");
        assertThat(rest).extracting(chunk -> chunk.at("/payload/payload")).containsExactly(Optional.of(Json.of(4)));
        List<Json> ends = chunks(chunks, "workflow-finish");
        assertThat(ends.getLast().at("/payload/finalWorkflowResult")).isEqualTo(Optional.of(Json.of(40)));
        assertThat(ends.getFirst().at("/payload/finalWorkflowResult").isEmpty()).isEqualTo(ends.size() > 1);
    }

    @ParameterizedTest
    @EnumSource
    void aStepWhoseNestedWorkflowWaitsIsSuspendedAndOneThatHasWaitedEnds(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        String first = post(server, PATH + "stream?runId=r", START).body();
        List<Json> suspended = chunks(first, "workflow-step-suspended");
        assertThat(suspended).as(first).hasSize(1);
        assertThat(suspended.getFirst().at("/payload/id")).contains(Json.of("inner"));
        assertThat(suspended.getFirst().at("/payload/status")).contains(Json.of("suspended"));
        assertThat(suspended.getFirst().at("/payload/suspendPayload")).isEqualTo(json(Map.of("amount", 3)));
        Map<String, Object> answer = Map.of("step", List.of("inner", "below"), "resumeData", Map.of("accepted", true));
        String second = post(server, PATH + "resume-stream?runId=r", answer).body();
        assertThat(chunks(second, "workflow-step-suspended")).isEmpty();
        for (String type : List.of("workflow-step-result", "workflow-step-finish")) {
            assertThat(chunks(second, type))
                    .as(second)
                    .extracting(chunk -> chunk.at("/payload/id"))
                    .containsExactly(
                            Optional.of(Json.of("inner")), Optional.of(Json.of("rest")), Optional.of(Json.of("last")));
        }
        Json rest = chunks(second, "workflow-step-result").get(1);
        assertThat(rest.at("/payload/status")).contains(Json.of("success"));
        assertThat(rest.at("/payload/output")).contains(Json.of(4));
        assertThat(rest.at("/payload/endedAt")).isPresent();
    }

    private static List<Json> chunks(String stream, String type) {
        return Stream.of(stream.split("\u001e", -1))
                .filter(record -> !record.isBlank())
                .map(Json::parse)
                .filter(chunk -> chunk.at("/type").equals(Optional.of(Json.of(type))))
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void stepsThatAreExecutedOrWaitHaveTheirPlaces(HttpBinding binding) throws InterruptedException {
        ChargehandServer server = serve(binding);
        String path = "/api/workflows/checking/";
        HttpResponse<String> waiting = post(server, path + "start-async?runId=r", Map.of("inputData", 3));
        assertThat(Json.parse(waiting.body()).at("/suspendedPaths")).isEqualTo(json(Map.of("left", List.of(1, 1))));
        assertThat(Json.parse(waiting.body()).at("/activeStepsPath")).isEqualTo(json(Map.of()));
        assertThat(at(waiting, "/steps/before/payload")).isEqualTo("3");
        post(server, path + "resume?runId=r", Map.of("step", "left", "resumeData", Map.of("accepted", true)));
        entered.await();
        Json run = Json.parse(get(server, path + "runs/r").body());
        released.countDown();
        assertThat(run.at("/activeStepsPath")).as(run.text()).isEqualTo(json(Map.of("hold", List.of(4))));
        assertThat(run.at("/suspendedPaths")).isEqualTo(json(Map.of()));
        assertThat(run.at("/steps/after/payload"))
                .as("the output of a map is not in the events")
                .isEmpty();
    }
}
