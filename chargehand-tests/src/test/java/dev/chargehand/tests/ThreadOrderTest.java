package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.approval.Approver;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.message.Message;
import dev.chargehand.run.BusyThreadPolicy;
import dev.chargehand.run.DelegationMemory;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Runs of one conversation go one after the other. */
class ThreadOrderTest {

    private final CountDownLatch mayEnd = new CountDownLatch(1);

    private static Consumer<RunOptions.Builder> thread(String id) {
        return o -> o.thread(id).resource("u");
    }

    /** A runtime whose agent echoes what it was told, and holds on to the message {@code hold} until it may end. */
    private TestRuntime runtime(InMemoryStore store) {
        return Crew.playing(
                store,
                Scripts.on(
                        "lead",
                        Turn.answers(request -> {
                                    String said = request.messages().getLast().text();
                                    if (said.equals("hold")) {
                                        Waiting.on(mayEnd);
                                    }
                                    return Steps.said("Heard " + said);
                                })
                                .forever()),
                Agent.builder("lead").model("none/none").build());
    }

    private static List<String> texts(TestRuntime test, String thread) {
        return test.thread(thread, "u").stream().map(Message::text).toList();
    }

    @Test
    void runsOnOneThreadWaitForEachOtherInTheOrderOfArrival() {
        try (TestRuntime test = runtime(InMemoryStore.create())) {
            Agent lead = test.agent("lead");
            List<RunStream> runs = new ArrayList<>();
            runs.add(lead.stream("hold", thread("t")));
            for (int i = 1; i <= 5; i++) {
                runs.add(lead.stream("message " + i, thread("t")));
            }
            assertThat(lead.generate("elsewhere", thread("other")).text()).isEqualTo("Heard elsewhere");
            mayEnd.countDown();
            runs.forEach(run -> assertThat(run.result().status()).isEqualTo(RunStatus.COMPLETED));

            assertThat(texts(test, "t"))
                    .containsExactly(
                            "hold", "Heard hold",
                            "message 1", "Heard message 1",
                            "message 2", "Heard message 2",
                            "message 3", "Heard message 3",
                            "message 4", "Heard message 4",
                            "message 5", "Heard message 5");
        }
    }

    @Test
    void aRunSeesWhatTheOneBeforeItSaid() {
        try (TestRuntime test = Crew.playing(
                Scripts.on(
                        "lead",
                        Turn.answers(request -> {
                                    if (request.messages().size() == 1) {
                                        Waiting.on(mayEnd);
                                    }
                                    return Steps.said(request.messages().stream()
                                            .map(Message::text)
                                            .collect(Collectors.joining("+")));
                                })
                                .forever()),
                Agent.builder("lead").model("none/none").build())) {
            RunStream first = test.agent("lead").stream("a", thread("t"));
            RunStream second = test.agent("lead").stream("b", thread("t"));
            mayEnd.countDown();
            assertThat(first.result().text()).isEqualTo("a");
            assertThat(second.result().text()).isEqualTo("a+a+b");
        }
    }

    @Test
    void aRunIsRefusedIfItIsNotToWait() {
        try (TestRuntime test = runtime(InMemoryStore.create())) {
            Agent lead = test.agent("lead");
            RunStream first = lead.stream("hold", thread("t"));

            assertThatThrownBy(
                            () -> lead.generate("no", thread("t").andThen(o -> o.busyThread(BusyThreadPolicy.REJECT))))
                    .isInstanceOfSatisfying(ThreadBusyException.class, e -> {
                        assertThat(e.threadId()).isEqualTo("t");
                        assertThat(e.runId()).isEqualTo(first.runId().value());
                    });
            mayEnd.countDown();
            first.result();
            assertThat(texts(test, "t")).containsExactly("hold", "Heard hold");
            assertThat(lead.generate("now", thread("t").andThen(o -> o.busyThread(BusyThreadPolicy.REJECT)))
                            .text())
                    .isEqualTo("Heard now");
        }
    }

    @Test
    void aRunThatIsCancelledWhileItWaitsEndsAtOnceAndLeavesNothing() {
        try (TestRuntime test = runtime(InMemoryStore.create())) {
            RunStream first = test.agent("lead").stream("hold", thread("t"));
            RunStream second = test.agent("lead").stream("gone", thread("t"));
            RunStream third = test.agent("lead").stream("last", thread("t"));

            second.cancel();
            RunResult cancelled = second.result();
            assertThat(cancelled.stopReason()).isInstanceOf(StopReason.Cancelled.class);
            mayEnd.countDown();
            first.result();
            third.result();
            assertThat(texts(test, "t")).containsExactly("hold", "Heard hold", "last", "Heard last");
        }
    }

