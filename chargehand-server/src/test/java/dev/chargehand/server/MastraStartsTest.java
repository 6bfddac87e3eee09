package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.Wakeups;
import dev.chargehand.json.Json;
import dev.chargehand.run.RequestContext;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What Mastra's client sends with the start of a workflow's run, besides its input. */
class MastraStartsTest extends ServerFixture {

    private static final String PATH = "/api/workflows/greeting/";
    private static final List<String> STARTS = List.of("start", "start-async", "stream");
    private static final RequestContext.Key<String> TIER = RequestContext.Key.of("tier", String.class);

    record Shared(int greeted, String last) {}

    private final Workflow<Order, String> greeting = greeting();

    private static Workflow<Order, String> greeting() {
        Step<Order, String> greet = Step.of("greet", Order.class, String.class, (order, context) -> {
            Shared shared = context.state(Shared.class);
            context.updateState(Map.of("greeted", shared.greeted() + 1));
            return context.requestContext().get(TIER).orElse("no tier") + " after " + shared.last();
        });
        Step<String, String> ask =
                Step.of("ask", String.class, String.class, (text, context) -> context.resumeData(Order.class)
                        .map(order -> text + ", " + context.state(Shared.class).greeted() + " greeted, "
                                + context.requestContext().get(TIER).orElse("no tier"))
                        .orElseGet(() -> context.suspend(Map.of())));
        return Workflow.from("greeting", Order.class)
                .state(Shared.class, new Shared(0, "nobody"))
                .then(greet)
                .then(ask)
                .build(String.class);
    }

    @Override
    AgentRuntimeBuilder changed(AgentRuntimeBuilder runtime) {
        return runtime.workflows(greeting).wakeups(Wakeups.own());
    }

