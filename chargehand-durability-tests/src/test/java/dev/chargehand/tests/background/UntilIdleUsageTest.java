package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.IdleStream.IdleResult;
import dev.chargehand.Wakeups;
import dev.chargehand.background.IdleReason;
import dev.chargehand.error.ModelException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The usage of an until-idle call. */
@Timeout(60)
class UntilIdleUsageTest {

    record Topic(String topic) {}

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void hasThatOfAttemptsThatFailed(boolean onDisk) {
        Script script = ScriptedModel.script()
                .on("boss")
                .calls("agent-researcher", Map.of("prompt", "Bees", "background", true))
                .uses(1, 1)
                .then()
                .says("It has started.")
                .uses(1, 1)
                .then()
                .says("Found.")
                .uses(1, 1)
                .on("researcher")
                .calls("search", Map.of("topic", "bees"))
                .uses(1_000, 100)
                .then()
                .failsWith(new ModelException(ModelException.Kind.OVERLOADED, "Too busy.", null))
                .then()
                .says("Bees fly.")
                .uses(10, 10);
        Agent researcher = Agent.builder("researcher")
                .description("Researches.")
                .model("openai/gpt-5-mini")
                .tools(Tool.of("search", "Searches.", Topic.class, (in, context) -> "Nothing."))
                .defaultOptions(o -> o.retries(0))
                .build();
        Agent boss = Agent.builder("boss")
                .model("openai/gpt-5-mini")
                .agents(researcher)
                .background(b -> b.agents("researcher").retries(1))
                .build();
        try (TestRuntime test = TestRuntime.builder(script)
                .store(onDisk ? JdbcStore.sqlite(folder.resolve("runs.db")) : InMemoryStore.keepingEndedRuns())
                .agents(boss)
                .wakeups(Wakeups.own())
                .build()) {
            IdleResult result = test.agent("boss").generateUntilIdle("Research bees", TaskFixture.onThread());
            assertThat(result.reason()).isEqualTo(IdleReason.DONE);
            assertThat(result.text()).isEqualTo("Found.");
            assertThat(result.tasks()).singleElement().satisfies(task -> {
                assertThat(task.attempt()).isEqualTo(2);
                assertThat(task.usage()).isEqualTo(Usage.of(10, 10));
            });
            assertThat(result.usageByAgent())
                    .isEqualTo(Map.of("boss", Usage.of(3, 3), "researcher", Usage.of(1_010, 110)));
            assertThat(result.totalUsage()).isEqualTo(Usage.of(1_013, 113));
        }
    }
}
