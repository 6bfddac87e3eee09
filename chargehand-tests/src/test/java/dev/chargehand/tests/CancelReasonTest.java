package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The words of the caller who cancels a run are a part of why it ended. */
@Timeout(60)
class CancelReasonTest {

    private static final StopReason WHY = new StopReason.Cancelled("caller", "The order was withdrawn");

    record None() {}

    @TempDir
    Path folder;

    /** The lead's specialist asks for an approval, and so the run waits. */
    private static Agent lead() {
        Tool delete = Tool.builder("delete", "Deletes.")
                .input(None.class)
                .requiresApproval()
                .handler((in, context) -> "deleted")
                .build();
        Script script = Scripts.of(
                Turns.of("lead", Turn.delegates("janitor", "Clean")),
                Turns.of("janitor", Turn.calls("delete", Map.of())));
        Agent janitor = Agent.builder("janitor")
                .description("Cleans.")
                .model(script.modelFor("janitor"))
                .tools(delete)
                .build();
        return Agent.builder("lead")
                .model(script.modelFor("lead"))
                .agents(janitor)
                .build();
    }

    private AgentRuntime runtime(Store store) {
        return AgentRuntime.builder()
                .store(store)
                .wakeups(Wakeups.off())
                .providers()
                .addSecret("sk-very-secret")
                .agents(lead())
                .build();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRunThatWaitsEndsForTheReasonAlsoIfAnotherProcessCancelsIt(boolean another) {
        try (Store store = JdbcStore.sqlite(folder.resolve("runs.db"));
                AgentRuntime runtime = runtime(store);
                Store second = JdbcStore.sqlite(folder.resolve("runs.db"));
                AgentRuntime other = runtime(second)) {
            RunResult waiting = runtime.agent("lead").generate("Go");
            RunId nested = waiting.pendingApprovals().getFirst().runId();

            assertThat((another ? other : runtime).cancel(waiting.runId(), "The order was withdrawn"))
                    .isTrue();

            RunHandle run = runtime.handle(waiting.runId());
            assertThat(run.result().stopReason()).isEqualTo(WHY);
            assertThat(run.result().stopReason().explanation())
                    .isEqualTo("The run was cancelled (caller: The order was withdrawn).");
            assertThat(runtime.findRun(nested)
                            .orElseThrow()
                            .summary()
                            .orElseThrow()
                            .stop())
                    .map(Json::text)
                    .get()
                    .asString()
                    .contains("The order was withdrawn");
            List<Json> finishes = runtime.history(waiting.runId()).stream()
                    .filter(RunEvent.RunFinish.class::isInstance)
                    .map(RunEvent::toJson)
                    .toList();
            assertThat(finishes).hasSize(2).allSatisfy(finish -> assertThat(
                            finish.at("/stopReason/reason").flatMap(Json::string))
                    .contains("The order was withdrawn"));
            assertThat(runtime.cancel(waiting.runId(), "Another reason")).isFalse();
        }
    }

    @Test
    void aRunThatIsExecutedEndsForTheReasonWithoutItsSecrets() {
        AgentRuntime[] here = new AgentRuntime[1];
        Tool work = Tool.builder("work", "Works.")
                .input(None.class)
                .handler((in, context) -> {
                    boolean ignored = here[0].cancel(context.runId(), "Leaked sk-very-secret");
                    return "worked";
                })
                .build();
        Script script = Scripts.on("lead", Turn.calls("work", Map.of()));
        try (AgentRuntime runtime = AgentRuntime.builder()
                .providers()
                .addSecret("sk-very-secret")
                .agents(Agent.builder("lead")
                        .model(script.modelFor("lead"))
                        .tools(work)
                        .build())
                .build()) {
            here[0] = runtime;

            StopReason reason = runtime.agent("lead").generate("Go").stopReason();

            assertThat(reason.explanation()).contains("caller: Leaked ").doesNotContain("very-secret");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2_001})
    void aReasonThatIsBlankOrTooLongIsRejected(int length) {
        try (AgentRuntime runtime = AgentRuntime.builder().providers().build()) {
            String reason = length == 0 ? " " : "x".repeat(length);
            assertThatThrownBy(() -> runtime.cancel(new RunId("run_x"), reason))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("the reason of a cancel must have 1 to 2000 characters");
        }
    }
}
