package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.run.RequestContext;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a caller of the own API sends with the start of a workflow's run, besides its input. */
@Timeout(120)
class WorkflowStartsOverHttpTest extends ServerFixture {

    private static final String START = "/api/v1/workflows/greeting/runs";
    private static final RequestContext.Key<String> TIER = RequestContext.Key.of("tier", String.class);

    record Shared(int greeted, String last) {}

    @Override
    AgentRuntimeBuilder changed(AgentRuntimeBuilder runtime) {
        Step<Order, String> greet = Step.of("greet", Order.class, String.class, (order, context) -> {
            Shared shared = context.state(Shared.class);
            return context.requestContext().get(TIER).orElse("no tier") + " after " + shared.last() + " and "
                    + shared.greeted();
        });
        return runtime.workflows(Workflow.from("greeting", Order.class)
                .state(Shared.class, new Shared(0, "nobody"))
                .then(greet)
                .build(String.class));
    }

    private ChargehandServer serveTiers(HttpBinding binding) {
        return serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.binding(binding)
                .addContextKey("tier"));
    }

    private static Map<String, Object> body(Map<String, Object> options) {
        return Map.of("input", Map.of("amount", 3), "options", options);
    }

    private HttpResponse<String> run(ChargehandServer server, Map<String, Object> options, String... headers) {
        return post(
                server,
                START,
                body(options),
                headers.length == 0
                        ? new String[] {"Prefer", "wait=60"}
                        : new String[] {"Prefer", "wait=60", headers[0], headers[1]});
    }

    @ParameterizedTest
    @EnumSource
    void aRunHasTheContextAndTheStateOfItsStart(HttpBinding binding) {
        ChargehandServer server = serveTiers(binding);
        HttpResponse<String> answer = run(
                server,
                Map.of(
                        "requestContext",
                        Map.of("tier", "gold"),
                        "initialState",
                        Map.of("greeted", 4, "last", "Ann"),
                        "versions",
                        Map.of()));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(at(answer, "/object")).isEqualTo("gold after Ann and 4");
        assertThat(at(run(server, Map.of()), "/object")).isEqualTo("no tier after nobody and 0");
    }

    @ParameterizedTest
    @EnumSource
    void aRepeatedStartWithOthersIsAMistake(HttpBinding binding) {
        ChargehandServer server = serveTiers(binding);
        Map<String, Object> state = Map.of("initialState", Map.of("greeted", 4, "last", "Ann"));
        HttpResponse<String> first = run(server, state, "Idempotency-Key", "k");
        HttpResponse<String> second = run(server, state, "Idempotency-Key", "k");
        assertThat(at(second, "/runId")).isEqualTo(at(first, "/runId"));
        for (Map<String, Object> other : List.<Map<String, Object>>of(
                Map.of(),
                Map.of("requestContext", Map.of("tier", "gold"), "initialState", state.get("initialState")))) {
            HttpResponse<String> answer = run(server, other, "Idempotency-Key", "k");
            assertThat(at(answer, "/code")).as(answer.body()).isEqualTo("idempotency-mismatch");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStartThatCannotBeMadeSaysWhy(HttpBinding binding) {
        ChargehandServer server = serveTiers(binding);
        Map<Map<String, Object>, String> wrong = Map.of(
                Map.of("requestContext", Map.of("role", "admin")), "they may set tier",
                Map.of("requestContext", List.of("tier")), "/options/requestContext",
                Map.of("initialState", List.of(1)), "initial state must be a JSON object",
                Map.of("initialState", Map.of("greeted", "often", "last", "Ann")), "initial state breaks its schema",
                Map.of("initialState", Map.of("greeted", 1, "last", "x".repeat(300_000))), "262144 are allowed",
                Map.of("maxSteps", 1), "known are initialState, requestContext, versions");
        wrong.forEach((options, words) -> {
            HttpResponse<String> answer = run(server, options);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
            assertThat(at(answer, "/code")).isEqualTo("bad-request");
            assertThat(at(answer, "/detail")).contains(words);
        });
        assertThat(at(get(server, "/api/v1/runs"), "/runs")).isEqualTo("[]");
    }
}
