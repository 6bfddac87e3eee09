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
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A released run whose workflow has other steps in this server than when it started is no error of the server. */
class ChangedWorkflowOverHttpTest extends ServerFixture {

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
    void itIsAProblemOfItsVersion(HttpBinding binding) throws Exception {
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
}
