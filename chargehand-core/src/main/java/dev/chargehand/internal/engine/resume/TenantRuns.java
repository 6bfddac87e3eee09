package dev.chargehand.internal.engine.resume;

import dev.chargehand.approval.ApproverCheck;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.engine.AccessGate;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.RunInboxes;
import dev.chargehand.internal.engine.RunStarter;
import dev.chargehand.internal.engine.answer.RecentDecisions;
import dev.chargehand.internal.engine.background.StoredTasks;
import dev.chargehand.internal.engine.fork.RunForker;
import dev.chargehand.internal.engine.fork.WorkflowForker;
import dev.chargehand.internal.engine.threads.CheckedThreads;
import dev.chargehand.internal.engine.threads.StoredDeletions;
import dev.chargehand.internal.engine.threads.StoredMemory;
import dev.chargehand.internal.engine.threads.StoredThreads;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.engine.version.StoredVersionSource;
import dev.chargehand.internal.engine.version.StoredVersions;
import dev.chargehand.internal.engine.watch.RunWatches;
import dev.chargehand.memory.MemoryApi;
import dev.chargehand.run.StopReason;
import dev.chargehand.spi.AccessCheck;
import dev.chargehand.spi.Placement;
import dev.chargehand.store.DueRuns;
import dev.chargehand.thread.Threads;
import dev.chargehand.version.AgentVersions;
import org.jspecify.annotations.Nullable;

/** What starts, resumes, reads and changes the runs and threads of one tenant of a runtime. Thread-safe. */
public final class TenantRuns {

    private final Engine engine;
    private final RunClaims claims;
    private final TaskResumer taskResumer;
    private final Common common;
    private final RunCanceller canceller;
    private final StoredRuns stored;
    private final RunHandles handles;
    private final RunLauncher launcher;
    private final RunForker forker;
    private final WorkflowForker workflowForker;
    private final RunResumer resumer;
    private final RunAdvancer advancer;
    private final ApprovalResumer approvals;
    private final StepWaits stepWaits;
    private final RunInboxes inboxes;
    private final AccessGate access;
    private final Threads threads;
    private final MemoryApi memory;
    private final StoredTasks tasks;
    private final RunWatches watches;

    /** What is the same for all tenants. */
    private record Common(
            Placement placement,
            DueRuns.Scope wakes,
            @Nullable AccessCheck accessCheck,
            @Nullable ApproverCheck approverCheck,
            @Nullable StoredVersionSource versions,
            RecentDecisions decisions) {}

    /**
     * Make it for the first tenant of a runtime.
     *
     * @param wakes which runs the runtime resumes by itself
     * @param accessCheck without one everything may be opened
     * @param approverCheck without one no answers are accepted
     * @param versions without it no versions are saved
     */
    public TenantRuns(
            Engine engine,
            Placement placement,
            DueRuns.Scope wakes,
            @Nullable AccessCheck accessCheck,
            @Nullable ApproverCheck approverCheck,
            @Nullable StoredVersionSource versions) {
        this(
                engine,
                new RunClaims(engine),
                new Common(placement, wakes, accessCheck, approverCheck, versions, new RecentDecisions()));
    }

    private TenantRuns(Engine engine, RunClaims claims, Common common) {
        RuntimeEnvironment environment = engine.environment();
        this.engine = engine;
        this.claims = claims;
        this.taskResumer = new TaskResumer(claims);
        this.common = common;
        this.access = new AccessGate(engine, common.accessCheck());
        this.canceller = new RunCanceller(environment, engine, claims);
        this.tasks = new StoredTasks(access);
        this.watches = new RunWatches(engine, access);
        this.stored = new StoredRuns(environment, engine, access);
        this.handles = new RunHandles(environment, engine, stored, canceller, access, common.wakes());
        RunStarter starter = new RunStarter(environment, engine, access);
        this.forker = new RunForker(environment, engine, starter, access);
        this.workflowForker = new WorkflowForker(environment, engine, starter, access);
        this.resumer = new RunResumer(environment, engine, claims, stored, handles, taskResumer);
        this.advancer = new RunAdvancer(engine, claims, stored, taskResumer);
        this.approvals = new ApprovalResumer(
                environment, engine, claims, taskResumer, handles, common.decisions(), access, common.approverCheck());
        ConversationReplies replies = new ConversationReplies(environment, claims, handles, approvals, access);
        this.launcher = new RunLauncher(starter, handles, replies, common.placement());
        this.stepWaits = new StepWaits(environment, engine, claims, taskResumer, stored);
        this.inboxes = new RunInboxes(environment, engine);
        StoredDeletions deletions =
                new StoredDeletions(engine, run -> canceller.cancel(run, new StopReason.Cancelled("deletion")));
        StoredThreads all = new StoredThreads(engine, environment.ids(), deletions);
        this.memory = new StoredMemory(engine, access, deletions);
        this.threads = access.isGuarded() ? new CheckedThreads(all, access, environment.ids()) : all;
    }

    /** Return those of a tenant of the same runtime. */
    public TenantRuns forTenant(String tenantId) {
        return tenantId.equals(engine.environment().tenantId())
                ? this
                : new TenantRuns(engine.forTenant(tenantId), claims.forTenant(tenantId), common);
    }

    public Engine engine() {
        return engine;
    }

    public RunClaims claims() {
        return claims;
    }

    TaskResumer taskResumer() {
        return taskResumer;
    }

    public RunCanceller canceller() {
        return canceller;
    }

    public StoredRuns stored() {
        return stored;
    }

    public RunHandles handles() {
        return handles;
    }

    public RunLauncher launcher() {
        return launcher;
    }

    public RunForker forker() {
        return forker;
    }

    public WorkflowForker workflowForker() {
        return workflowForker;
    }

    public RunResumer resumer() {
        return resumer;
    }

    public RunAdvancer advancer() {
        return advancer;
    }

    public ApprovalResumer approvals() {
        return approvals;
    }

    public StepWaits stepWaits() {
        return stepWaits;
    }

    public AccessGate access() {
        return access;
    }

    public RunInboxes inboxes() {
        return inboxes;
    }

    public StoredTasks tasks() {
        return tasks;
    }

    public RunWatches watches() {
        return watches;
    }

    public Threads threads() {
        return threads;
    }

    public MemoryApi memory() {
        return memory;
    }

    /**
     * Return the saved versions of agents.
     *
     * @throws ConfigurationException if the runtime saves none
     */
    public AgentVersions versions() {
        StoredVersionSource source = common.versions();
        if (source == null) {
            throw new ConfigurationException("The runtime has no catalog of stored versions. Build it with"
                    + " catalog(AgentCatalog.stored(...)) to save versions of its agents.");
        }
        return new StoredVersions(source, engine.environment());
    }
}
