package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.Fork;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.approval.Approver;
import dev.chargehand.delegation.DelegationMemory;
import dev.chargehand.delegation.SubAgentContext;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ModelException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.run.ForkOrigin;
import dev.chargehand.run.IdSource;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fork goes on from a step of another run: with its conversation, without doing anything again. */
class ForkTest {

    record Note(String text) {}

    /** What the tool did: the text, and the idempotency key it was given. */
    private record Done(String text, String key) {}

    private final Queue<Done> done = new ConcurrentLinkedQueue<>();

    private final Tool note = Tool.builder("note", "Notes.")
            .input(Note.class)
            .repeatable()
            .handler((in, context) -> {
                done.add(new Done(in.text(), context.idempotencyKey()));
                return "noted " + in.text();
            })
            .build();

    private final Agent lead = Agent.builder("lead")
            .instructions("You lead.")
            .model("none/none")
            .tools(note)
            .agents(Crew.RESEARCHER)
            .build();

    /** Notes a, asks the researcher, notes b, and says how many messages there are. */
    private static Script script() {
        return ScriptedModel.script()
                .on("lead")
                .answers(request -> switch (results(request)) {
                    case 0 -> Steps.calling("note", "{\"text\":\"a\"}");
                    case 1 -> Steps.calling("agent-researcher", "{\"prompt\":\"Find\"}");
                    case 2 -> Steps.calling("note", "{\"text\":\"b\"}");
                    default -> Steps.said("Done: " + String.join(" | ", said(request)));
                })
                .forever()
                .on("researcher")
                .answers(request -> Steps.said("Facts."))
                .forever();
    }

    private static int results(ModelRequest request) {
        return (int) request.messages().stream()
                .mapToLong(message -> message.toolResults().size())
                .sum();
    }

    private static List<String> said(ModelRequest request) {
        return request.messages().stream()
                .filter(message -> !message.text().isEmpty())
                .map(message -> message.text())
                .toList();
    }

    private TestRuntime.Builder builder(Script script) {
        return TestRuntime.builder(script).agents(lead);
    }

    private static void refused(String what, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(ConfigurationException.class).hasMessageContaining(what);
    }

    @Test
    void aForkGoesOnFromAStepAndDoesNothingAgain() {
        Script script = script();
        try (TestRuntime test = builder(script).build()) {
            RunResult old = test.agent("lead").generate("Go");
            assertThat(done).extracting(Done::text).containsExactly("a", "b");
            assertThat(script.requestsOf("researcher")).hasSize(1);

            RunResult fork = test.runtime().fork(old.runId(), 2);

            assertThat(fork).finished().hasText(old.text());
            assertThat(fork.runId()).isNotEqualTo(old.runId());
            assertThat(fork.forkedFrom()).contains(new ForkOrigin(old.runId(), 2));
            assertThat(old.forkedFrom()).isEmpty();
            assertThat(done).extracting(Done::text).containsExactly("a", "b", "b");
            assertThat(script.requestsOf("researcher")).as("delegations").hasSize(1);
            assertThat(script.requestsOf("lead")).hasSize(6);
            assertThat(Wire.lines(script.requestsOf("lead").get(4)))
                    .isEqualTo(Wire.lines(script.requestsOf("lead").get(2)));
            assertThat(fork.steps()).hasSize(4);
            assertThat(fork.steps().subList(0, 2)).isEqualTo(old.steps().subList(0, 2));
            assertThat(fork.messages().stream().map(Wire::line).toList())
                    .isEqualTo(old.messages().stream().map(Wire::line).toList());
        }
    }

    @Test
    void whatAForkCallsItselfHasAnIdempotencyKeyOfItsOwn() {
        try (TestRuntime test = builder(script()).build()) {
            RunResult old = test.agent("lead").generate("Go");
            test.runtime().fork(old.runId(), 0);
            test.runtime().fork(old.runId(), 2);
            assertThat(done).extracting(Done::text).containsExactly("a", "b", "a", "b", "b");
            assertThat(done).extracting(Done::key).doesNotHaveDuplicates();
        }
    }

