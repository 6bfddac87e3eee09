package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunWatch;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A wait is ended early once; a caller learns why there is none to end, in the words of the API. */
class WakeOverHttpTest extends ServerFixture {

    @Override
    AgentRuntimeBuilder changed(AgentRuntimeBuilder runtime) {
        return runtime.addWorkflow(Workflow.from("resting", String.class)
                .sleep("rest", Duration.ofDays(1))
                .then(Step.of("after", String.class, String.class, (in, context) -> in + " rested"))
                .sleep("again", Duration.ofDays(1))
                .build(String.class));
    }

    private static void awaitSleep(AgentRuntime runtime, RunId run, String entry) {
        try (RunWatch watch = runtime.watch(run, null)) {
            for (RunEvent event : watch) {
                if (event instanceof WorkflowEvent.WorkflowStepWaiting waiting
                        && waiting.stepPath().equals(entry)) {
                    return;
                }
            }
        }
        throw new AssertionError("The run does not sleep at '" + entry + "'.");
    }

    private static void assertRejected(HttpResponse<String> answer, String code, String... words) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(409);
        assertThat(at(answer, "/code")).isEqualTo(code);
        assertThat(at(answer, "/detail")).contains(words).doesNotContain("handle(", "answer(", "giveData(");
    }

    @ParameterizedTest
    @EnumSource
    void aWaitIsEndedOnce(HttpBinding binding) {
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, builder -> builder.binding(binding));
        HttpResponse<String> started = post(server, "/api/v1/workflows/resting/runs", Map.of("input", "Well"));
        RunId run = RunId.of(at(started, "/runId"));
        awaitSleep(runtime, run, "rest");
        String steps = "/api/v1/runs/" + run.value() + "/steps/";

        assertRejected(post(server, steps + "after/wake", Map.of()), "not-sleeping", "'after'", "/events");
        assertRejected(post(server, steps + "x".repeat(2_000) + "/wake", Map.of()), "not-sleeping", "'xxx", "…'");
        assertThat(post(server, steps + "rest/wake", Map.of()).statusCode()).isEqualTo(202);
        awaitSleep(runtime, run, "again");
        assertRejected(post(server, steps + "rest/wake", Map.of()), "not-sleeping", "'rest'", "is over");

        assertThat(post(server, steps + "again/wake", Map.of()).statusCode()).isEqualTo(202);
        assertThat(runtime.handle(run).result().text()).isEqualTo("Well rested");
        for (String path : List.of("rest", "again", "after")) {
            HttpResponse<String> late = post(server, steps + path + "/wake", Map.of());
            assertRejected(late, "ended", "The run has ended");
            assertThat(at(late, "/runStatus")).isEqualTo("completed");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRunThatDoesNotExistOrAsksDoesNotSleep(HttpBinding binding) {
        script.on("clerk").calls("pay", Map.of("amount", 3));
        ChargehandServer server = serve(binding);
        HttpResponse<String> none = post(server, "/api/v1/runs/none/steps/rest/wake", Map.of());
        assertThat(none.statusCode()).isEqualTo(404);
        assertThat(at(none, "/code")).isEqualTo("run-unknown");
        HttpResponse<String> run = post(server, "/api/v1/agents/clerk/runs", prompt("Pay."), "Prefer", "wait=60");
        String wake = "/api/v1/runs/" + at(run, "/runId") + "/steps/pay/wake";
        assertRejected(post(server, wake, Map.of()), "not-sleeping", "'pay'", "/api/v1/approvals");
        assertThat(at(get(server, "/api/v1/approvals"), "/approvals/0/digest")).isNotEmpty();
    }
}
