package dev.chargehand.spi;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A run, or one call of a model, a tool or other application code, as an {@link Instrumentation} sees it. Immutable and
 * thread-safe.
 *
 * <p>A call that belongs to no run, such as a call of the store, has no run id, no path and no agent.
 */
@Experimental
public final class CallInfo {

    private final Kind kind;
    private final String name;
    private final @Nullable RunId runId;
    private final @Nullable RunId rootRunId;
    private final @Nullable AgentPath agentPath;
    private final @Nullable String agentId;
    private final @Nullable String threadId;
    private final int step;
    private final @Nullable String callId;
    private final int attempt;

    private CallInfo(Builder from) {
        this.kind = from.kind;
        this.name = from.name;
        this.runId = from.runId;
        this.rootRunId = from.rootRunId;
        this.agentPath = from.agentPath;
        this.agentId = from.agentId;
        this.threadId = from.threadId;
        this.step = from.step;
        this.callId = from.callId;
        this.attempt = from.attempt;
    }

    /** The kind of a call. Later versions add kinds, so a {@code switch} needs a {@code default} branch. */
    public enum Kind {
        /** A run, root or nested, while this process executes it. The name is that of its agent. */
        RUN,
        /** One attempt to call a model. The name is that of the model. */
        MODEL,
        /** A call of a tool. The name is that of the tool. */
        TOOL,
        /** One attempt of a step of a workflow. The name is that of the step. */
        STEP,
        /** A delegation, around the nested run and the hooks for it. The name is that of the tool of the sub-agent. */
        DELEGATION,
        /** A hook or a predicate. The name is that of its option. */
        HOOK,
        /** A scorer of a completion. The name is that of the scorer. */
        SCORER,
        /** A call of an embedding model. The name is that of the model. */
        EMBEDDER,
        /** A processor. The name is that of the processor, followed by the phase. */
        PROCESSOR,
        /** A call of the store, except of the one in memory. The name describes what it does. */
        STORE,
        /** The code that closes a connection or a provider. The name is that of the closed thing. */
        CLOSER,
        /** A call of a listener. The name is the type of the event. */
        LISTENER,
        /** A check: of a value against a schema that may be costly, or whether an approver may answer. */
        CHECK,
        /** The functions that make the instructions, the model or the tools of an agent. The name is its id. */
        DEFINITION,
        /** A call of the catalog of versions. The name is the id of the agent. */
        CATALOG
    }

    /** Create a builder, for tests of instrumentations. */
    public static Builder builder(Kind kind, String name) {
        return new Builder(kind, name);
    }

    /** Return the kind of the call. */
    public Kind kind() {
        return kind;
    }

    /** Return the name of the called thing; {@link Kind} describes it for each kind. It contains no id of a run. */
    public String name() {
        return name;
    }

    /** Return the id of the run that the call belongs to. */
    public Optional<RunId> runId() {
        return Optional.ofNullable(runId);
    }

    /** Return the id of the root run of that run; it is equal to {@link #runId} for a root run. */
    public Optional<RunId> rootRunId() {
        return Optional.ofNullable(rootRunId);
    }

    /** Return the path of the run's agent from the root. */
    public Optional<AgentPath> agentPath() {
        return Optional.ofNullable(agentPath);
    }

    /** Return the id of the run's agent. */
    public Optional<String> agentId() {
        return Optional.ofNullable(agentId);
    }

    /** Return the id of the conversation, if the run has one. */
    public Optional<String> threadId() {
        return Optional.ofNullable(threadId);
    }

    /** Return the number of the step that the call belongs to, from 1. */
    public OptionalInt step() {
        return step > 0 ? OptionalInt.of(step) : OptionalInt.empty();
    }

    /** Return the id of the tool call that is executed, for a tool or a delegation. */
    public Optional<String> callId() {
        return Optional.ofNullable(callId);
    }

    /** Return the number of the attempt, from 1, for a call of a model. */
    public OptionalInt attempt() {
        return attempt > 0 ? OptionalInt.of(attempt) : OptionalInt.empty();
    }

    @Override
    public String toString() {
        return "CallInfo[" + kind + " " + name + ", runId=" + runId + ", path=" + agentPath + ", step=" + step
                + ", callId=" + callId + ", attempt=" + attempt + "]";
    }

    /** Collects the parts of a call's description. Not thread-safe. */
    public static final class Builder {

        private final Kind kind;
        private final String name;
        private @Nullable RunId runId;
        private @Nullable RunId rootRunId;
        private @Nullable AgentPath agentPath;
        private @Nullable String agentId;
        private @Nullable String threadId;
        private int step;
        private @Nullable String callId;
        private int attempt;

        private Builder(Kind kind, String name) {
            this.kind = Objects.requireNonNull(kind, "kind");
            this.name = Objects.requireNonNull(name, "name");
        }

        /** Set the run and its root run. Default: none. */
        public Builder run(RunId id, RunId root) {
            this.runId = Objects.requireNonNull(id, "runId");
            this.rootRunId = Objects.requireNonNull(root, "rootRunId");
            return this;
        }

        /** Set the agent of the run and its path from the root. Default: none. */
        public Builder agent(String id, AgentPath path) {
            this.agentId = Objects.requireNonNull(id, "agentId");
            this.agentPath = Objects.requireNonNull(path, "agentPath");
            return this;
        }

        /** Set the id of the conversation. Default: none. */
        public Builder threadId(@Nullable String id) {
            this.threadId = id;
            return this;
        }

        /** Set the number of the step, from 1; 0 for none. Default: none. */
        public Builder step(int number) {
            this.step = number;
            return this;
        }

        /** Set the id of the executed tool call. Default: none. */
        public Builder callId(@Nullable String id) {
            this.callId = id;
            return this;
        }

        /** Set the number of the attempt, from 1; 0 for none. Default: none. */
        public Builder attempt(int number) {
            this.attempt = number;
            return this;
        }

        /** Build the description. */
        public CallInfo build() {
            return new CallInfo(this);
        }
    }
}
