package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Recovery;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The intent of a call is stored when the call gets a place: a call that waits for one has not begun. */
@Timeout(30)
class IntentsTest {

    private final CountDownLatch inTool = new CountDownLatch(2);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final Queue<String> executed = new ConcurrentLinkedQueue<>();
    private final Queue<String> guarded = new ConcurrentLinkedQueue<>();

    record Number(int n) {}

    @TempDir
    Path folder;

    @Test
    void afterATakeOverOnlyCallsThatHadStartedAreUnknown() throws Exception {
        try (AgentRuntime one = runtime(store(), lead(calling(5), 2));
                AgentRuntime other = runtime(store(), lead(calling(0), 2))) {
            RunStream run = one.agent("lead").stream("Go");
            inTool.await();
            die(run);
            Recovery recovery = other.recover();
            mayEnd.countDown();
            RunResult result = recovery.await().getFirst();

            assertThat(result.text()).isEqualTo("Booked");
            assertThat(unknown(other, result)).hasSize(2);
            assertThat(executed).containsExactlyInAnyOrder("1", "2", "3", "4", "5");
            assertThat(guarded)
                    .as("those that had not begun are decided about again")
                    .hasSize(5 + 3);
        }
    }

    @Test
    void callsThatNeedApprovalTakeNoPlaceAndAreShownTogether() {
        mayEnd.countDown();
        Script script = Scripts.on(
                "lead",
                Turn.calls("pay", "{\"n\":1}")
                        .and(Turn.calls("book", "{\"n\":2}"))
                        .and(Turn.calls("pay", "{\"n\":3}"))
                        .and(Turn.calls("book", "{\"n\":4}"))
                        .and(Turn.calls("pay", "{\"n\":5}")),
                Turn.says("Paid"));
        try (AgentRuntime runtime = runtime(store(), lead(script, 1))) {
            RunResult result = runtime.agent("lead").generate("Go");

            assertThat(result.status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(result.pendingApprovals())
                    .extracting(PendingApproval::toolName)
                    .containsExactly("pay", "pay", "pay");
            assertThat(executed).containsExactly("2", "4");
            while (!result.pendingApprovals().isEmpty()) {
                result = runtime.approve(result.pendingApprovals().getFirst(), Approver.of("me"))
                        .result();
            }
            assertThat(result.text()).isEqualTo("Paid");
            assertThat(executed).containsExactlyInAnyOrder("2", "4", "1", "3", "5");
        }
    }

    @Test
    void theIntentIsStoredWithTheResultThatFreedThePlace() {
        mayEnd.countDown();
        List<List<String>> transactions = new ArrayList<>();
        Store seeing = new ForwardingStore(store()) {
            @Override
            public Appended append(List<Append> appends) {
                Appended appended = super.append(appends);
                transactions.add(appends.stream()
                        .flatMap(append -> append.facts().stream())
                        .map(FactEntry::type)
                        .toList());
                return appended;
            }
        };
        Script script = calling(3);
        AgentBuilder lead = agent(script).tools(book()).defaultOptions(o -> o.toolCallConcurrency(1));
        try (AgentRuntime runtime = runtime(seeing, lead)) {
            assertThat(runtime.agent("lead").generate("Go").text()).isEqualTo("Booked");
        }
        assertThat(transactions.subList(1, 4))
                .containsExactly(
                        List.of("answered", "call-opened"),
                        List.of("call-closed", "call-opened"),
                        List.of("call-closed", "call-opened"));
        assertThat(transactions.get(4)).containsExactly("call-closed", "step-closed");
        assertThat(transactions).hasSize(6);
    }

    private static List<String> unknown(AgentRuntime runtime, RunResult result) {
        return runtime.history(result.runId()).stream()
                .filter(RunEvent.ToolError.class::isInstance)
                .map(event -> ((RunEvent.ToolError) event).message())
                .filter(message -> message.contains("outcome is unknown"))
                .toList();
    }

    private void die(RunStream run) {
        try (Store store = store()) {
            RunRecord seen = store.find(run.runId()).orElseThrow();
            store.heartbeat(seen.owner(), Duration.ZERO);
        }
    }

    private static Script calling(int calls) {
        Script script = Scripts.on("lead");
        for (int call = 1; call <= calls; call++) {
            script = call == 1 ? script : script.and();
            script = script.calls("book", "{\"n\":" + call + "}");
        }
        return (calls == 0 ? script : script.then()).says("Booked");
    }

    private AgentBuilder lead(Script script, int concurrency) {
        Tool pay = Tool.builder("pay", "Pays.")
                .input(Number.class)
                .requiresApproval()
                .handler((in, context) -> Steps.noted(executed, String.valueOf(in.n()), "paid"))
                .build();
        return agent(script).tools(book(), pay).defaultOptions(o -> o.toolCallConcurrency(concurrency)
                .beforeToolCall(call -> Steps.noted(guarded, call.callId(), ToolCallDecision.allow())));
    }

    private Tool book() {
        return Tool.builder("book", "Books.")
                .input(Number.class)
                .handler((in, context) -> {
                    executed.add(String.valueOf(in.n()));
                    inTool.countDown();
                    mayEnd.await();
                    return "booked";
                })
                .build();
    }

    private static AgentRuntime runtime(Store store, AgentBuilder lead) {
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .anyoneMayApprove()
                .agents(lead.build())
                .build();
    }

    private Store store() {
        return JdbcStore.sqlite(folder.resolve("runs.db"));
    }

    private static AgentBuilder agent(Script script) {
        return Agent.builder("lead").instructions("Go.").model(script.modelFor("lead"));
    }
}
