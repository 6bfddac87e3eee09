package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunWatch;
import dev.chargehand.message.Message;
import dev.chargehand.run.Limit;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A run whose store has forgotten it is read by the caller that started it, also if it has ended by then. */
@Timeout(120)
class WatchAfterTheEndTest {

    private static final List<Message> GO = List.of(Message.user("Go."));

    private static List<String> types(RunWatch watch) {
        List<String> types = new ArrayList<>();
        try (watch) {
            for (RunEvent event : watch) {
                types.add(event.type());
            }
        }
        return types;
    }

    private static Agent solo(Script script) {
        return Agent.builder("solo").model(script.modelFor("solo")).build();
    }

    @Test
    void theFirstReaderOfAnEndedRunReadsAllOfIt() {
        try (AgentRuntime runtime =
                AgentRuntime.builder().store(InMemoryStore.create()).build()) {
            Agent agent = solo(Scripts.on("solo").says("Done").forever());
            List<String> whole = types(runtime.start(agent, GO, o -> {}).events());
            assertThat(whole).startsWith("run-start").contains("text-delta").endsWith("run-finish");

            RunHandle byHandle = runtime.start(agent, GO, o -> {});
            assertThat(byHandle.result().text()).isEqualTo("Done");
            assertThat(types(byHandle.events())).isEqualTo(whole);

            RunHandle byId = runtime.start(agent, GO, o -> o.thread("t1"));
            assertThat(byId.result().text()).isEqualTo("Done");
            assertThat(types(runtime.watch(byId.runId(), null))).isEqualTo(whole);
            assertThatThrownBy(() -> types(runtime.watch(byId.runId(), null))).isInstanceOf(StoreException.class);
        }
    }

    @Test
    void aRunOfManyEventsIsNotHeldForAReaderThatDoesNotCome() {
        try (AgentRuntime runtime =
                AgentRuntime.builder().store(InMemoryStore.create()).build()) {
            String[] pieces =
                    IntStream.range(0, 5_000).mapToObj(Integer::toString).toArray(String[]::new);
            Script script = Scripts.on("solo");
            for (int i = 0; i < 300; i++) {
                script.calls("look", Map.of()).then();
            }
            Agent agent = Agent.builder("solo")
                    .model(script.streams(pieces).modelFor("solo"))
                    .tools(Tool.of("look", "Looks.", Crew.Sum.class, (in, context) -> "seen"))
                    .build();
            RunHandle run = runtime.start(agent, GO, o -> o.maxSteps(400)
                    .limit(Limit.IDENTICAL_CALLS, 1_000)
                    .limit(Limit.TOOL_CALLS, 1_000)
                    .limit(Limit.MODEL_CALLS, 1_000));
            assertThat(run.result().text()).startsWith("0123");
            assertThatThrownBy(() -> types(run.events()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("forgotten");
        }
    }
}