    @Test
    void anothersThreadIsRefusedAtOnceThoughItIsBusy() {
        try (TestRuntime test = runtime(InMemoryStore.create())) {
            RunStream first = test.agent("lead").stream("hold", thread("t"));
            assertThatThrownBy(() ->
                            test.agent("lead").stream("mine", o -> o.thread("t").resource("other")))
                    .isInstanceOf(ThreadOwnershipException.class);
            mayEnd.countDown();
            first.result();
        }
    }

    @Test
    void runsOfTwoRuntimesOnOneStoreWaitForEachOther() {
        InMemoryStore store = InMemoryStore.create();
        try (TestRuntime one = runtime(store);
                TestRuntime two = runtime(store)) {
            RunStream first = one.agent("lead").stream("hold", thread("t"));
            RunStream second = two.agent("lead").stream("then", thread("t"));
            assertThat(store.list(RunFilter.ROOTS.thread("t"))).hasSize(1);
            mayEnd.countDown();
            first.result();
            assertThat(second.result().text()).isEqualTo("Heard then");
            assertThat(texts(one, "t")).containsExactly("hold", "Heard hold", "then", "Heard then");
        }
    }

    @Test
    void aSuspendedRunReleasesItsThreadAndAppendsWhenItGoesOn() {
        Tool tool = Steps.approvedTool("pay", (in, context) -> "paid");
        try (TestRuntime test = Crew.playing(
                Scripts.on("lead", Turn.calls("pay", Map.of()), Turn.says("Between"), Turn.says("Paid")),
                Agent.builder("lead").model("none/none").tools(tool).build())) {
            RunResult waiting = test.agent("lead").generate("pay", thread("t"));
            assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(test.agent("lead").generate("chat", thread("t")).text()).isEqualTo("Between");

            test.runtime()
                    .approve(waiting.pendingApprovals().getFirst(), Approver.of("ann"))
                    .result();

            assertThat(test.thread("t", "u").stream().map(Wire::line))
                    .containsExactly(
                            "user: pay",
                            "user: chat",
                            "assistant: Between",
                            "assistant: pay{}",
                            "tool: pay = paid",
                            "assistant: Paid");
        }
    }

    @Test
    void anAnswerWaitsForItsTurnOnTheThread() {
        Tool tool = Steps.approvedTool("pay", (in, context) -> "paid");
        try (TestRuntime test = Crew.playing(
                Scripts.on(
                        "lead",
                        Turn.calls("pay", Map.of()),
                        Turn.answers(request -> {
                            Waiting.on(mayEnd);
                            return Steps.said("Between");
                        }),
                        Turn.says("Paid")),
                Agent.builder("lead").model("none/none").tools(tool).build())) {
            RunResult waiting = test.agent("lead").generate("pay", thread("t"));
            RunStream between = test.agent("lead").stream("chat", thread("t"));
            Queue<RunResult> done = new ConcurrentLinkedQueue<>();
            Thread.ofVirtual()
                    .start(() -> done.add(test.runtime()
                            .approve(waiting.pendingApprovals().getFirst(), Approver.of("ann"))
                            .result()));
            assertThat(done).isEmpty();
            mayEnd.countDown();
            between.result();
            Waiting.until("the answer is carried out", () -> !done.isEmpty());
            assertThat(done.peek().text()).isEqualTo("Paid");
        }
    }

    @Test
    void delegationsThatShareAThreadWaitForEachOther() {
        Queue<String> log = new ConcurrentLinkedQueue<>();
        Agent expert = Crew.agent("expert", agent -> agent.delegationMemory(DelegationMemory.PER_PARENT_THREAD));
        Agent lead = Agent.builder("lead").model("none/none").agents(expert).build();
        try (TestRuntime test = Crew.playing(
                Scripts.of(
                        Turns.of(
                                "lead",
                                Turn.delegates("expert", "one")
                                        .and(Turn.delegates("expert", "two"))
                                        .and(Turn.delegates("expert", "three")),
                                Turn.says("Done")),
                        Turns.of(
                                "expert",
                                Turn.answers(request -> {
                                            String asked =
                                                    request.messages().getLast().text();
                                            log.add("begin " + asked);
                                            log.add("end " + asked);
                                            return Steps.said(asked + " after "
                                                    + request.messages().size());
                                        })
                                        .forever())),
                lead)) {
            RunResult done = test.agent("lead").generate("Go", thread("t"));
            assertThat(done.text()).isEqualTo("Done");
            List<String> said = List.copyOf(log);
            for (int i = 0; i < said.size(); i += 2) {
                assertThat(said.get(i + 1)).isEqualTo(said.get(i).replace("begin", "end"));
            }
            assertThat(done.toolResults().stream()
                            .map(result ->
                                    result.output().orElseThrow().string().orElseThrow())
                            .map(text -> text.replaceAll(".* after ", ""))
                            .distinct())
                    .as("each sees what those before it said")
                    .hasSize(3);
        }
    }
}
