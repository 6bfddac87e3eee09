package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.IdleStream;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.background.IdleReason;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.ModelException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Until-idle calls whose tasks ask, time out, are tried again and wait for places, and whose first turn may ask itself, while a human
 * answers, declines or lets calls expire: each call ends, and each result is read once, by the model of one turn.
 */
@Timeout(240)
class UntilIdleRaceTest {

    enum Kind {
        MEMORY,
        SQLITE
    }

    record Nothing() {}

    private static final Approver ANN = Approver.of("ann");
    private static final Pattern WORDS = Pattern.compile("[0-9]+: |, ");
    private static final int CALLS = 8;
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final List<String> WORK = List.of("plain", "publish", "publish", "look-up", "fail", "hang", "sign");

    @TempDir
    private Path folder;

    private final CountDownLatch over = new CountDownLatch(1);
    private final Set<String> failed = ConcurrentHashMap.newKeySet();
    private final Queue<ApprovalException.Kind> late = new ConcurrentLinkedQueue<>();

    /** The results of tasks that each request to the model of a call had. */
    private final Map<String, Queue<List<String>>> shown = new ConcurrentHashMap<>();

    private Store store(Kind kind) {
        return switch (kind) {
            case MEMORY -> InMemoryStore.keepingEndedRuns();
            case SQLITE -> JdbcStore.sqlite(folder.resolve("idle.db"));
        };
    }

    private TestRuntime runtime(Kind kind) {
        Tool lookUp = Tool.builder("look-up", "Looks up.")
                .input(Nothing.class)
                .handler((input, context) -> context.providedData().isPresent() ? "data" : context.suspend("Which?"))
                .build();
        Agent researcher = TaskFixture.researcher(builder -> builder.tools(approved("publish"), lookUp)
                .defaultOptions(o -> o.retries(0).approvalExpiry(Duration.ofMillis(100))));
        Agent boss = Agent.builder("boss")
                .model("scripted/boss")
                .agents(researcher)
                .tools(approved("sign"))
                .background(b ->
                        b.agents("researcher").timeout(Duration.ofSeconds(1)).retries(1))
                .build();
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(this::boss)
                .forever()
                .on("researcher")
                .answers(this::research)
                .forever();
        return TaskFixture.runtime(store(kind), script)
                .agents(boss)
                .background(b -> b.concurrency(4).perAgent(4))
                .build();
    }

    private static Tool approved(String name) {
        return Tool.builder(name, "Does it.")
                .input(Nothing.class)
                .handler((input, context) -> "done")
                .requiresApproval()
                .build();
    }

    /** Does the work that the user names: a word for each task, and "sign" for a call of its own. */
    private ModelResponse boss(ModelRequest request) {
        List<String> results = request.messages().stream()
                .map(Message::text)
                .filter(text -> text.startsWith("Background task "))
                .toList();
        String said = said(request);
        shown.computeIfAbsent(said, key -> new ConcurrentLinkedQueue<>()).add(results);
        if (TaskFixture.hasDelegated(request) || !results.isEmpty()) {
            return TaskFixture.says("Seen");
        }
        List<ModelResponse.RequestedCall> calls = new ArrayList<>();
        for (String work : WORDS.splitAsStream(said).toList()) {
            String id = "c_" + calls.size();
            if (work.equals("sign")) {
                calls.add(new ModelResponse.RequestedCall(id, "sign", "{}"));
            } else if (!work.isEmpty()) {
                String input = "{\"prompt\":\"" + work + " " + id + " of " + said + "\",\"background\":true}";
                calls.add(new ModelResponse.RequestedCall(id, "agent-researcher", input));
            }
        }
        return new ModelResponse("", "", calls, FinishReason.TOOL_CALLS, new Usage(10, 5, 0, 0));
    }

    private ModelResponse research(ModelRequest request) {
        String topic = said(request);
        boolean answered = !request.messages().getLast().toolResults().isEmpty();
        if (topic.startsWith("publish") && !answered) {
            return TaskFixture.calls("publish", "{}");
        }
        if (topic.startsWith("look-up") && !answered) {
            return TaskFixture.calls("look-up", "{}");
        }
        if (topic.startsWith("hang")) {
            TaskFixture.await(over);
        }
        if (topic.startsWith("fail") && failed.add(topic)) {
            throw new ModelException(ModelException.Kind.OVERLOADED, "Busy.", null);
        }
        return TaskFixture.says("Found it");
    }

