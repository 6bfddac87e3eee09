package dev.chargehand.run;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The run that a hook, scorer or processor is called for. Immutable and thread-safe. */
public final class RunInfo {

    private final RunId runId;
    private final AgentPath path;
    private final String agentId;
    private final String agentName;
    private final String tenantId;
    private final @Nullable String threadId;
    private final @Nullable String resourceId;
    private final @Nullable String version;
    private final RequestContext requestContext;

    private RunInfo(Builder from) {
        this.runId = from.runId;
        this.path = from.path;
        this.agentId = from.agentId;
        this.agentName = from.agentName;
        this.tenantId = from.tenantId;
        this.threadId = from.threadId;
        this.resourceId = from.resourceId;
        this.version = from.version;
        this.requestContext = from.requestContext;
    }

    /** Create a builder, for tests of scorers and hooks. */
    public static Builder builder(RunId runId, AgentPath path, String agentId) {
        return new Builder(runId, path, agentId);
    }

    /** Return the id of the run. */
    public RunId runId() {
        return runId;
    }

    /** Return the path of the run's agent from the root. */
    public AgentPath path() {
        return path;
    }

    /** Return the id of the run's agent. */
    public String agentId() {
        return agentId;
    }

    /** Return the name of the run's agent; its id if it has no name of its own. */
    public String agentName() {
        return agentName;
    }

    /** Return the version of the agent or workflow that the run executes; empty if it has none. */
    public Optional<String> version() {
        return Optional.ofNullable(version);
    }

    /** Return the tenant that the run belongs to. */
    public String tenantId() {
        return tenantId;
    }

    /** Return the id of the conversation, if the run has one. */
    public Optional<String> threadId() {
        return Optional.ofNullable(threadId);
    }

    /** Return the id of whom the data of the run belongs to, if it is known. */
    public Optional<String> resourceId() {
        return Optional.ofNullable(resourceId);
    }

    /** Return the values of the request. */
    public RequestContext requestContext() {
        return requestContext;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RunInfo that
                && runId.equals(that.runId)
                && path.equals(that.path)
                && agentId.equals(that.agentId)
                && agentName.equals(that.agentName)
                && Objects.equals(version, that.version)
                && tenantId.equals(that.tenantId)
                && Objects.equals(threadId, that.threadId)
                && Objects.equals(resourceId, that.resourceId)
                && requestContext.equals(that.requestContext);
    }

    @Override
    public int hashCode() {
        return Objects.hash(runId, path, agentId, agentName, version, tenantId, threadId, resourceId, requestContext);
    }

    @Override
    public String toString() {
        return "RunInfo[runId=" + runId + ", path=" + path + ", agentId=" + agentId + ", agentName=" + agentName
                + ", version=" + version + ", tenantId=" + tenantId + ", threadId=" + threadId + ", resourceId="
                + resourceId + "]";
    }

    /** Collects the parts of a run's description. Not thread-safe. */
    public static final class Builder {

        private final RunId runId;
        private final AgentPath path;
        private final String agentId;
        private String agentName;
        private @Nullable String version;
        private String tenantId = "local";
        private @Nullable String threadId;
        private @Nullable String resourceId;
        private RequestContext requestContext = RequestContext.empty();

        private Builder(RunId runId, AgentPath path, String agentId) {
            this.runId = Objects.requireNonNull(runId, "runId");
            this.path = Objects.requireNonNull(path, "path");
            this.agentId = Objects.requireNonNull(agentId, "agentId");
            this.agentName = agentId;
        }

        /** Set the name of the run's agent. Default: its id. */
        public Builder agentName(String name) {
            this.agentName = Objects.requireNonNull(name, "agentName");
            return this;
        }

        /** Set the version of the agent or workflow. Default: none. */
        public Builder version(@Nullable String id) {
            this.version = id;
            return this;
        }

        /** Set the tenant that the run belongs to. Default: {@code local}. */
        public Builder tenantId(String id) {
            this.tenantId = Objects.requireNonNull(id, "tenantId");
            return this;
        }

        /** Set the id of the conversation. Default: none. */
        public Builder threadId(@Nullable String id) {
            this.threadId = id;
            return this;
        }

        /** Set the id of whom the data of the run belongs to. Default: none. */
        public Builder resourceId(@Nullable String id) {
            this.resourceId = id;
            return this;
        }

        /** Set the values of the request. Default: none. */
        public Builder requestContext(RequestContext context) {
            this.requestContext = Objects.requireNonNull(context, "requestContext");
            return this;
        }

        /** Build the description. */
        public RunInfo build() {
            return new RunInfo(this);
        }
    }
}
