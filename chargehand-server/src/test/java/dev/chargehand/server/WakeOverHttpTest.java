package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A wait is ended early once; a wait that is over is reported as a second answer to an approval is. */
class WakeOverHttpTest extends ServerFixture {

    @Override
    AgentRuntimeBuilder changed(AgentRuntimeBuilder runtime) {
        return runtime.addWorkflow(Workflow.from("resting", String.class)
                .sleep("rest", Duration.ofDays(1))
                .then(Step.of("after", String.class, String.class, (in, context) -> in + " rested"))
                .build(String.class));
    }

    @ParameterizedTest
    @EnumSource
    void aWaitIsEndedOnce(HttpBinding binding) {
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, builder -> builder.binding(binding));
        HttpResponse<String> run =
                post(server, "/api/v1/workflows/resting/runs", Map.of("input", "Well"), "Prefer", "wait=1");
        String steps = "/api/v1/runs/" + at(run, "/runId") + "/steps/";

        HttpResponse<String> elsewhere = post(server, steps + "after/wake", Map.of());
        assertThat(elsewhere.statusCode()).isEqualTo(404);
        assertThat(at(elsewhere, "/code")).isEqualTo("approval-unknown");
        assertThat(at(elsewhere, "/detail")).contains("nothing at 'after' waits for a time", "rest");

        assertThat(post(server, steps + "rest/wake", Map.of()).statusCode()).isEqualTo(202);
        assertThat(runtime.handle(RunId.of(at(run, "/runId"))).result().text()).isEqualTo("Well rested");

        HttpResponse<String> again = post(server, steps + "rest/wake", Map.of());
        assertThat(again.statusCode()).isEqualTo(409);
        assertThat(at(again, "/code")).isEqualTo("approval-already-decided");
        assertThat(at(again, "/detail")).contains("'rest'", "the run has ended");
    }
}
