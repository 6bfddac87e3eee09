package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.json.Json;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers to a call that was answered before: the same one has the first outcome, and another one, which would have no effect, is rejected. */
class AnswersAgainOverHttpTest extends ServerFixture {

    private static final Workflow<Order, Integer> ASKING = Workflow.from("asking", Order.class)
            .then(Step.of("ask", Order.class, Integer.class, (order, context) -> context.resumeData(Order.class)
                    .map(given -> order.amount() + given.amount())
                    .orElseGet(() -> context.suspend(Map.of()))))
            .build(Integer.class);

    @Override
    List<Agent> agents() {
        Tool sign = Tool.builder("sign", "Signs.")
                .input(Order.class)
                .requiresApproval()
                .handler((order, context) -> "signed")
                .build();
        Agent hasty = Agent.builder("hasty")
                .model(script.modelFor("hasty"))
                .tools(sign)
                .defaultOptions(options -> options.approvalExpiry(Duration.ofMillis(1)))
                .build();
        return Stream.concat(super.agents().stream(), Stream.of(hasty)).toList();
    }

    @Override
    AgentRuntimeBuilder changed(AgentRuntimeBuilder runtime) {
        return runtime.workflows(ASKING);
    }

    private static Map<String, Object> body(String decision, HttpResponse<String> waiting, String name, Object value) {
        Map<String, Object> body =
                new HashMap<>(Map.of("decision", decision, "digest", at(waiting, "/approvals/0/digest")));
        body.put(name, value);
        return body;
    }

    private void requireRejected(ChargehandServer server, String path, Map<String, Object> body) {
        HttpResponse<String> other = post(server, path, body);
        assertThat(other.statusCode()).isEqualTo(409);
        assertThat(at(other, "/code")).isEqualTo("approval-already-decided");
    }

    private static String path(String base, HttpResponse<String> waiting) {
        return base + at(waiting, "/approvals/0/id") + "/answer";
    }

    @ParameterizedTest
    @EnumSource
    void dataThatDifferIsAnotherAnswer(HttpBinding binding) {
        ChargehandServer server = serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.binding(binding));
        HttpResponse<String> started = post(
                server, "/api/v1/workflows/asking/runs", Map.of("input", Map.of("amount", 3)), "Prefer", "wait=30");
        HttpResponse<String> waiting = get(server, "/api/v1/approvals");
        String path = path("/api/v1/approvals/", waiting);
        Map<String, Object> answer = body("data", waiting, "data", Map.of("amount", 4));
        assertThat(post(server, path, answer).statusCode()).isEqualTo(200);
        assertThat(RunsOverHttpTest.types(
                        get(server, path(started) + "/events?until=end").body()))
                .endsWith("run-finish");
        assertThat(at(get(server, path(started) + "/result"), "/text")).isEqualTo("7");

        assertThat(post(server, path, answer).statusCode()).isEqualTo(200);
        requireRejected(server, path, body("data", waiting, "data", Map.of("amount", 5)));
    }

    @ParameterizedTest
    @EnumSource
    void aReasonThatDiffersIsAnotherAnswer(HttpBinding binding) {
        script.on("clerk").calls("pay", Map.of("amount", 7)).then().says("Not paid.");
        ChargehandServer server = serve(binding);
        HttpResponse<String> started = post(server, "/api/v1/agents/clerk/runs", prompt("Pay."), "Prefer", "wait=30");
        HttpResponse<String> waiting = get(server, "/api/v1/approvals");
        String path = path("/api/v1/approvals/", waiting);
        Map<String, Object> answer = body("decline", waiting, "reason", "Too much.");
        assertThat(post(server, path, answer).statusCode()).isEqualTo(200);
        assertThat(RunsOverHttpTest.types(
                        get(server, path(started) + "/events?until=end").body()))
                .endsWith("run-finish");

        assertThat(post(server, path, answer).statusCode()).isEqualTo(200);
        requireRejected(server, path, body("decline", waiting, "reason", "Too little."));
        assertThat(paid).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerAfterItsTimeIsRejectedAsTooLate(HttpBinding binding) {
        script.on("hasty").calls("sign", Map.of("amount", 7)).then().says("Not signed.");
        ChargehandServer server = serve(binding);
        HttpResponse<String> started = post(server, "/api/v1/agents/hasty/runs", prompt("Sign."));
        String events = get(server, path(started) + "/events?until=end&types=tool-call-approval,run-finish")
                .body();
        String data = events.lines()
                .filter(line -> line.startsWith("data: "))
                .findFirst()
                .orElseThrow();
        Json approval =
                Json.parse(data.substring("data: ".length())).at("/approval").orElseThrow();
        String call = approval.at("/callId").flatMap(Json::string).orElseThrow();
        String digest = approval.at("/digest").flatMap(Json::string).orElseThrow();

        HttpResponse<String> late = post(
                server,
                "/api/v1/approvals/" + at(started, "/runId") + "." + call + ".1/answer",
                Map.of("decision", "approve", "digest", digest));
        assertThat(late.statusCode()).as(late.body()).isEqualTo(410);
        assertThat(at(late, "/code")).isEqualTo("approval-expired");
    }
}