    private static String said(ModelRequest request) {
        return request.messages().stream()
                .filter(message -> message.role() == Role.USER && !message.internal())
                .map(Message::text)
                .reduce("", (first, second) -> second);
    }

    @ParameterizedTest
    @EnumSource
    void eachCallEndsAndEachResultIsReadOnce(Kind kind) throws Exception {
        try (TestRuntime test = runtime(kind);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> human = threads.submit(() -> answer(test));
            try {
                List<Future<?>> calls = new ArrayList<>();
                for (int call = 0; call < CALLS; call++) {
                    String work = call + ": " + work(new Random(call));
                    calls.add(threads.submit(() -> call(test, work)));
                }
                for (Future<?> call : calls) {
                    call.get();
                }
            } finally {
                over.countDown();
            }
            human.get();
        }
        assertThat(late)
                .isSubsetOf(
                        ApprovalException.Kind.EXPIRED,
                        ApprovalException.Kind.ALREADY_DECIDED,
                        ApprovalException.Kind.UNKNOWN);
    }

    private static String work(Random random) {
        return random.ints(1 + random.nextInt(4), 0, WORK.size())
                .mapToObj(WORK::get)
                .collect(Collectors.joining(", "));
    }

    private void call(TestRuntime test, String work) {
        String thread = "t" + work.charAt(0);
        Store store = test.store();
        try (IdleStream stream =
                test.agent("boss").streamUntilIdle(work, o -> o.thread(thread).resource("ann"))) {
            IdleReason reason = stream.result().reason();
            List<RunRecord> runs = store.list(RunFilter.ROOTS.untilIdle(stream.runId()));

            assertThat(reason).as(work).isIn(IdleReason.DONE, IdleReason.SUSPENDED);
            if (reason == IdleReason.DONE) {
                assertThat(runs).as(work).allMatch(run -> run.status().isEnded());
                assertThat(tasks(test, thread)).as(work).allMatch(task -> task.readBy()
                        .isPresent());
            }
            TaskFixture.until(work + " has ended", () -> store.list(RunFilter.ROOTS.untilIdle(stream.runId())).stream()
                    .allMatch(run -> run.status().isEnded()));
        }
        List<String> results = test.runtime().threads().lastMessages(TaskFixture.ANN, thread, 100).stream()
                .filter(each -> each.message().id().startsWith("task-"))
                .map(each -> each.message().text())
                .toList();
        assertThat(results).as(work).hasSameSizeAs(tasks(test, thread));
        assertThat(tasks(test, thread)).as(work).allMatch(task -> task.readBy().isPresent());
        assertThat(shown.get(work)).as(work).allSatisfy(each -> assertThat(each).doesNotHaveDuplicates());
        assertThat(shown.get(work).stream().flatMap(List::stream).collect(Collectors.toSet()))
                .as(work)
                .isEqualTo(new HashSet<>(results));
    }

    private static List<Task> tasks(TestRuntime test, String thread) {
        return test.runtime().tasks(TaskFilter.ofThread(thread));
    }

    /** Answers until all is over; what it leaves once may expire before it looks again. */
    private void answer(TestRuntime test) {
        Random random = new Random(0);
        long seen = 0;
        while (over.getCount() > 0) {
            for (RunRecord run : test.store().list(RunFilter.ROOTS.statuses(RunStatus.SUSPENDED))) {
                for (PendingApproval call : test.runtime().handle(run.runId()).pendingApprovals()) {
                    answer(test, call, random.nextInt(4));
                }
            }
            seen = test.store().awaitChange(seen, LOOK);
        }
    }

    private void answer(TestRuntime test, PendingApproval call, int chance) {
        if (chance == 0) {
            return;
        }
        ApprovalAnswer answer = chance == 1 ? ApprovalAnswer.decline(ANN, "No.") : ApprovalAnswer.approve(ANN);
        if (call.kind() == PendingApproval.Kind.DATA) {
            answer = ApprovalAnswer.data(ANN, "this one");
        }
        try {
            test.runtime().answer(call, answer, o -> {});
        } catch (ApprovalException e) {
            late.add(e.kind()); // it has expired
        }
    }
}
