package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A run that cannot be resumed is neither an error of the server nor of its store. */
class ResumeOverHttpTest extends ServerFixture {

    private final CountDownLatch reached = new CountDownLatch(1);
    private String step = "waits";

    @TempDir
    private Path folder;

    @Override
    AgentRuntimeBuilder changed(AgentRuntimeBuilder runtime) {
        return runtime.closeGrace(Duration.ofMillis(1))
                .addWorkflow(Workflow.from("resting", String.class)
                        .then(Step.of(step, String.class, String.class, (in, context) -> {
                            reached.countDown();
                            new CountDownLatch(1).await();
                            return in;
                        }))
                        .build(String.class));
    }

    @ParameterizedTest
    @EnumSource
    void aWorkflowThatHasOtherStepsIsAProblemOfItsVersion(HttpBinding binding) throws Exception {
        Path file = folder.resolve("runs.db");
        String run;
        try (AgentRuntime before = runtime(JdbcStore.sqlite(file))) {
            ChargehandServer server = serve(before, builder -> builder.binding(binding));
            run = at(post(server, "/api/v1/workflows/resting/runs", Map.of("input", "Well")), "/runId");
            reached.await();
        }
        step = "other";
        ChargehandServer server = serve(runtime(JdbcStore.sqlite(file)), builder -> builder.binding(binding));
        HttpResponse<String> answer = post(server, "/api/v1/runs/" + run + "/resume", Map.of());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(422);
        assertThat(at(answer, "/code")).isEqualTo("version-unknown");
        assertThat(at(answer, "/detail")).contains("other steps");
    }

    @ParameterizedTest
    @EnumSource
    void aRunThatAProcessExecutesIsNotResumed(HttpBinding binding) throws Exception {
        Path file = folder.resolve("runs.db");
        ChargehandServer server = serve(runtime(JdbcStore.sqlite(file)), builder -> builder.binding(binding));
        String run = at(post(server, "/api/v1/workflows/resting/runs", Map.of("input", "Well")), "/runId");
        reached.await();
        ChargehandServer other = serve(runtime(JdbcStore.sqlite(file)), builder -> builder.binding(binding));
        for (ChargehandServer each : List.of(server, other)) {
            HttpResponse<String> answer = post(each, "/api/v1/runs/" + run + "/resume", Map.of());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(409);
            assertThat(at(answer, "/code")).isEqualTo("run-executed");
            assertThat(answer.headers().firstValue("Retry-After")).isEmpty();
        }
    }
}
