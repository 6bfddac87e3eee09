package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.Script;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run that ends before its model has seen all messages to it reports which. */
@Timeout(30)
class UnreadMessagesTest {

    record None() {}

    @TempDir
    private Path folder;

    private final Queue<String> sent = new ConcurrentLinkedQueue<>();
    private final Queue<RunEvent> events = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable AgentRuntime> here = new AtomicReference<>();

    @Test
    void aRunThatEndsAtItsMostStepsListsTheMessageOfItsLastStep() {
        Tool look = tool(runtime -> tell(runtime, root(runtime), "Look at the date too"));
        Agent lead = lead(Scripts.on("lead", Turn.calls("work", Map.of()), Turn.says("Done")), look);
        try (AgentRuntime runtime = runtime(lead)) {
            RunResult result = runtime.agent("lead").generate("Go", o -> o.maxSteps(1));

            assertThat(result.stopReason().code()).isEqualTo("max-steps-reached");
            assertUnread(runtime, result.runId(), sent);
            RunEvent.RunFinish finish = finishes(events, result.runId()).getFirst();
            assertThat(finish.toJson().at("/unread/0").flatMap(Json::string))
                    .contains(finish.unread().getFirst());
        }
    }

    @Test
    void aCancelledRunListsTheMessagesOfTheStepThatIsCutShort() {
        Tool work = tool(runtime -> {
            tell(runtime, root(runtime), "Look at the date too");
            tell(runtime, root(runtime), "And at the place");
            runtime.cancel(root(runtime));
        });
        Agent lead = lead(Scripts.on("lead", Turn.calls("work", Map.of())), work);
        try (AgentRuntime runtime = runtime(lead)) {
            RunResult result = runtime.agent("lead").generate("Go");

            assertThat(result.status()).isEqualTo(RunStatus.ABORTED);
            assertThat(sent).hasSize(2);
            assertUnread(runtime, result.runId(), sent);
        }
    }

    @Test
    void aRunThatIsCancelledWhileItWaitsListsItsMessagesAndItsNestedRunItsOwn() {
        Tool delete = Tool.builder("delete", "Deletes.")
                .input(None.class)
                .requiresApproval()
                .handler((in, context) -> "deleted")
                .build();
        Script script = Scripts.of(
                Turns.of("lead", Turn.delegates("janitor", "Clean")),
                Turns.of("janitor", Turn.calls("delete", Map.of())));
        Agent lead = Agent.builder("lead")
                .instructions("Go.")
                .model(script.modelFor("lead"))
                .agents(Agent.builder("janitor")
                        .description("Cleans.")
                        .instructions("Go.")
                        .model(script.modelFor("janitor"))
                        .tools(delete)
                        .build())
                .build();
        try (AgentRuntime runtime = runtime(lead)) {
            RunResult waiting = runtime.agent("lead").generate("Go");
            RunId nested = waiting.pendingApprovals().getFirst().runId();
            String toRoot = tell(runtime, waiting.runId(), "Look at the date too");
            String toNested = tell(runtime, nested, "Spare the old ones");

            assertThat(runtime.cancel(waiting.runId())).isTrue();

            List<RunEvent> history = runtime.history(waiting.runId());
            assertThat(finishes(history, waiting.runId()).getFirst().unread()).containsExactly(toRoot);
            assertThat(finishes(history, nested).getFirst().unread()).containsExactly(toNested);
        }
    }

    @Test
    void aMessageThatTheModelHasSeenIsNotListed() {
        AtomicBoolean told = new AtomicBoolean();
        Tool look = tool(runtime -> {
            if (told.compareAndSet(false, true)) {
                tell(runtime, root(runtime), "Look at the date too");
            }
        });
        Agent lead = lead(Scripts.on("lead", Turn.calls("work", Map.of()), Turn.calls("work", Map.of())), look);
        try (AgentRuntime runtime = runtime(lead)) {
            RunResult result = runtime.agent("lead").generate("Go", o -> o.maxSteps(2));

            assertUnread(runtime, result.runId(), List.of());
        }
    }

    /** Live and from the store, a run reports the same. */
    private void assertUnread(AgentRuntime runtime, RunId runId, Collection<String> messages) {
        List<String> live = finishes(events, runId).getFirst().unread();
        assertThat(live).containsExactlyElementsOf(messages);
        assertThat(finishes(runtime.history(runId), runId).getFirst().unread()).isEqualTo(live);
    }

    private String tell(AgentRuntime runtime, RunId runId, String text) {
        String id = runtime.tell(runId, text).orElseThrow();
        sent.add(id);
        return id;
    }

    private static List<RunEvent.RunFinish> finishes(Collection<RunEvent> events, RunId runId) {
        return events.stream()
                .filter(event -> event.runId().equals(runId))
                .filter(RunEvent.RunFinish.class::isInstance)
                .map(RunEvent.RunFinish.class::cast)
                .toList();
    }

    private static RunId root(AgentRuntime runtime) {
        return runtime.runs(RunFilter.ROOTS).getFirst().runId();
    }

    private Tool tool(Consumer<AgentRuntime> work) {
        return Tool.builder("work", "Works.")
                .input(None.class)
                .handler((in, context) -> {
                    work.accept(Objects.requireNonNull(here.get()));
                    return "worked";
                })
                .build();
    }

    private static Agent lead(Script script, Tool tool) {
        return Agent.builder("lead")
                .instructions("Go.")
                .model(script.modelFor("lead"))
                .tools(tool)
                .build();
    }

    private AgentRuntime runtime(Agent agent) {
        AgentRuntime runtime = AgentRuntime.builder()
                .store(JdbcStore.sqlite(folder.resolve("runs.db")))
                .providers()
                .wakeups(Wakeups.off())
                .addListener(events::add)
                .agents(agent)
                .build();
        here.set(runtime);
        return runtime;
    }
}