    @Test
    void aForksOwnSpendingBeginsAtZero() {
        try (TestRuntime test = builder(script()).build()) {
            RunResult old = test.agent("lead").generate("Go");
            assertThat(old).hasUsage(Usage.of(40, 20)).hasTotalUsage(Usage.of(50, 25));
            RunResult fork = test.runtime()
                    .fork(
                            old.runId(),
                            2,
                            f -> f.options(
                                    o -> o.budget(budget -> budget.tokens(31)).limit(Limit.TOOL_CALLS, 1)));
            assertThat(fork).finished().hasUsage(Usage.of(20, 10)).hasTotalUsage(Usage.of(20, 10));
            assertThat(test.runtime().resume(fork.runId())).hasTotalUsage(Usage.of(20, 10));
        }
    }

    @Test
    void aForkCanBeAskedSomethingElse() {
        try (TestRuntime test = builder(script()).build()) {
            RunResult old = test.agent("lead").generate("Go");
            assertThat(test.runtime().fork(old.runId(), 1, f -> f.input("Run"))).hasText("Done: You lead. | Run");
            assertThat(test.runtime().fork(old.runId(), 0, f -> f.input("Walk").message("slowly")))
                    .hasText("Done: You lead. | Walk | slowly");
        }
    }

    @Test
    void aForkCanBeToldMoreAfterItsCopiedSteps() {
        Script script = script();
        try (TestRuntime test = builder(script).build()) {
            RunResult old = test.agent("lead").generate("Go");
            RunResult fork = test.runtime().fork(old.runId(), 2, f -> f.message("But briefly."));
            assertThat(Wire.lines(script.requestsOf("lead").get(4)))
                    .endsWith("tool: agent-researcher = Facts.", "user: But briefly.");
            assertThat(fork).hasText("Done: You lead. | Go | But briefly.");
            RunResult next = test.runtime().fork(old.runId(), 4, f -> f.message("Why?"));
            assertThat(next).finished();
            assertThat(next.steps()).hasSize(5);
            assertThat(Wire.lines(script.requests().getLast())).endsWith("assistant: " + old.text(), "user: Why?");
        }
    }

    @Test
    void aForkOfAForkHasWhatBothWereTold() {
        try (TestRuntime test = builder(script()).build()) {
            RunResult old = test.agent("lead").generate("Go");
            RunResult first = test.runtime().fork(old.runId(), 1, f -> f.message("First."));
            RunResult second = test.runtime().fork(first.runId(), 2, f -> f.message("Second."));
            assertThat(second).finished().hasText("Done: You lead. | Go | First. | Second.");
            assertThat(second.forkedFrom()).contains(new ForkOrigin(first.runId(), 2));
            assertThat(second).hasTotalUsage(Usage.of(20, 10));
            assertThat(test.runtime().fork(first.runId(), 1)).hasText("Done: You lead. | Go");
        }
    }

    @Test
    void aForkKeepsTheOptionsOfTheOldRunUnlessTheyAreChanged() {
        RequestContext.Key<String> user = RequestContext.Key.of("user", String.class);
        Script script = script();
        try (TestRuntime test = builder(script).build()) {
            RunResult old = test.agent("lead").generate("Go", o -> o.maxSteps(3)
                    .activeTools("note", "agent-researcher")
                    .requestContext(RequestContext.of(user, "ann"))
                    .metadata("case", "7"));
            assertThat(old).stoppedBecause(new StopReason.MaxStepsReached(3));
            assertThat(test.runtime().fork(old.runId(), 2)).stoppedBecause(new StopReason.MaxStepsReached(3));
            RunResult fork = test.runtime().fork(old.runId(), 3, f -> f.options(o -> o.maxSteps(4)));
            assertThat(fork).finished().hasSteps(4);
            Json started =
                    Json.parse(test.store().read(fork.runId(), 0).getFirst().text());
            assertThat(started.at("/requestContext/user").flatMap(Json::string)).contains("ann");
            assertThat(started.at("/settings/metadata/case").flatMap(Json::string))
                    .contains("7");
            assertThat(started.at("/settings/activeTools/0").flatMap(Json::string))
                    .contains("note");
        }
    }

