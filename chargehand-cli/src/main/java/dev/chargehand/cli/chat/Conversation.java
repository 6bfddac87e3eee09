package dev.chargehand.cli.chat;

import dev.chargehand.TenantRuntime;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.setup.Hints;
import dev.chargehand.cli.setup.NewThread;
import dev.chargehand.cli.threads.StoredThreads;
import dev.chargehand.config.AgentEntry;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is talked about: the thread, whom it belongs to, and which agent answers. Used by one thread. */
final class Conversation {

    private final TenantRuntime runtime;
    private final Store store;
    private final StoredThreads threads;
    private final @Nullable String resource;
    private final Hints hints;
    private final @Nullable String usual;
    private String thread;
    private AgentEntry agent;

    /**
     * Start one, or continue one.
     *
     * @param store what belongs to the tenant of the runtime
     * @param thread which, or null for a new one
     * @param usual the agent that answers unless another one is named, or null if there is none
     * @throws dev.chargehand.error.ThreadOwnershipException if it belongs to another resource
     */
    Conversation(
            TenantRuntime runtime,
            Store store,
            @Nullable String thread,
            @Nullable String resource,
            AgentEntry agent,
            @Nullable String usual,
            Hints hints) {
        this.usual = usual;
        this.runtime = runtime;
        this.store = store;
        this.threads = new StoredThreads(runtime);
        this.resource = resource;
        this.agent = agent;
        this.hints = hints;
        this.thread = "";
        moveTo(thread == null ? fresh() : thread);
    }

    String thread() {
        return thread;
    }

    Optional<String> resource() {
        return Optional.ofNullable(resource);
    }

    AgentEntry agent() {
        return agent;
    }

    void answers(AgentEntry next) {
        agent = next;
    }

    /**
     * Continue a thread, or start it.
     *
     * @throws dev.chargehand.error.ThreadOwnershipException if it belongs to another resource; nothing has changed then
     */
    void moveTo(String next) {
        threads.find(next, owner());
        thread = next;
    }

    /** Return an unused id for a thread; short, because people type it. */
    String fresh() {
        return NewThread.in(store);
    }

    /** Return the thread's record, if something was said in it. */
    Optional<ThreadRecord> record() {
        return threads.find(thread, owner());
    }

    /** Return the last messages, oldest first. */
    List<Message> messages(ThreadRecord record, long most) {
        return threads.messages(record, most);
    }

    /** Return the conversations there are. */
    List<ThreadRecord> others(int most) {
        return threads.latest(resource, most);
    }

    /** Return the runs of the thread that have not ended, oldest first. */
    List<RunRecord> unended() {
        return store.list(RunFilter.ROOTS
                        .thread(thread)
                        .statuses(RunStatus.RUNNING, RunStatus.SUSPENDED)
                        .limit(1_000))
                .reversed();
    }

    /** Return the background tasks of the thread that have not ended. */
    List<Task> tasks() {
        return runtime.tasks(TaskFilter.ofThread(thread)).stream()
                .filter(task -> !task.status().isEnded())
                .toList();
    }

    /** Return the command that continues what no process executes. */
    String recoverCommand() {
        return hints.command("recover");
    }

    /** Return the run of the thread that started last. */
    Optional<RunRecord> latestRun() {
        return store.list(RunFilter.ROOTS.thread(thread).limit(1)).stream().findFirst();
    }

    /** Return the thread of a run. */
    Optional<String> threadOf(RunId run) {
        return store.find(run).flatMap(RunRecord::threadId);
    }

    /** Return whether a living process claims to execute a run. */
    boolean isAtWork(RunRecord run) {
        return run.status() == RunStatus.RUNNING && store.isAlive(run.owner());
    }

    /** Return the command that comes back to the thread. */
    String continueCommand() {
        return hints.command("chat --thread " + Hints.word(Visible.line(thread, 200))
                + Hints.option("--resource", resource == null ? null : Visible.line(resource, 200))
                + Hints.option("--agent", agent.id().equals(usual) ? null : agent.id()));
    }

    private ThreadOwner owner() {
        return new ThreadOwner(resource, null);
    }
}
