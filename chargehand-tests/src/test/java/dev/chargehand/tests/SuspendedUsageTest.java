package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.approval.Approver;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.Prices;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.tool.Tool;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The usage of a run that waits, with that of nested runs that wait too. */
class SuspendedUsageTest {

    record Place(String city) {}

    private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);

    private static final Prices ONE_PER_TOKEN = Prices.NONE
            .with("scripted/boss", MILLION, MILLION)
            .with("scripted/mid", MILLION, MILLION)
            .with("scripted/leaf", MILLION, MILLION);

    @TempDir
    Path folder;

    private final Script script = ScriptedModel.script()
            .on("boss")
            .delegates("mid", "Book a trip.")
            .uses(1, 1)
            .then()
            .says("Booked.")
            .uses(2, 2)
            .on("mid")
            .delegates("leaf", "Book a room.")
            .uses(10, 10)
            .then()
            .says("The room is booked.")
            .uses(20, 20)
            .on("leaf")
            .calls("book", Map.of("city", "Paris"))
            .uses(100, 100)
            .then()
            .says("Room 7.")
            .uses(200, 200);

    private AgentRuntime runtime() {
        Tool book = Tool.builder("book", "Books a room.")
                .input(Place.class)
                .requiresApproval()
                .handler((in, context) -> "Room 7 in " + in.city())
                .build();
        Agent leaf = agent("leaf").tools(book).build();
        Agent mid = agent("mid").agents(leaf).build();
        return AgentRuntime.builder()
                .store(JdbcStore.sqlite(folder.resolve("store.db")))
                .agents(agent("boss").agents(mid).build())
                .anyoneMayApprove()
                .build();
    }

    private AgentBuilder agent(String id) {
        return Agent.builder(id).description("Works.").model(script.modelFor(id));
    }

    @Test
    void isThatOfTheWholeTreeInEveryProcess() {
        RunResult waiting;
        List<RunEvent.RunSuspend> live = new ArrayList<>();
        try (AgentRuntime first = runtime()) {
            try (RunStream run = first.agent("boss").stream("Go", o -> o.prices(ONE_PER_TOKEN))) {
                run.forEach(event -> addTo(live, event));
                waiting = run.result();
            }
        }
        assertThat(live)
                .extracting(
                        suspend -> suspend.path() + " " + suspend.totalUsage().totalTokens())
                .containsExactly("boss/mid/leaf 200", "boss/mid 220", "boss 222");
        assertIsOfTheTree(waiting);
        try (AgentRuntime second = runtime()) {
            assertIsOfTheTree(second.handle(waiting.runId()).result());
            List<RunEvent.RunSuspend> stored = new ArrayList<>();
            second.history(waiting.runId()).forEach(event -> addTo(stored, event));
            assertThat(stored).isEqualTo(live);
            RunResult done = second.approve(waiting.pendingApprovals().getFirst(), Approver.of("ann"))
                    .result();
            assertThat(done).finished().hasText("Booked.");
            assertThat(done.totalUsage()).isEqualTo(Usage.of(333, 333));
            assertThat(done.cost()).isEqualByComparingTo("666");
        }
    }

    private static void assertIsOfTheTree(RunResult waiting) {
        assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
        assertThat(waiting.usage()).isEqualTo(Usage.of(1, 1));
        assertThat(waiting.usageByAgent())
                .isEqualTo(Map.of("boss", Usage.of(1, 1), "mid", Usage.of(10, 10), "leaf", Usage.of(100, 100)));
        assertThat(waiting.totalUsage()).isEqualTo(Usage.of(111, 111));
        assertThat(waiting.cost()).isEqualByComparingTo("222");
    }

    private static void addTo(List<RunEvent.RunSuspend> suspends, RunEvent event) {
        if (event instanceof RunEvent.RunSuspend suspend) {
            suspends.add(suspend);
        }
    }
}