    @Test
    void anotherModelAnswersAForkAlsoAfterItsProcessDied() {
        Script script = script().on("other").says("Another word").forever();
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        FaultyStore dying = FaultyStore.over(store);
        RunId forked;
        try (TestRuntime test =
                builder(script).store(dying).ids(IdSource.secure()).build()) {
            RunResult old = test.agent("lead").generate("Go");
            RunResult fork = test.runtime().fork(old.runId(), 2, f -> f.model("scripted/other"));
            assertThat(fork).hasText("Another word");
            assertThat(fork.steps().getLast().model()).isEqualTo("scripted/other");
            int stored = dying.count(FaultyStore.Operation.APPEND);
            IntStream.range(stored + 2, stored + 20).forEach(nth -> dying.failOn(FaultyStore.Operation.APPEND, nth));
            assertThatThrownBy(() -> test.runtime().fork(old.runId(), 1, f -> f.model("scripted/other")))
                    .isInstanceOf(RunFailedException.class);
            forked = store.list(RunFilter.ROOTS.statuses(RunStatus.RUNNING))
                    .getFirst()
                    .runId();
        }
        try (TestRuntime test =
                builder(script).store(store).ids(IdSource.secure()).build()) {
            assertThat(test.runtime().resume(forked)).hasText("Another word");
            assertThat(test.runtime().fork(forked, 1)).hasText("Another word");
        }
    }

    @Test
    void anotherAgentGoesOnWithTheConversation() {
        Agent editor = Agent.builder("editor")
                .instructions("You edit.")
                .model("none/none")
                .build();
        Script script = script().on("editor").answers(request -> Steps.said(String.join(" | ", said(request))));
        try (TestRuntime test = builder(script).agents(editor).build()) {
            RunResult old = test.agent("lead").generate("Go");
            RunResult fork = test.runtime().fork(old.runId(), 2, f -> f.agent(test.agent("editor")));
            assertThat(fork).hasText("You edit. | Go");
            assertThat(fork.path()).hasToString("editor");
            assertThat(Wire.lines(script.requestsOf("editor").getFirst())).endsWith("tool: agent-researcher = Facts.");
        }
    }

    @Test
    void aForkHasAThreadOfItsOwnAndLeavesTheOldOneAlone() {
        Script script = script();
        try (TestRuntime test = builder(script).build()) {
            Consumer<RunOptions.Builder> conversation = o -> o.thread("t").resource("u");
            test.agent("lead").generate("Before", conversation);
            RunResult old = test.agent("lead").generate("Go", conversation);
            test.agent("lead").generate("After", conversation);
            List<String> before = thread(test, "t");

            RunResult fork = test.runtime().fork(old.runId(), 0);

            String own = fork.threadId().orElseThrow();
            assertThat(own).isNotEqualTo("t");
            assertThat(thread(test, "t")).isEqualTo(before);
            assertThat(thread(test, own)).startsWith(before.subList(0, 8).toArray(String[]::new));
            assertThat(thread(test, own)).hasSizeGreaterThan(9);
            assertThat(thread(test, own).get(8)).isEqualTo("user: Go");
            assertThat(thread(test, own)).noneMatch(line -> line.contains("After"));
            assertThat(fork.text()).contains("Before").doesNotContain("After");
            assertThatThrownBy(() -> test.thread(own, "somebody")).isInstanceOf(ThreadOwnershipException.class);
            assertThatThrownBy(() -> test.runtime().fork(old.runId(), 0, f -> f.options(o -> o.resource("eve"))))
                    .isInstanceOf(ThreadOwnershipException.class);
            refused("thread 't' is there already", () -> test.runtime()
                    .fork(old.runId(), 0, f -> f.options(o -> o.thread("t"))));
            RunResult named = test.runtime().fork(old.runId(), 0, f -> f.options(o -> o.thread("copy")));
            assertThat(named.threadId()).contains("copy");
            test.agent("lead").generate("Next", o -> o.thread("copy").resource("u"));
            assertThat(thread(test, "copy")).contains("user: Next");
        }
    }

