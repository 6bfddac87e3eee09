package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.IdleStream;
import dev.chargehand.RunHandle;
import dev.chargehand.approval.Approver;
import dev.chargehand.background.IdleReason;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.TaskStatus;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An until-idle call whose task was answered and has no place yet: its caller waits for no answer any more. */
@Timeout(120)
class UntilIdleAnswersTest {

    enum Kind {
        MEMORY,
        SQLITE
    }

    record Nothing() {}

    private static final Approver ANN = Approver.of("ann");

    /** An until-idle call that is over reads the store less often. */
    private static final int LOOKS = 6;

    @TempDir
    private Path folder;

    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch holding = new CountDownLatch(1);
    private final CountDownLatch looked = new CountDownLatch(LOOKS);
    private final CompletableFuture<TestRuntime> started = new CompletableFuture<>();
    private volatile boolean looks;

    private Store store(Kind kind) {
        Store store =
                switch (kind) {
                    case MEMORY -> InMemoryStore.keepingEndedRuns();
                    case SQLITE -> JdbcStore.sqlite(folder.resolve("idle.db"));
                };
        return new ForwardingStore(store) {
            @Override
            public List<RunRecord> list(RunFilter filter) {
                if (looks && filter.untilIdle().isPresent()) {
                    looked.countDown();
                }
                return super.list(filter);
            }
        };
    }

    /** Makes a runtime with one place, whose tasks ask before they go on, except the one that holds the place. */
    private TestRuntime runtime(Kind kind) {
        Tool publish = Tool.builder("publish", "Publishes.")
                .input(Nothing.class)
                .handler((input, context) -> "published")
                .requiresApproval()
                .build();
        Agent researcher = TaskFixture.researcher(builder -> builder.tools(publish));
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(this::boss)
                .forever()
                .on("researcher")
                .answers(this::research)
                .forever();
        return TaskFixture.runtime(store(kind), script)
                .agents(TaskFixture.supervisor(researcher, b -> b.agents("researcher")))
                .background(b -> b.concurrency(1))
                .build();
    }

    private ModelResponse research(ModelRequest request) {
        String topic = topic(request);
        boolean answered = !request.messages().getLast().toolResults().isEmpty();
        if (topic.equals("wasps")) {
            holding.countDown();
            TaskFixture.await(held);
        } else if (!answered) {
            return TaskFixture.calls("publish", "{}");
        } else if (topic.equals("ants")) {
            TaskFixture.await(looked);
        }
        return TaskFixture.says("Found " + topic);
    }

    private ModelResponse boss(ModelRequest request) {
        if (!topic(request).equals("Go")) {
            return TaskFixture.boss(request);
        }
        long calls = request.messages().stream()
                .mapToLong(message -> message.toolResults().size())
                .sum();
        if (calls == 0) {
            return TaskFixture.calls("agent-researcher", "{\"prompt\":\"bees\",\"background\":true}");
        }
        if (calls == 1) {
            TaskFixture.until("both tasks wait for an answer", () -> waiting().size() == 2);
            return TaskFixture.calls("agent-researcher", "{\"prompt\":\"wasps\",\"background\":true}");
        }
        return TaskFixture.says("Seen: " + TaskFixture.results(request));
    }

    private static String topic(ModelRequest request) {
        return request.messages().stream()
                .filter(message -> message.role() == Role.USER && !message.internal())
                .map(Message::text)
                .reduce("", (first, second) -> second);
    }

    private List<Task> waiting() {
        return started.join().runtime().tasks(TaskFilter.ALL).stream()
                .filter(task -> task.status() == TaskStatus.SUSPENDED)
                .toList();
    }

    /** The place that one task of the call leaves is taken by a task of another conversation, which was answered before. */
    @ParameterizedTest
    @EnumSource
    void aTaskThatIsAnsweredAndHasNoPlaceYetIsWaitedFor(Kind kind) throws Exception {
        try (TestRuntime test = runtime(kind)) {
            started.complete(test);
            RunId before = PublishingTasks.started(test, "ants", "other");
            try (IdleStream stream = test.agent("boss").streamUntilIdle("Go", TaskFixture.onThread())) {
                List<RunId> turns = new ArrayList<>();
                for (RunEvent event : stream) {
                    if (event instanceof RunEvent.RunFinish && event.path().isRoot() && !isTask(test, event)) {
                        turns.add(event.runId());
                        if (turns.size() == 1) {
                            holding.await();
                            approve(test, before);
                            waiting().stream()
                                    .map(Task::id)
                                    .filter(task -> !task.equals(before))
                                    .forEach(task -> approve(test, task));
                            held.countDown();
                        }
                        looks = turns.size() == 2;
                    }
                }

                assertThat(stream.result().reason()).isEqualTo(IdleReason.DONE);
                assertThat(stream.result().text()).isEqualTo("Seen: [Found wasps, Found bees]");
            } finally {
                held.countDown();
                LongStream.range(0, LOOKS).forEach(look -> looked.countDown());
            }
        }
    }

    private static boolean isTask(TestRuntime test, RunEvent event) {
        return test.store().find(event.runId()).orElseThrow().task().isPresent();
    }

    private static void approve(TestRuntime test, RunId task) {
        RunHandle answered = test.runtime().approve(PublishingTasks.question(test, task), ANN);
        assertThat(answered.status()).as("no place is free").isEqualTo(RunStatus.SUSPENDED);
    }
}
