package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.approval.Approver;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunWatch;
import dev.chargehand.message.Message;
import dev.chargehand.run.Limit;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A run whose store has forgotten it is read by the caller that started it, also if it has ended by then. */
@Timeout(120)
class WatchAfterTheEndTest {

    private static final List<Message> GO = List.of(Message.user("Go."));

    private static final Approver ANN = Approver.of("ann");

    private static List<RunEvent> events(RunWatch watch) {
        List<RunEvent> events = new ArrayList<>();
        try (watch) {
            watch.iterator().forEachRemaining(events::add);
        }
        return events;
    }

    private static List<String> types(RunWatch watch) {
        return events(watch).stream().map(RunEvent::type).toList();
    }

    private static Agent solo(Script script) {
        return Agent.builder("solo").model(script.modelFor("solo")).build();
    }

    /** Return an agent whose tool needs an approval. */
    private static Agent asking(Script script) {
        return Agent.builder("solo")
                .model(script.modelFor("solo"))
                .tools(Tool.builder("look", "Looks.")
                        .input(Crew.Sum.class)
                        .requiresApproval()
                        .handler((in, context) -> "seen")
                        .build())
                .build();
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
    void theFirstReaderOfATenantFindsTheRunToo() {
        try (AgentRuntime runtime =
                AgentRuntime.builder().store(InMemoryStore.create()).build()) {
            Agent agent = solo(Scripts.on("solo").says("Done").forever());
            RunHandle run = runtime.forTenant("acme").start(agent, GO, o -> {});
            assertThat(run.result().text()).isEqualTo("Done");
            assertThatThrownBy(() -> runtime.watch(run.runId(), null)).isInstanceOf(StoreException.class);
            assertThatThrownBy(() -> runtime.forTenant("other").watch(run.runId(), null))
                    .isInstanceOf(StoreException.class);
            assertThat(types(runtime.forTenant("acme").watch(run.runId(), null)))
                    .startsWith("run-start")
                    .endsWith("run-finish");
        }
    }

    @Test
    void whatBelongedToADeletedResourceOrThreadIsNotRead() {
        try (AgentRuntime runtime =
                AgentRuntime.builder().store(InMemoryStore.create()).build()) {
            Agent agent = solo(Scripts.on("solo").says("Done").forever());
            RunHandle others = runtime.forTenant("acme").start(agent, GO, o -> {});
            RunHandle forgotten = runtime.start(agent, GO, o -> o.thread("s").resource("ann"));
            assertThat(List.of(others.result().text(), forgotten.result().text()))
                    .containsOnly("Done");

            var ignored = runtime.memory().forget("ann");

            assertThatThrownBy(() -> types(forgotten.events())).isInstanceOf(StoreException.class);
            RunHandle inThread = runtime.start(agent, GO, o -> o.thread("t").resource("ann"));
            assertThat(inThread.result().text()).isEqualTo("Done");
            assertThat(runtime.threads().delete(ThreadOwner.of("ann"), "t", how -> how.withRuns()))
                    .isTrue();
            assertThatThrownBy(() -> types(inThread.events())).isInstanceOf(StoreException.class);
            assertThat(types(others.events())).startsWith("run-start").endsWith("run-finish");
        }
    }

    @Test
    void theFirstReaderOfARunThatWasSuspendedReadsItsResumptionToo() {
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(InMemoryStore.create())
                .anyoneMayApprove()
                .build()) {
            Script script = Scripts.on("solo")
                    .calls("look", Map.of("a", 1, "b", 2))
                    .then()
                    .calls("look", Map.of("a", 3, "b", 4))
                    .then()
                    .says("Done");
            Agent agent = asking(script);
            RunHandle run = runtime.start(agent, GO, o -> {});
            RunHandle second = runtime.approve(run.result().pendingApprovals().getFirst(), ANN);
            RunHandle third = runtime.approve(second.result().pendingApprovals().getFirst(), ANN);
            assertThat(third.result().text()).isEqualTo("Done");
            List<RunEvent> events = events(run.events());
            assertThat(events)
                    .extracting(RunEvent::type)
                    .startsWith("run-start")
                    .endsWith("run-finish");
            assertThat(events)
                    .extracting(RunEvent::type)
                    .containsSubsequence("run-suspend", "run-suspend", "text-delta");
            assertThat(events)
                    .filteredOn(event -> event.origin().id().isPresent())
                    .extracting(event -> event.origin().id().orElseThrow())
                    .isSorted()
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void theFirstReaderOfARunThatWasCancelledWhileItWaitedReadsItsEnd() {
        try (AgentRuntime runtime =
                AgentRuntime.builder().store(InMemoryStore.create()).build()) {
            Script script = Scripts.on("solo").calls("look", Map.of("a", 1, "b", 2));
            Agent agent = asking(script);
            RunHandle run = runtime.start(agent, GO, o -> {});
            assertThat(run.result().pendingApprovals()).hasSize(1);
            assertThat(run.cancel()).isTrue();
            assertThat(types(run.events()))
                    .startsWith("run-start")
                    .containsSubsequence("run-suspend", "abort")
                    .endsWith("run-finish");
        }
    }

    @Test
    void theFirstReaderReadsNestedRunsToo() {
        List<RunEvent> live = new CopyOnWriteArrayList<>();
        Script script = Scripts.oneDelegation();
        Agent lead = Agent.builder("supervisor")
                .model(script.modelFor("supervisor"))
                .agents(Agent.builder("researcher")
                        .description("Finds.")
                        .model(script.modelFor("researcher"))
                        .build())
                .build();
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(InMemoryStore.create())
                .addListener(live::add)
                .build()) {
            RunHandle run = runtime.start(lead, GO, o -> {});
            assertThat(run.result().text()).isEqualTo("Done");
            assertThat(withId(events(run.events()))).isEqualTo(withId(live));
        }
        assertThat(live).extracting(RunEvent::type).contains("delegation-end");
    }

    /** The ids and types of the events that stored facts determine. */
    private static List<String> withId(List<RunEvent> events) {
        return events.stream()
                .filter(event -> event.origin().id().isPresent())
                .map(event -> event.origin().id().orElseThrow() + " " + event.type())
                .toList();
    }

    @Test
    void aLargeInputDoesNotKeepARunFromItsFirstReader() {
        try (AgentRuntime runtime =
                AgentRuntime.builder().store(InMemoryStore.create()).build()) {
            RunHandle run = runtime.start(
                    solo(Scripts.on("solo").says("Done")), List.of(Message.user("x".repeat(1_000_000))), o -> {});
            assertThat(run.result().text()).isEqualTo("Done");
            assertThat(types(run.events())).startsWith("run-start").endsWith("run-finish");
        }
    }

    @Test
    void aLongTextInManyPiecesIsHeldForTheFirstReader() {
        try (AgentRuntime runtime =
                AgentRuntime.builder().store(InMemoryStore.create()).build()) {
            String[] pieces =
                    IntStream.range(0, 5_000).mapToObj(Integer::toString).toArray(String[]::new);
            RunHandle run = runtime.start(solo(Scripts.on("solo").streams(pieces)), GO, o -> {});
            String text = run.result().text();
            String read = events(run.events()).stream()
                    .filter(RunEvent.TextDelta.class::isInstance)
                    .map(event -> ((RunEvent.TextDelta) event).text())
                    .collect(Collectors.joining());
            assertThat(read).isEqualTo(text).isEqualTo(String.join("", pieces));
        }
    }

    @Test
    void aRunWithLargeValuesIsNotHeldForAReaderThatDoesNotCome() {
        try (AgentRuntime runtime =
                AgentRuntime.builder().store(InMemoryStore.create()).build()) {
            RunHandle run = runtime.start(
                    solo(Scripts.on("solo").streams("x".repeat(200_000), "y".repeat(200_000))), GO, o -> {});
            assertThat(run.result().text()).hasSize(400_000);
            assertThatThrownBy(() -> types(run.events()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("forgotten");
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
