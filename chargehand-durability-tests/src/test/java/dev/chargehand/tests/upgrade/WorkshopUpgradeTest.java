package dev.chargehand.tests.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.TaskStatus;
import dev.chargehand.json.Json;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.WaitingCall.WaitingFilter;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.version.AgentVersion;
import dev.chargehand.version.Version;
import dev.chargehand.version.VersionUsage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A store with workflows, background tasks, saved versions and memory, all written by runs, is upgraded, and everything in it goes on. */
class WorkshopUpgradeTest {

    private static final Approver BOB = Approver.of("bob");
    private static final ThreadOwner ANN = ThreadOwner.of("ann");

    @TempDir
    Path folder;

    private AgentRuntime runtime;
    private Store store;
    private final ManualClock clock = new ManualClock(WorkshopWriter.THEN.plusSeconds(60));

    static List<Path> files() throws IOException {
        return PackedStore.files("workshop-");
    }

    @AfterEach
    void close() {
        runtime.close();
    }

    @ParameterizedTest
    @MethodSource("files")
    void everythingGoesOnAndNoMessageIsLost(Path packed) throws Exception {
        PackedStore unpacked = PackedStore.unpack(packed, folder);
        Map<String, List<String>> before = unpacked.messages();
        assertThat(before).containsKeys("helped", "removed", "study");
        store = unpacked.opening().get();
        runtime = Workshop.open(store, "new", clock);
        assertThat(store.list(RunFilter.ALL.outdated(true))).isEmpty();
        assertThat(unpacked.messagesIn(store)).isEqualTo(before);
        assertThat(runtime.pendingApprovals(WaitingFilter.ALL))
                .as("with descriptions, although no row had one")
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(store.list(RunFilter.ROOTS.statuses(RunStatus.SUSPENDED)).stream()
                        .flatMap(run -> runtime.handle(run.runId()).pendingApprovals().stream())
                        .toList());

        workflows();
        tasks();
        versions();
        memory();

        assertThat(store.list(RunFilter.ALL)).allMatch(run -> run.status() == RunStatus.COMPLETED);
        unpacked.messagesIn(store).forEach((thread, now) -> {
            List<String> old = Objects.requireNonNull(before.get(thread));
            assertThat(now.subList(0, old.size())).as(thread).isEqualTo(old);
        });
    }

    private RunRecord only(String agentId, RunStatus status) {
        return store.list(RunFilter.ROOTS.statuses(status).agent(agentId)).getFirst();
    }

    private PendingApproval waiting(RunId run) {
        return runtime.handle(run).pendingApprovals().getFirst();
    }

    private void workflows() {
        RunId asking = only("asking", RunStatus.SUSPENDED).runId();
        PendingApproval question = waiting(asking);
        assertThat(question.kind()).isEqualTo(PendingApproval.Kind.DATA);
        RunResult answered =
                runtime.answer(question, ApprovalAnswer.data(BOB, 42), o -> {}).result();
        assertThat(answered.text()).isEqualTo("poured boiled tea for 42");

        RunId sleeping = only("sleeping", RunStatus.SUSPENDED).runId();
        assertThat(runtime.handle(sleeping).pendingApprovals()).isEmpty();
        clock.advance(Duration.ofHours(3));
        assertThat(runtime.resume(sleeping, o -> {}).result().text()).isEqualTo("poured boiled tea");

        RunId nesting = only("nesting", RunStatus.COMPLETED).runId();
        RunResult ended = runtime.handle(nesting).result();
        assertThat(ended.text()).isEqualTo("poured boiled tea");
        assertThat(ended.workflowSteps())
                .extracting(step ->
                        step.path() + " " + step.output().map(Json::text).orElse(""))
                .containsExactly("boil \"boiled tea\"", "inner \"poured boiled tea\"");
        assertThat(store.list(RunFilter.ALL.agent("inner")))
                .singleElement()
                .satisfies(nested -> assertThat(nested.parentRunId()).contains(nesting));
        assertThat(runtime.history(nesting)).isNotEmpty();
    }

    private void tasks() {
        assertThat(task("helped").status()).isEqualTo(TaskStatus.COMPLETED);
        assertThat(texts("helped").getLast()).contains("Found bees");
        assertThat(next("helped")).isEqualTo("Seen [Found bees]");

        Task removed = task("removed");
        assertThat(removed.status()).isEqualTo(TaskStatus.SUSPENDED);
        int messages = texts("removed").size();
        assertThat(runtime.approve(waiting(removed.runId()), BOB).result().text())
                .isEqualTo("Found remove done");
        assertThat(texts("removed")).hasSize(messages + 1);
        assertThat(next("removed")).isEqualTo("Seen [Found remove done]");
        assertThat(runtime.tasks(TaskFilter.ALL.unread(true))).isEmpty();
    }

    private Task task(String thread) {
        List<Task> tasks = runtime.tasks(TaskFilter.ofThread(thread));
        assertThat(tasks).hasSize(1);
        return tasks.getFirst();
    }

    private List<String> texts(String thread) {
        return runtime.threads().messagesFrom(ANN, thread, 0, 100).stream()
                .map(ThreadMessage::message)
                .map(message -> message.text())
                .toList();
    }

    private String next(String thread) {
        return runtime.agent("lead")
                .generate("And?", o -> o.thread(thread).resource("ann"))
                .text();
    }

    private void versions() {
        assertThat(runtime.versions().list("writer", null, 10))
                .extracting(AgentVersion::id, AgentVersion::document, AgentVersion::published)
                .containsExactly(tuple("stored-2", "rhyme", false), tuple("stored-1", "verse", true));
        RunId ended = only("writer", RunStatus.COMPLETED).runId();
        assertThat(runtime.handle(ended).result().text()).isEqualTo("Written in verse");
        assertThat(runtime.usageByVersion(ended))
                .extracting(VersionUsage::version)
                .containsExactly(Optional.of("stored-1"));

        RunId waiting = only("writer", RunStatus.SUSPENDED).runId();
        assertThat(runtime.approve(waiting(waiting), BOB).result().text()).isEqualTo("print done in rhyme");
        assertThat(runtime.agent("writer")
                        .generate("write", o -> o.version("writer", Version.published()))
                        .text())
                .isEqualTo("Written in verse");
        assertThat(runtime.versions().save("writer", "song").id()).isEqualTo("stored-3");
    }

    private void memory() {
        assertThat(runtime.memory().workingMemory(ScopeRef.resource("ann")).map(WorkingMemoryRevision::text))
                .contains("# Notes\n\n- Ann keeps bees");
        assertThat(runtime.memory().search("scholar", ScopeRef.resource("ann"), "honey in the cellar", 1))
                .singleElement()
                .satisfies(found -> assertThat(found.message().message().text()).contains("honey is in the cellar"));
        assertThat(runtime.agent("scholar")
                        .generate("Where is the honey?", o -> o.thread("other").resource("ann"))
                        .text())
                .isEqualTo("Known [Ann keeps bees, honey is in the cellar]");
        assertThat(runtime.agent("scholar")
                        .generate("Note: it is winter", o -> o.thread("study").resource("ann"))
                        .status())
                .isEqualTo(RunStatus.COMPLETED);
        assertThat(runtime.memory().workingMemory(ScopeRef.resource("ann")))
                .hasValueSatisfying(
                        notes -> assertThat(notes.text()).isEqualTo("# Notes\n\n- Ann keeps bees\n\n- it is winter"));
        assertThat(runtime.memory().settled(Duration.ofMinutes(1))).isTrue();
    }
}
