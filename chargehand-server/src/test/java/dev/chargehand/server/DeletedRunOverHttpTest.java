package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.workflow.Workflow;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A run is deleted when it has ended, and is missing from then on. */
class DeletedRunOverHttpTest extends ServerFixture {

    @Override
    AgentRuntimeBuilder changed(AgentRuntimeBuilder runtime) {
        return runtime.addWorkflow(Workflow.from("resting", String.class)
                .sleep("rest", Duration.ofDays(1))
                .build(String.class));
    }

    @ParameterizedTest
    @EnumSource
    void aRunIsDeletedOnceAndNotBeforeItsEnd(HttpBinding binding) {
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, builder -> builder.binding(binding));
        HttpResponse<String> started =
                post(server, "/api/v1/workflows/resting/runs", Map.of("input", "Well"), "Prefer", "wait=1");
        String run = "/api/v1/runs/" + at(started, "/runId");

        HttpResponse<String> early = send(request(server, run).DELETE().build());
        assertThat(early.statusCode()).isEqualTo(409);
        assertThat(at(early, "/code")).isEqualTo("not-ended");
        assertThat(at(early, "/detail")).contains("cancel it");

        assertThat(post(server, run + "/cancel", Map.of()).statusCode()).isEqualTo(202);
        HttpResponse<String> deleted = send(request(server, run).DELETE().build());
        assertThat(deleted.statusCode()).isEqualTo(204);
        assertThat(deleted.body()).isEmpty();

        assertThat(send(request(server, run).DELETE().build()).statusCode()).isEqualTo(404);
        assertThat(get(server, run).statusCode()).isEqualTo(404);
        assertThat(get(server, run + "/events").statusCode()).isEqualTo(404);
    }
}
