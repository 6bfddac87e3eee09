package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.RunHandle;
import dev.chargehand.Wakeups;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.net.http.HttpResponse;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs of workflows that Mastra's client repeats from a step on, or resumes. */
class MastraTimeTravelTest extends ServerFixture {

    private static final String PATH = "/api/workflows/ordering/";

    private final AtomicBoolean open = new AtomicBoolean();
    private final AtomicInteger priced = new AtomicInteger();
    private final Workflow<Order, String> ordering = ordering();

    private Workflow<Order, String> ordering() {
        Step<Order, Integer> price = Step.of("price", Order.class, Integer.class, (order, context) -> {
            priced.incrementAndGet();
            return order.amount() * 100;
        });
        Step<Integer, Integer> tax = Step.of("tax", Integer.class, Integer.class, (sum, context) -> sum + 19);
        Step<Integer, String> ship = Step.of("ship", Integer.class, String.class, (sum, context) -> {
            if (!open.get()) {
                throw new IllegalStateException("The store is closed.");
            }
            return "Shipped for " + sum;
        });
        return Workflow.from("ordering", Order.class)
                .then(price)
                .then(tax)
                .then(ship)
                .build(String.class);
    }

    @Override
    AgentRuntimeBuilder changed(AgentRuntimeBuilder runtime) {
        return runtime.workflows(ordering).wakeups(Wakeups.own());
    }

    private static Optional<Principal> resolve(String token) {
        return switch (token) {
            case "admin" ->
                Optional.of(new Principal("admin", Store.LOCAL, Optional.empty(), EnumSet.allOf(Scope.class)));
            case "writer" ->
                Optional.of(new Principal(
                        "writer",
                        Store.LOCAL,
                        Optional.empty(),
                        EnumSet.of(Scope.RUNS_WRITE, Scope.RUNS_READ, Scope.RESOURCES_ANY)));
            case "ann" ->
                Optional.of(new Principal("ann", Store.LOCAL, Optional.of("ann"), EnumSet.of(Scope.RUNS_WRITE)));
            default -> Optional.empty();
        };
    }

    /** Start a server that has a run, named {@code r} by its client, that failed at its last step. */
    private ChargehandServer serveFailed(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        HttpResponse<String> failed =
                post(server, PATH + "start-async?runId=r", Map.of("inputData", Map.of("amount", 3)));
        assertThat(at(failed, "/status")).isEqualTo("failed");
        open.set(true);
        return server;
    }

    @ParameterizedTest
    @EnumSource
    void aFailedRunIsRepeatedFromItsStepAsARunOfItsOwn(HttpBinding binding) {
        ChargehandServer server = serveFailed(binding);
        HttpResponse<String> fork = post(server, PATH + "time-travel-async?runId=r", Map.of("step", "ship"));
        assertThat(at(fork, "/result")).as(fork.body()).isEqualTo("Shipped for 319");
        assertThat(at(fork, "/steps/tax/output")).isEqualTo("319");
        assertThat(priced).hasValue(1);
        String id = at(fork, "/runId");
        assertThat(at(get(server, PATH + "runs/r"), "/status")).isEqualTo("failed");
        assertThat(at(get(server, PATH + "runs/r"), "/runId")).isNotEqualTo(id);
        assertThat(at(get(server, PATH + "runs/" + id), "/result")).isEqualTo("Shipped for 319");
    }

    @ParameterizedTest
    @EnumSource
    void theInputOfAStepAndResultsOfEarlierOnesAreReplaced(HttpBinding binding) {
        ChargehandServer server = serveFailed(binding);
        assertThat(shipped(server, Map.of("step", "price", "inputData", Map.of("amount", 5))))
                .isEqualTo("Shipped for 519");
        assertThat(shipped(server, Map.of("step", List.of("ship"), "inputData", 7)))
                .isEqualTo("Shipped for 7");
        Map<String, Object> price = Map.of("status", "success", "payload", Map.of("amount", 3), "output", 50);
        Map<String, Object> ship = Map.of("status", "failed", "error", "It is closed.");
        assertThat(shipped(server, Map.of("step", "tax", "context", Map.of("price", price, "ship", ship))))
                .isEqualTo("Shipped for 69");
    }

    private String shipped(ChargehandServer server, Map<String, Object> body) {
        HttpResponse<String> fork = post(server, PATH + "time-travel-async?runId=r", body);
        assertThat(fork.statusCode()).as(fork.body()).isEqualTo(200);
        return at(fork, "/result");
    }