    private static List<String> thread(TestRuntime test, String id) {
        return test.thread(id, "u").stream().map(Wire::line).toList();
    }

    @Test
    void theThreadOfAForkHasItsCopiedStepsAndWhatItWasToldInOrder() {
        try (TestRuntime test = builder(script()).build()) {
            RunResult old = test.agent("lead").generate("Go", o -> o.thread("t").resource("u"));
            RunResult fork = test.runtime().fork(old.runId(), 2, f -> f.message("Hm."));
            List<String> thread = thread(test, fork.threadId().orElseThrow());
            assertThat(thread.subList(0, 5)).isEqualTo(thread(test, "t").subList(0, 5));
            assertThat(thread.get(5)).isEqualTo("user: Hm.");
            assertThat(thread.getLast()).isEqualTo("assistant: " + fork.text());
            assertThat(thread).hasSize(9);
        }
    }

    @Test
    void aRunThatIsStillRunningCanBeForked() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch there = new CountDownLatch(1);
        Script script = ScriptedModel.script()
                .on("lead")
                .calls("note", Map.of("text", "a"))
                .then()
                .does(there::countDown)
                .and()
                .waitsFor(goOn)
                .and()
                .says("Old")
                .then()
                .says("Fork");
        try (TestRuntime test = builder(script).build()) {
            try (RunStream running = test.agent("lead").stream("Go")) {
                Thread.ofVirtual().start(() -> running.forEach(event -> {}));
                there.await();
                RunResult fork = test.runtime().fork(running.runId(), 1);
                assertThat(fork).hasText("Fork").hasSteps(2);
                refused("has finished 1 step", () -> test.runtime().fork(running.runId(), 2));
                goOn.countDown();
                Waiting.until("the old run has ended", () -> test.store()
                        .find(running.runId())
                        .orElseThrow()
                        .status()
                        .isEnded());
            }
            assertThat(done).hasSize(1);
        }
    }

    @Test
    void aSuspendedRunCanBeForkedAndStillBeAnswered() {
        try (TestRuntime test = builder(script()).build()) {
            RunResult waiting = test.agent("lead")
                    .generate(
                            "Go",
                            o -> o.requireToolApproval(
                                    call -> call.arguments().text().contains("b")));
            assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
            RunResult fork = test.runtime().fork(waiting.runId(), 2, f -> f.withoutHooks());
            assertThat(fork).finished();
            RunResult sameHooks = test.runtime().fork(waiting.runId(), 2);
            assertThat(sameHooks.status())
                    .as("with the hooks that are still here")
                    .isEqualTo(RunStatus.SUSPENDED);
            assertThat(done).extracting(Done::text).containsExactly("a", "b");
            RunResult answered =
                    test.runtime().approve(waiting.pendingApprovals().getFirst(), Approver.of("ann"));
            assertThat(answered).finished();
            RunResult other =
                    test.runtime().approve(sameHooks.pendingApprovals().getFirst(), Approver.of("ann"));
            assertThat(other).finished().hasText(answered.text());
            assertThat(done).extracting(Done::key).doesNotHaveDuplicates().hasSize(4);
        }
    }

    @Test
    void aForkOfApprovedStepsHasTheAnswersAndAsksNobodyAgain() {
        try (TestRuntime test = builder(script()).build()) {
            RunResult waiting = test.agent("lead")
                    .generate(
                            "Go",
                            o -> o.requireToolApproval(
                                    call -> call.arguments().text().contains("\"a\"")));
            RunResult old = test.runtime().approve(waiting.pendingApprovals().getFirst(), Approver.of("ann"));
            assertThat(old).finished();
            RunResult fork = test.runtime().fork(old.runId(), 1, f -> f.withoutHooks());
            assertThat(fork).finished().hasText(old.text());
            assertThat(types(test.store(), fork.runId()))
                    .startsWith("started", "answered", "call-parked", "call-decided", "call-opened", "call-closed")
                    .doesNotContain("suspended", "resumed");
        }
    }

    private static List<String> types(Store store, RunId runId) {
        return store.read(runId, 0).stream().map(FactEntry::type).toList();
    }

    @Test
    void aFailedRunCanBeForkedFromAStepThatItFinished() {
        Script script = ScriptedModel.script()
                .on("lead")
                .calls("note", Map.of("text", "a"))
                .then()
                .failsWith(new ModelException(ModelException.Kind.AUTHENTICATION, "No.", null))
                .then()
                .says("Better");
        try (TestRuntime test = builder(script).build()) {
            RunId failed = runIdOf(() -> test.agent("lead").generate("Go"));
            assertThat(test.runtime().fork(failed, 1))
                    .finished()
                    .hasText("Better")
                    .hasSteps(2);
            assertThat(done).hasSize(1);
        }
    }

    private static RunId runIdOf(Runnable failing) {
        try {
            failing.run();
        } catch (RunFailedException e) {
            return e.result().runId();
        }
        throw new AssertionError("the run did not fail");
    }

    @Test
    void aStepThatWasTheEndNeedsSomethingToGoOnWith() {
        try (TestRuntime test = builder(script()).build()) {
            RunResult old = test.agent("lead").generate("Go");
            refused("message(\"...\"), or fork after step 0 to 3", () -> test.runtime()
                    .fork(old.runId(), 4));
            refused("maxSteps is 3", () -> test.runtime().fork(old.runId(), 3, f -> f.options(o -> o.maxSteps(3))));
        }
    }

    @Test
    void whatCannotBeForkedIsRefusedWithWhatCan() {
        try (TestRuntime test = builder(script()).build()) {
            RunResult old = test.agent("lead").generate("Go", o -> o.stopWhen(step -> false));
            RunId child = old.toolResults().get(1).childRunId();
            refused("after step 0 to 4, but not after 5", () -> test.runtime().fork(old.runId(), 5));
            refused("step 0, not -1", () -> test.runtime().fork(old.runId(), -1));
            refused("fork its root run " + old.runId(), () -> test.runtime().fork(child, 0));
            refused("stopWhen", () -> test.runtime().fork(old.runId(), 2));
            refused("provider/model", () -> test.runtime().fork(old.runId(), 2, f -> f.model("gpt")));
            refused("at least one message", () -> test.runtime()
                    .fork(old.runId(), 0, f -> f.withoutHooks().input(List.of())));
            assertThatThrownBy(() -> test.runtime().fork(new RunId("run_x"), 0))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.NOT_FOUND));
            assertThat(test.runtime().fork(old.runId(), 2, f -> f.options(o -> o.stopWhen(step -> true))))
                    .stoppedBecause(new StopReason.StopConditionMet(0));
            assertThat(test.store().list(RunFilter.ROOTS)).hasSize(2);
        }
    }

    @Test
    void onlyWhatAForkDoesItselfIsTold() {
        try (TestRuntime test = builder(script()).build()) {
            RunResult old = test.agent("lead").generate("Go");
            List<RunEvent> told = new ArrayList<>();
            try (RunStream fork = test.runtime().forkStream(old.runId(), 2, Fork.Builder::withoutHooks)) {
                fork.forEach(told::add);
                assertThat(fork.result()).finished().hasText(old.text());
            }
            assertThatEvents(told).arePaired().endWithRunFinish();
            assertThat(told.getFirst())
                    .isInstanceOfSatisfying(RunEvent.RunStart.class, start -> assertThat(start.forkedFrom())
                            .isEqualTo(new ForkOrigin(old.runId(), 2)));
            assertThat(told.getFirst().toJson().text())
                    .contains("\"forkedFrom\":{\"runId\":\"" + old.runId() + "\",\"step\":2}");
            assertThat(told.stream()
                            .filter(event -> event.type().equals("step-start"))
                            .map(RunEvent::step))
                    .containsExactly(3, 4);
            assertThat(told.stream().filter(event -> event.type().equals("delegation-start")))
                    .isEmpty();
        }
    }

    @Test
    void aForkWhoseProcessIsGoneBetweenAnyTwoFactsEndsAsTheUndisturbedOne(@TempDir Path folder) {
        for (int cut = 2; cut < 7; cut++) {
            Path database = folder.resolve("runs" + cut + ".db");
            RunId forked;
            String text;
            try (TestRuntime test = builder(script())
                    .store(JdbcStore.sqlite(database))
                    .ids(IdSource.secure())
                    .build()) {
                RunResult old =
                        test.agent("lead").generate("Go", o -> o.thread("t").resource("u"));
                text = old.text();
            }
            FaultyStore dying = FaultyStore.over(JdbcStore.sqlite(database));
            IntStream.range(cut, cut + 20).forEach(nth -> dying.failOn(FaultyStore.Operation.APPEND, nth));
            try (TestRuntime test =
                    builder(script()).store(dying).ids(IdSource.secure()).build()) {
                RunId old = dying.list(RunFilter.ROOTS).getFirst().runId();
                forked = runIdOf(() -> test.runtime().fork(old, 1, f -> f.options(o -> o.limit(Limit.TOOL_CALLS, 2))));
            }
            try (TestRuntime test = builder(script())
                    .store(JdbcStore.sqlite(database))
                    .ids(IdSource.secure())
                    .build()) {
                RunResult result = test.runtime().resume(forked);
                assertThat(result)
                        .as("cut before append %s", cut)
                        .finished()
                        .hasText(text)
                        .hasSteps(4);
                assertThat(result).hasTotalUsage(Usage.of(40, 20));
                assertThat(result.forkedFrom()).map(ForkOrigin::step).contains(1);
                assertThat(thread(test, result.threadId().orElseThrow())).isEqualTo(thread(test, "t"));
            }
        }
        assertThat(done)
                .filteredOn(d -> d.text().equals("a"))
                .as("the copied call")
                .hasSize(5);
    }

    @Test
    void theTimeOfAForkIsItsOwnAlsoAfterItsProcessDied() {
        ManualClock clock = new ManualClock();
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        FaultyStore dying = FaultyStore.over(store);
        RunId forked;
        try (TestRuntime test = builder(script())
                .store(dying)
                .time(clock)
                .ids(IdSource.secure())
                .build()) {
            RunId old = test.agent("lead").generate("Go").runId();
            clock.advance(Duration.ofHours(2));
            int stored = dying.count(FaultyStore.Operation.APPEND);
            IntStream.range(stored + 2, stored + 20).forEach(nth -> dying.failOn(FaultyStore.Operation.APPEND, nth));
            runIdOf(() -> test.runtime().fork(old, 1));
            forked = store.list(RunFilter.ROOTS.statuses(RunStatus.RUNNING))
                    .getFirst()
                    .runId();
        }
        clock.advance(Duration.ofHours(1));
        try (TestRuntime test = builder(script())
                .store(store)
                .time(clock)
                .ids(IdSource.secure())
                .build()) {
            assertThat(test.runtime().resume(forked)).finished();
            assertThat(test.events().getLast())
                    .isInstanceOfSatisfying(RunEvent.RunFinish.class, end -> assertThat(end.duration())
                            .isEqualTo(Duration.ZERO));
        }
    }

    @Test
    void aForkNeverWritesToTheThreadsOfTheOldRunsDelegations() {
        Script script = ScriptedModel.script()
                .on("lead")
                .delegates("researcher", "P1")
                .then()
                .says("Old")
                .then()
                .calls("agent-researcher", Map.of("prompt", "P2", "continueFrom", "researcher-1"))
                .then()
                .says("Fork")
                .on("researcher")
                .says("A")
                .then()
                .says("B");
        try (TestRuntime test = builder(script).build()) {
            RunResult old = test.agent("lead")
                    .generate("Go", o -> o.thread("t").resource("u").enableResultReferences(true));
            RunId child = old.toolResults().getFirst().childRunId();
            String childThread = test.store().find(child).orElseThrow().threadId();
            assertThat(test.runtime().fork(old.runId(), 1)).hasText("Fork");
            assertThat(ChildThread.read(test, childThread, "u", "lead/researcher"))
                    .containsExactly("user: P1", "assistant: A");
            assertThat(Wire.lines(script.requestsOf("researcher").getLast()))
                    .containsSubsequence("user: P1", "assistant: A", "user: P2");
        }
    }

    @Test
    void aSpecialistThatRemembersHearsACopiedDelegationOnce() {
        Agent boss =
                Agent.builder("boss").model("none/none").agents(specialist()).build();
        Script script = ScriptedModel.script()
                .on("boss")
                .delegates("researcher", "P1")
                .then()
                .says("Old")
                .then()
                .calls("agent-researcher", Map.of("prompt", "P2", "continueFrom", "researcher-1"))
                .then()
                .says("Fork")
                .on("researcher")
                .says("Fact")
                .forever();
        try (TestRuntime test = TestRuntime.builder(script).agents(boss).build()) {
            RunResult old = test.agent("boss").generate("Go", o -> o.thread("t")
                    .resource("u")
                    .enableResultReferences(true)
                    .subAgentContext(SubAgentContext.promptOnly()));
            assertThat(test.runtime().fork(old.runId(), 1)).hasText("Fork");
            assertThat(Wire.lines(script.requestsOf("researcher").getLast()))
                    .containsExactly("user: P1", "assistant: Fact", "user: P2");
        }
    }

    private static Agent specialist() {
        return Agent.builder("researcher")
                .description("Researches.")
                .model("none/none")
                .delegationMemory(DelegationMemory.PER_PARENT_THREAD)
                .build();
    }

    @Test
    void aSpecialistRemembersInAForkWhatItDidInTheCopiedStepsAndBefore() {
        Agent boss =
                Agent.builder("boss").model("none/none").agents(specialist()).build();
        Script script = ScriptedModel.script()
                .on("boss")
                .delegates("researcher", "P0")
                .then()
                .says("Earlier")
                .then()
                .delegates("researcher", "P1")
                .then()
                .delegates("researcher", "P2")
                .then()
                .says("Old")
                .then()
                .delegates("researcher", "P3")
                .then()
                .says("Fork")
                .on("researcher")
                .says("Fact")
                .forever();
        Consumer<RunOptions.Builder> conversation =
                o -> o.thread("t").resource("u").subAgentContext(SubAgentContext.promptOnly());
        try (TestRuntime test = TestRuntime.builder(script).agents(boss).build()) {
            test.agent("boss").generate("Before", conversation);
            RunResult old = test.agent("boss").generate("Go", conversation);
            assertThat(test.runtime().fork(old.runId(), 1)).hasText("Fork");
            assertThat(Wire.lines(script.requestsOf("researcher").getLast()))
                    .containsExactly("user: P0", "assistant: Fact", "user: P1", "assistant: Fact", "user: P3");
        }
    }
}