    private ChargehandServer serveTiers(HttpBinding binding) {
        return serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.binding(binding)
                .addContextKey("tier"));
    }

    private static Map<String, Object> body(String name, Object value) {
        Map<String, Object> body = new HashMap<>(Map.of("inputData", Map.of("amount", 3)));
        body.put(name, value);
        return body;
    }

    private void assertRejected(HttpResponse<String> answer, String word) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(at(answer, "/error")).contains(word);
    }

    @ParameterizedTest
    @EnumSource
    void aRunHasTheContextAndTheStateOfItsStart(HttpBinding binding) {
        ChargehandServer server = serveTiers(binding);
        Map<String, Object> body = body("requestContext", Map.of("tier", "gold"));
        body.put("initialState", Map.of("greeted", 4, "last", "Ann"));
        body.put("perStep", false);
        for (String name : STARTS) {
            HttpResponse<String> start = post(server, PATH + name + "?runId=" + name, body);
            assertThat(start.statusCode()).as(start.body()).isEqualTo(200);
            HttpResponse<String> rest = post(server, PATH + "observe?runId=" + name, Map.of());
            assertThat(rest.body()).as(name).contains("gold after Ann", "\"workflowStatus\":\"suspended\"");
            assertThat(result(server, name)).as(name).isEqualTo("gold after Ann, 5 greeted, gold");
        }
        post(server, PATH + "start-async?runId=plain", body("initialState", null));
        assertThat(result(server, "plain")).isEqualTo("no tier after nobody, 1 greeted, no tier");
    }

    private String result(ChargehandServer server, String run) {
        HttpResponse<String> answer = post(
                server, PATH + "resume-async?runId=" + run, Map.of("step", "ask", "resumeData", Map.of("amount", 1)));
        return at(answer, "/result");
    }

    @ParameterizedTest
    @EnumSource
    void aRepeatedStartWithOthersIsAMistake(HttpBinding binding) {
        ChargehandServer server = serveTiers(binding);
        Map<String, Object> body = body("requestContext", Map.of("tier", "gold"));
        body.put("initialState", Map.of("greeted", 4, "last", "Ann"));
        String run = at(post(server, PATH + "start-async?runId=r", body), "/runId");
        assertThat(at(post(server, PATH + "start-async?runId=r", body), "/runId"))
                .isEqualTo(run);
        for (String other : List.of("requestContext", "initialState")) {
            Map<String, Object> changed = new HashMap<>(body);
            changed.remove(other);
            HttpResponse<String> answer = post(server, PATH + "start-async?runId=r", changed);
            assertThat(at(answer, "/code")).as(answer.body()).isEqualTo("idempotency-mismatch");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStartThatCannotBeMadeSaysWhy(HttpBinding binding) {
        ChargehandServer server = serveTiers(binding);
        Map<Map<String, Object>, String> wrong = Map.of(
                body("perStep", true), "perStep",
                body("requestContext", Map.of("role", "admin")), "requestContext",
                body("requestContext", List.of("tier")), "requestContext",
                body("initialState", List.of(1)), "initialState",
                body("initialState", Map.of("greeted", "often", "last", "Ann")), "initial state",
                body("initialState", Map.of("greeted", 1, "last", "x".repeat(300_000))), "262144 are allowed",
                body("closeOnSuspend", false), "closeOnSuspend");
        for (String name : STARTS) {
            wrong.forEach((body, word) -> assertRejected(post(server, PATH + name, body), word));
        }
        assertThat(at(get(server, PATH + "runs"), "/total")).isEqualTo("0");
    }

    @ParameterizedTest
    @EnumSource
    void aRunThatContinuesKeepsItsContext(HttpBinding binding) {
        ChargehandServer server = serveTiers(binding);
        post(server, PATH + "start-async?runId=r", body("requestContext", Map.of("tier", "gold")));
        Map<String, Object> answer = Map.of("step", "ask", "resumeData", Map.of("amount", 1));
        for (String name :
                List.of("resume", "resume-no-wait", "resume-async", "resume-stream", "restart", "restart-async")) {
            for (Map.Entry<String, Object> field : Map.of(
                            "perStep", true, "requestContext", Map.<String, Object>of("tier", "silver"))
                    .entrySet()) {
                Map<String, Object> body = new HashMap<>(answer);
                body.put(field.getKey(), field.getValue());
                assertRejected(post(server, PATH + name + "?runId=r", body), field.getKey());
            }
        }
        Map<String, Object> empty = new HashMap<>(answer);
        empty.putAll(Map.of("perStep", false, "requestContext", Map.of()));
        HttpResponse<String> resumed = post(server, PATH + "resume-async?runId=r", empty);
        assertThat(at(resumed, "/result")).as(resumed.body()).isEqualTo("gold after nobody, 1 greeted, gold");
    }

    @ParameterizedTest
    @EnumSource
    void aTravelHasTheContextOfItsSourceAndItsOwn(HttpBinding binding) {
        ChargehandServer server = serveTiers(binding);
        post(server, PATH + "start-async?runId=r", body("requestContext", Map.of("tier", "gold")));
        for (String name : List.of("time-travel", "time-travel-async", "time-travel-stream")) {
            String same = travelled(server, name, Map.of("step", "greet"));
            assertThat(result(server, same)).as(name).isEqualTo("gold after nobody, 1 greeted, gold");
            Map<String, Object> changes = Map.of(
                    "step", "greet",
                    "requestContext", Map.of("tier", "silver"),
                    "initialState", Map.of("greeted", 7, "last", "Bob"));
            String other = travelled(server, name, changes);
            assertThat(result(server, other)).as(name).isEqualTo("silver after Bob, 8 greeted, silver");
            assertRejected(
                    post(
                            server,
                            PATH + name + "?runId=r",
                            Map.of("step", "greet", "requestContext", Map.of("role", "admin"))),
                    "requestContext");
        }
    }

    private String travelled(ChargehandServer server, String name, Map<String, Object> body) {
        HttpResponse<String> fork = post(server, PATH + name + "?runId=r", body);
        assertThat(fork.statusCode()).as(fork.body()).isEqualTo(200);
        String run = fork.headers().firstValue("X-Run-Id").orElseGet(() -> Json.parse(fork.body())
                .at("/runId")
                .orElseThrow()
                .string()
                .orElseThrow());
        String rest = post(server, PATH + "observe?runId=" + run, Map.of()).body();
        assertThat(rest).contains("\"workflowStatus\":\"suspended\"");
        return run;
    }
}