    @ParameterizedTest
    @EnumSource
    void aTravelIsStreamedOrNotWaitedFor(HttpBinding binding) {
        ChargehandServer server = serveFailed(binding);
        HttpResponse<String> stream = post(server, PATH + "time-travel-stream?runId=r", Map.of("step", "tax"));
        assertThat(stream.body()).contains("workflow-start", "\"workflowStatus\":\"success\"");
        assertThat(stream.headers().firstValue("X-Run-Id").map(id -> at(get(server, PATH + "runs/" + id), "/status")))
                .contains("success");
        HttpResponse<String> started = post(server, PATH + "time-travel?runId=r", Map.of("step", "tax"));
        assertThat(at(started, "/message")).isEqualTo("Workflow run time travel started");
        String rest = post(server, PATH + "observe?runId=" + at(started, "/runId"), Map.of())
                .body();
        assertThat(rest).contains("\"workflowStatus\":\"success\"");
    }

    @ParameterizedTest
    @EnumSource
    void aTravelThatCannotBeMadeSaysWhy(HttpBinding binding) {
        ChargehandServer server = serveFailed(binding);
        Map<Map<String, Object>, String> wrong = Map.of(
                Map.of(), "step",
                Map.of("step", "pack"), "step",
                Map.of("step", List.of(1)), "step",
                Map.of("step", List.of("ship", "pack"), "inputData", 7), "inputData",
                Map.of("step", "ship", "resumeData", Map.of("a", 1)), "resumeData",
                Map.of("step", "ship", "perStep", true), "perStep",
                Map.of("step", "ship", "context", Map.of("tax", 7)), "tax");
        for (String name : List.of("time-travel", "time-travel-async", "time-travel-stream")) {
            wrong.forEach((body, word) -> {
                HttpResponse<String> answer = post(server, PATH + name + "?runId=r", body);
                assertThat(answer.statusCode()).as(name + body + answer.body()).isEqualTo(400);
                assertThat(answer.body()).contains(word);
            });
            assertThat(post(server, PATH + name + "?runId=absent", Map.of("step", "ship"))
                            .statusCode())
                    .isEqualTo(404);
        }
        assertThat(at(get(server, PATH + "runs"), "/total")).isEqualTo("1");
    }

    @ParameterizedTest
    @EnumSource
    void theRunsOfOthersAreNotRepeatedOrResumed(HttpBinding binding) {
        ChargehandServer server = serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.binding(binding)
                .addPrincipals(MastraTimeTravelTest::resolve));
        Map<String, Object> input = Map.of("inputData", Map.of("amount", 3));
        String run = at(as("admin", server, "start-async?runId=r", input), "/runId");
        Map<String, Object> travel = Map.of("step", "ship");
        assertThat(as("ann", server, "time-travel?runId=" + run, travel).statusCode())
                .isEqualTo(404);
        assertThat(as("writer", server, "time-travel?runId=r", travel).statusCode())
                .isEqualTo(404); // the id is a name of its starter
        assertThat(as("writer", server, "restart?runId=" + run, Map.of()).statusCode())
                .isEqualTo(403);
        assertThat(as("admin", server, "restart?runId=absent", Map.of()).statusCode())
                .isEqualTo(404);
    }

    private HttpResponse<String> as(String token, ChargehandServer server, String name, Object body) {
        return post(server, PATH + name, body, "Authorization", "Bearer " + token);
    }

    @ParameterizedTest
    @EnumSource
    void aRunWithoutAProcessIsResumed(HttpBinding binding) {
        open.set(true);
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, builder -> builder.binding(binding));
        RunId first = runtime.enqueue(ordering, new Order(3), options -> {}).runId();
        HttpResponse<String> result = post(server, PATH + "restart-async?runId=" + first, Map.of());
        assertThat(at(result, "/result")).as(result.body()).isEqualTo("Shipped for 319");
        RunId second = runtime.enqueue(ordering, new Order(4), options -> {}).runId();
        HttpResponse<String> restarted = post(server, PATH + "restart?runId=" + second, Map.of());
        assertThat(at(restarted, "/message")).isEqualTo("Workflow run restarted");
        assertThat(runtime.handle(second).result().object(String.class)).isEqualTo("Shipped for 419");
        for (String name : List.of("restart", "restart-async")) {
            HttpResponse<String> ended = post(server, PATH + name + "?runId=" + first, Map.of());
            assertThat(ended.statusCode()).isEqualTo(409);
            assertThat(at(ended, "/code")).isEqualTo("ended");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRunOfAnAgentWithoutAProcessIsResumedAndStreamed(HttpBinding binding) {
        script.on("writer").says("One.");
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, builder -> builder.binding(binding));
        RunHandle left = runtime.enqueue(runtime.agent("writer"), List.of(Message.user("Write.")), options -> {});
        HttpResponse<String> stream = post(
                server,
                "/api/agents/writer/recover",
                Map.of("runId", left.runId().value()));
        assertThat(stream.body()).contains("One.", "\"type\":\"finish\"", "[DONE]");
        assertThat(left.result().text()).isEqualTo("One.");
    }
}
