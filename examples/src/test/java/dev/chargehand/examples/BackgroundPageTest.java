package dev.chargehand.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.IdleStream;
import dev.chargehand.IdleStream.IdleResult;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.background.OnEnd;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.event.BackgroundTaskEvent;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunsCursor;
import dev.chargehand.event.RunsWatch;
import dev.chargehand.model.Model;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.thread.ThreadOwner;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The sample of docs/background.md. */
class BackgroundPageTest {

    @Test
    void theNextTurnReadsTheResult() {
        Script script = ScriptedModel.script()
                .on("boss")
                .calls("agent-researcher", Map.of("prompt", "Solar roofs", "background", true))
                .then()
                .says("The research has started.")
                .then()
                .says("They pay off.")
                .on("researcher")
                .says("Solar roofs pay off after nine years.");
        Model large = script.modelFor("boss");
        Model small = script.modelFor("researcher");
        Store store = InMemoryStore.keepingEndedRuns();
        Agent researcher = Agent.builder("researcher")
                .description("Researches a topic thoroughly. Takes minutes.")
                .model(small)
                .build();
        Agent boss = Agent.builder("boss")
                .model(large)
                .agents(researcher)
                .background(b ->
                        b.agents("researcher").timeout(Duration.ofMinutes(10)).retries(1))
                .build();
        try (AgentRuntime runtime =
                AgentRuntime.builder().store(store).agents(boss).build()) {
            Consumer<RunOptions.Builder> chat = o -> o.thread("t1").resource("ann");
            RunResult first = runtime.agent("boss").generate("Research solar roofs.", chat);
            System.out.println(first.text()); // The research has started.
            Task task = runtime.tasks(TaskFilter.of(first.runId())).getFirst();
            System.out.println(runtime.task(task.id()).result().status()); // a chat would go on instead
            RunResult next = runtime.agent("boss").generate("What did you find?", chat);
            System.out.println(next.text()); // the model has seen the result
        }
        try (AgentRuntime runtime =
                AgentRuntime.builder().store(store).agents(boss).build()) {
            assertThat(RunsCursor.parse(placeAfterTheTask(runtime)).open()).isNotEmpty();
        }
        assertThat(script.requestsOf("boss").getLast().messages())
                .anyMatch(message -> message.text().contains("Solar roofs pay off after nine years."));
    }

    private static String placeAfterTheTask(AgentRuntime runtime) {
        try (RunsWatch watch = runtime.watchThread(ThreadOwner.of("ann"), "t1", null)) {
            for (RunEvent event : watch) {
                System.out.println(event.runId() + " " + event.type());
                if (event instanceof BackgroundTaskEvent.BackgroundTaskCompleted) {
                    break; // the reader waits for more otherwise
                }
            }
            return watch.cursor().orElseThrow().toString(); // RunsCursor.parse reads it
        }
    }

    @Test
    void theResultStartsTheNextTurn() {
        CountDownLatch gate = new CountDownLatch(1);
        Script script = ScriptedModel.script()
                .on("boss")
                .calls("agent-researcher", Map.of("prompt", "Solar roofs", "background", true))
                .then()
                .says("The research has started.")
                .then()
                .says("They pay off.")
                .on("researcher")
                .waitsFor(gate)
                .and()
                .says("Solar roofs pay off after nine years.");
        Agent researcher = Agent.builder("researcher")
                .description("Researches a topic thoroughly.")
                .model(script.modelFor("researcher"))
                .build();
        Agent boss = Agent.builder("boss")
                .model(script.modelFor("boss"))
                .agents(researcher)
                .background(b -> b.agents("researcher"))
                .defaultOptions(o -> o.onFinish(end -> gate.countDown()))
                .build();
        try (AgentRuntime runtime = AgentRuntime.builder().agents(boss).build()) {
            try (IdleStream conversation = runtime.agent("boss")
                    .streamUntilIdle(
                            "Research solar roofs.", o -> o.thread("t1").resource("ann"))) {
                for (RunEvent event : conversation) {
                    System.out.println(event.type()); // the last one is idle
                }
                IdleResult result = conversation.result();
                System.out.println(result.text()); // the answer of the last turn
                System.out.println(
                        result.turns().size() + " turns, " + result.tasks().size() + " tasks, " + result.totalUsage());
            }
        }
        assertThat(script.requestsOf("boss").getLast().messages())
                .anyMatch(message -> message.text().contains("Solar roofs pay off after nine years."));
        script.assertExhausted();
    }

    @Test
    void theResultStartsATurnThatNoCallerWaitsFor() {
        Script script = ScriptedModel.script()
                .on("desk")
                .calls("agent-researcher", Map.of("prompt", "Solar roofs", "background", true))
                .then()
                .says("The research has started.")
                .then()
                .says("They pay off.")
                .on("researcher")
                .says("Solar roofs pay off after nine years.");
        Model large = script.modelFor("desk");
        Agent researcher = Agent.builder("researcher")
                .description("Researches a topic thoroughly.")
                .model(script.modelFor("researcher"))
                .build();
        Agent desk = Agent.builder("desk")
                .model(large)
                .agents(researcher)
                .background(b -> b.agents("researcher").onEnd(OnEnd.CONTINUE))
                .build();

        assertThat(desk.defaultOptions().changed()).isEmpty();
        assertThat(script.requests()).isEmpty();
    }
}
