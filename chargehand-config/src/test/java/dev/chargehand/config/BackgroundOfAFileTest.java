package dev.chargehand.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.IdleStream.IdleResult;
import dev.chargehand.background.BackgroundOptions;
import dev.chargehand.background.Disposition;
import dev.chargehand.background.IdleReason;
import dev.chargehand.background.OnEnd;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskStatus;
import dev.chargehand.config.internal.file.FileReader;
import dev.chargehand.store.InMemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Background tasks of agents that a file defines. */
class BackgroundOfAFileTest {

    @TempDir
    Path folder;

    private Path write(String background) throws IOException {
        return Files.writeString(folder.resolve("crew.yaml"), """
                model: offline
                default: boss
                agents:
                  boss:
                    agents: [ finder, writer ]
                    workflows: [ letters ]
                    background: %s
                  finder: { description: Finds. }
                  writer: { description: Writes. }
                workflows:
                  letters: { description: Answers a letter., steps: [ { map: "{/input}" } ] }
                """.formatted(background));
    }

    private BackgroundOptions options(String background) throws IOException {
        BackgroundOptions.Builder options = BackgroundOptions.builder();
        FileReader.read(write(background), "crew.yaml", Crew.TOOLS)
                .agents()
                .get("boss")
                .background()
                .set(options);
        return options.build();
    }

    @Test
    void aListLetsTheModelDecideAndOthersAreNoTasks() throws IOException {
        BackgroundOptions options = options("{ agents: [ finder ], workflows: [ letters ] }");

        assertThat(options.ofAgent("finder")).isEqualTo(Disposition.MODEL);
        assertThat(options.ofAgent("writer")).isEqualTo(Disposition.NEVER);
        assertThat(options.ofWorkflow("letters")).isEqualTo(Disposition.MODEL);
        assertThat(options.timeout()).isNull();
        assertThat(options.retries()).isZero();
        assertThat(options.onEnd()).isEqualTo(OnEnd.WAIT);
    }

    @Test
    void aMappingDecidesForEachAndAllForTheOthers() throws IOException {
        BackgroundOptions options = options(
                "{ agents: { finder: always, writer: never }, all: true, timeout: 90s, retries: 10, onEnd: continue }");

        assertThat(options.ofAgent("finder")).isEqualTo(Disposition.ALWAYS);
        assertThat(options.ofAgent("writer")).isEqualTo(Disposition.NEVER);
        assertThat(options.ofWorkflow("letters")).isEqualTo(Disposition.MODEL);
        assertThat(options.timeout()).isEqualTo(Duration.ofSeconds(90));
        assertThat(options.retries()).isEqualTo(10);
        assertThat(options.onEnd()).isEqualTo(OnEnd.CONTINUE);
    }

    @Test
    void aDelegationOfAnAgentOfTheFileIsATaskWhoseResultStartsATurn() throws IOException {
        AgentsFile file =
                AgentsFileReader.read(write("{ agents: { finder: always, writer: always } }"), "crew.yaml", Crew.TOOLS);
        assertThat(file.agents().get("boss").startsTasks()).isTrue();
        assertThat(file.agents().get("finder").startsTasks()).isFalse();
        try (Crew crew = Crew.builder(file).environment(name -> null).build()) {
            Agent boss = crew.agent(file.agents().get("boss"));
            try (AgentRuntime runtime = crew.runtime(InMemoryStore.keepingEndedRuns(), List.of(boss))
                    .build()) {
                IdleResult result =
                        runtime.agent("boss").generateUntilIdle("Solar roofs", options -> options.thread("t1"));

                assertThat(result.reason()).isEqualTo(IdleReason.DONE);
                assertThat(result.turns().getFirst().text()).startsWith("Sub-agents work on it in the background.");
                assertThat(result.text()).doesNotContain("Sub-agents work on it", "task-result");
                assertThat(result.tasks()).extracting(Task::agentId).contains("finder", "writer");
                assertThat(result.tasks()).extracting(Task::status).containsOnly(TaskStatus.COMPLETED);
                assertThat(result.tasks()).allMatch(task -> task.readBy().isPresent());
            }
        }
    }
}
