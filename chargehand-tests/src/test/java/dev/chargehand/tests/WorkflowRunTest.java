package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.fixture.PostgresServer;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.tests.Ordering.Order;
import dev.chargehand.tests.Ordering.Receipt;
import dev.chargehand.workflow.StepOutcome;
import dev.chargehand.workflow.WorkflowResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Workflows that nothing disturbs. */
class WorkflowRunTest {

    private static final Receipt RECEIPT = new Receipt(List.of("mailed ann", "mailed bob", "mailed cid"), 800);

    @TempDir
    private Path folder;

    enum Kind {
        MEMORY,
        SQLITE,
        POSTGRES
    }

    private Store store(Kind kind) throws Exception {
        return switch (kind) {
            case MEMORY -> InMemoryStore.keepingEndedRuns();
            case SQLITE -> JdbcStore.sqlite(folder.resolve("runs.db"));
            case POSTGRES -> JdbcStore.postgres(PostgresServer.newStore(), PostgresServer.USER, "");
        };
    }

    private static AgentRuntime runtime(Ordering ordering, Store store) {
        return AgentRuntime.builder().workflows(ordering.workflow).store(store).build();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void everyEntryDoesItsPart(Kind kind) throws Exception {
        Ordering ordering = new Ordering();
        try (AgentRuntime runtime = runtime(ordering, store(kind))) {
            WorkflowResult<Receipt> result = runtime.run(ordering.workflow, new Order("cup", 2), o -> {});

            assertThat(result.output()).isEqualTo(RECEIPT);
            assertThat(result.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(result.stopReason()).isEqualTo(new StopReason.Finished());
            assertThat(result.state().canonical())
                    .isEqualTo(Json.parse("{\"checked\":\"cup\",\"priced\":true,\"reserved\":8}"));
            assertThat(result.steps())
                    .extracting(StepOutcome::path)
                    .containsExactly(
                            "check",
                            "reserve",
                            "price",
                            "pay-large",
                            "poll",
                            "poll",
                            "poll",
                            "notify[0]",
                            "notify[1]",
                            "notify[2]");
            assertThat(ordering.asked)
                    .contains("large?", "join", "mail 2")
                    .doesNotContain("pay-small")
                    .hasSize(12);
            assertThat(runtime.handle(result.runId()).result().object(Receipt.class))
                    .isEqualTo(RECEIPT);
            assertThat(runtime.runs(RunFilter.ROOTS)).singleElement().satisfies(run -> {
                assertThat(run.agentId()).isEqualTo("ordering");
                assertThat(run.summary().orElseThrow().kind()).isEqualTo("workflow");
            });
        }
    }

    @Test
    void theResultOfTheConditionOfALoopIsOnRecord() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        Ordering ordering = new Ordering();
        try (AgentRuntime runtime = runtime(ordering, store)) {
            RunId run =
                    runtime.run(ordering.workflow, new Order("cup", 2), o -> {}).runId();
            assertThat(store.read(run, 0))
                    .filteredOn(fact -> fact.type().equals("round-closed"))
                    .extracting(fact ->
                            Json.parse(fact.text()).at("/again").map(Json::text).orElse(""))
                    .containsExactly("false", "false", "false", "true", "true", "false", "false");
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void itsEventsAreReadAsTheyHappenAndAgain(Kind kind) throws Exception {
        Ordering ordering = new Ordering();
        try (AgentRuntime runtime = runtime(ordering, store(kind))) {
            List<RunEvent> events = new ArrayList<>();
            RunId run;
            try (RunStream stream = runtime.stream(ordering.workflow, new Order("cup", 2), o -> {})) {
                run = stream.runId();
                stream.forEach(events::add);
                RunResult result = stream.result();
                assertThat(result.object(Receipt.class)).isEqualTo(RECEIPT);
            }
            assertThatEvents(events).arePaired().endWithRunFinish().haveGrowingIds();
            assertThat(events.getFirst()).isInstanceOf(RunEvent.RunStart.class);
            assertThat(events.get(1)).isInstanceOfSatisfying(WorkflowEvent.WorkflowStart.class, start -> {
                assertThat(start.workflowId()).isEqualTo("ordering");
                assertThat(start.version()).isEqualTo("2");
                assertThat(start.input()).isEqualTo(Json.of(new Order("cup", 2)));
                assertThat(start.type()).isEqualTo("workflow-start");
            });
            assertThat(events.getLast()).isInstanceOf(RunEvent.RunFinish.class);
            assertThat(events.get(events.size() - 2))
                    .isInstanceOfSatisfying(WorkflowEvent.WorkflowFinish.class, finish -> assertThat(finish.output())
                            .isEqualTo(Json.of(RECEIPT)));
            assertThat(events)
                    .filteredOn(WorkflowEvent.WorkflowStepSkipped.class::isInstance)
                    .singleElement()
                    .satisfies(event -> assertThat(((WorkflowEvent.WorkflowStepSkipped) event).steps())
                            .containsExactly("pay-small"));
            assertThat(events)
                    .filteredOn(WorkflowEvent.WorkflowStepStart.class::isInstance)
                    .extracting(event -> ((WorkflowEvent.WorkflowStepStart) event).iteration())
                    .contains(3);
            assertThat(events.stream().map(event -> event.origin().id())).doesNotHaveDuplicates();
            assertThat(told(runtime.history(run))).isEqualTo(told(events));
        }
    }

    static List<String> told(List<RunEvent> events) {
        return events.stream().map(Retold::line).toList();
    }

    @Test
    void aSubmittedRunIsExecutedByAnotherRuntime() {
        Store store = InMemoryStore.keepingEndedRuns();
        Ordering ordering = new Ordering();
        RunId run;
        try (AgentRuntime runtime = runtime(ordering, store)) {
            run = runtime.submit(ordering.workflow, new Order("cup", 2), o -> {});
            assertThat(runtime.handle(run).status()).isEqualTo(RunStatus.PENDING);
        }
        try (AgentRuntime runtime = runtime(ordering, store)) {
            RunHandle resumed = runtime.resume(run, o -> {});
            assertThat(resumed.result().object(Receipt.class)).isEqualTo(RECEIPT);
        }
    }

    @Test
    void aRunIsFoundByItsKey() {
        Ordering ordering = new Ordering();
        try (AgentRuntime runtime = runtime(ordering, InMemoryStore.keepingEndedRuns())) {
            RunId first = runtime.run(ordering.workflow, new Order("cup", 2), o -> o.idempotencyKey("k"))
                    .runId();
            assertThat(runtime.run(ordering.workflow, new Order("cup", 2), o -> o.idempotencyKey("k"))
                            .runId())
                    .isEqualTo(first);
            assertThat(ordering.asked.stream().filter("check"::equals)).hasSize(1);
        }
    }
}
