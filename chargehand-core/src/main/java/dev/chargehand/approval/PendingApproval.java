package dev.chargehand.approval;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A call that waits for a decision from outside: for an approval, or for data that its tool requested.
 *
 * <p>It is a description that can be shown, sent elsewhere as JSON and returned days later; the stored run is what
 * holds. A decision is accepted only for the very call, arguments and wait number that are described here. Immutable;
 * two descriptions are equal if all their values are. {@link #builder} makes one for a test of code that decides.
 */
public final class PendingApproval {

    /** The {@link #payload} of a call that the client of the run executes. */
    public static final Json EXTERNAL = Json.parse("{\"executedBy\":\"client\"}");

    private final Builder values;

    private PendingApproval(Builder values) {
        this.values = values;
    }

    /** The kind of answer that a call waits for. */
    public enum Kind {
        /** The call must be approved before it is executed. */
        APPROVAL,
        /** The tool requested data; with it, the tool is executed again. */
        DATA,
        /**
         * The process died while the tool was executed, so that its outcome is unknown: approve to execute it again,
         * give data to use as its result, or decline to report the interruption to the model.
         */
        INTERRUPTED
    }

    /**
     * Create a builder of the description of a call.
     *
     * @param kind what the call waits for
     * @param runId the run that makes the call; it is a root run unless {@link Builder#rootRunId} says otherwise
     * @param callId the id of the call
     * @param toolName the tool's name
     * @param arguments the arguments that the call will be executed with
     */
    public static Builder builder(Kind kind, RunId runId, String callId, String toolName, Json arguments) {
        return new Builder(kind, runId, callId, toolName, arguments);
    }

    /** Return the run at the top of the tree, which is suspended as a whole. */
    public RunId rootRunId() {
        return values.rootRunId;
    }

    /** Return the run that makes the call: the root run or a nested one. */
    public RunId runId() {
        return values.runId;
    }

    /** Return the agent that makes the call. */
    public AgentPath path() {
        return values.path;
    }

    /** Return the id of the call. */
    public String callId() {
        return values.callId;
    }

    /** Return how often the call has waited, this time included, from 1. */
    public int waitNumber() {
        return values.waitNumber;
    }

    /** Return what the call waits for. */
    public Kind kind() {
        return values.kind;
    }

    /** Return the tool's name; {@code agent-<key>} for a sub-agent. */
    public String toolName() {
        return values.toolName;
    }

    /** Return the arguments that the call will be executed with. */
    public Json arguments() {
        return values.arguments;
    }

    /** Return the SHA-256 of the canonical form of the arguments, in hexadecimal. */
    public String digest() {
        return values.digest;
    }

    /** Return since when the call waits. */
    public Instant askedAt() {
        return values.askedAt;
    }

    /** Return from when on the call counts as declined. */
    public Instant expiresAt() {
        return values.expiresAt;
    }

    /** Return what the tool says about the data it requests, if it says anything. */
    public Optional<Json> payload() {
        return Optional.ofNullable(values.payload);
    }

    /** Return whether the client of the run executes the tool; the data it requests is the result. */
    public boolean isExternal() {
        return values.kind == Kind.DATA && EXTERNAL.equals(values.payload);
    }

    /** Return the JSON Schema of the data it requests; empty if any data will do. */
    public Optional<Json> dataSchema() {
        return Optional.ofNullable(values.dataSchema);
    }

    /** Return the path of the step in its workflow, such as {@code check} or {@code notify[3]}; empty for the tool of an agent. */
    public Optional<String> stepPath() {
        return Optional.ofNullable(values.stepPath);
    }

    /** Return the user on whose behalf the run works, if it is known. */
    public Optional<String> requester() {
        return Optional.ofNullable(values.requester);
    }

    /** Return the conversation, if there is one. */
    public Optional<String> threadId() {
        return Optional.ofNullable(values.threadId);
    }

    /** Return the resource that the conversation belongs to, if there is one. */
    public Optional<String> resourceId() {
        return Optional.ofNullable(values.resourceId);
    }

    /** Return this description as a JSON object. */
    public Json toJson() {
        return ApprovalJson.write(this);
    }

    /**
     * Read what {@link #toJson} wrote.
     *
     * @throws InvalidJsonException if it is not the description of a pending approval
     */
    public static PendingApproval fromJson(Json json) {
        return ApprovalJson.read(json);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PendingApproval approval && values.all().equals(approval.values.all());
    }

    @Override
    public int hashCode() {
        return values.all().hashCode();
    }

    @Override
    public String toString() {
        return ApprovalJson.fields(this).entrySet().stream()
                .map(field -> field.getKey() + "=" + field.getValue())
                .collect(Collectors.joining(", ", "PendingApproval[", "]"));
    }

    /** Builds a {@link PendingApproval}. Not thread-safe. */
    public static final class Builder {
        private final Kind kind;
        private final RunId runId;
        private final String callId;
        private final String toolName;
        private final Json arguments;
        private RunId rootRunId;
        private AgentPath path = AgentPath.parse("agent");
        private int waitNumber = 1;
        private String digest = "";
        private Instant askedAt = Instant.EPOCH;
        private Instant expiresAt = Instant.MAX;
        private @Nullable Json payload;
        private @Nullable Json dataSchema;
        private @Nullable String stepPath;
        private @Nullable String requester;
        private @Nullable String threadId;
        private @Nullable String resourceId;

        private Builder(Kind kind, RunId runId, String callId, String toolName, Json arguments) {
            this.kind = kind;
            this.runId = runId;
            this.rootRunId = runId;
            this.callId = callId;
            this.toolName = toolName;
            this.arguments = arguments;
        }

        private Builder(Builder other) {
            this(other.kind, other.runId, other.callId, other.toolName, other.arguments);
            rootRunId = other.rootRunId;
            path = other.path;
            waitNumber = other.waitNumber;
            digest = other.digest;
            askedAt = other.askedAt;
            expiresAt = other.expiresAt;
            payload = other.payload;
            dataSchema = other.dataSchema;
            stepPath = other.stepPath;
            requester = other.requester;
            threadId = other.threadId;
            resourceId = other.resourceId;
        }

        /** Set the run at the top of the tree. Default: the run that makes the call. */
        public Builder rootRunId(RunId value) {
            rootRunId = value;
            return this;
        }

        /** Set the agent that makes the call. Default: {@code agent}. */
        public Builder path(AgentPath value) {
            path = value;
            return this;
        }

        /** Set how often the call has waited, this time included. Default: 1. */
        public Builder waitNumber(int value) {
            waitNumber = value;
            return this;
        }

        /**
         * Set the SHA-256 of the canonical form of the arguments. Default: empty, for which no decision is accepted.
         */
        public Builder digest(String value) {
            digest = value;
            return this;
        }

        /** Set since when the call waits. Default: 1970. */
        public Builder askedAt(Instant value) {
            askedAt = value;
            return this;
        }

        /** Set from when on the call counts as declined. Default: never. */
        public Builder expiresAt(Instant value) {
            expiresAt = value;
            return this;
        }

        /** Set what the tool says about the data it requests. Default: null. */
        public Builder payload(@Nullable Json value) {
            payload = value;
            return this;
        }

        /** Set the JSON Schema of the data. Default: null, for any data. */
        public Builder dataSchema(@Nullable Json value) {
            dataSchema = value;
            return this;
        }

        /** Set the path of the step in its workflow. Default: null, for the tool of an agent. */
        public Builder stepPath(@Nullable String value) {
            stepPath = value;
            return this;
        }

        /** Set the user on whose behalf the run works. Default: null. */
        public Builder requester(@Nullable String value) {
            requester = value;
            return this;
        }

        /** Set the conversation. Default: null. */
        public Builder threadId(@Nullable String value) {
            threadId = value;
            return this;
        }

        /** Set the resource that the conversation belongs to. Default: null. */
        public Builder resourceId(@Nullable String value) {
            resourceId = value;
            return this;
        }

        /** Build the description. The builder may be used again. */
        public PendingApproval build() {
            return new PendingApproval(new Builder(this));
        }

        private List<@Nullable Object> all() {
            return Arrays.asList(
                    rootRunId,
                    runId,
                    path,
                    callId,
                    waitNumber,
                    kind,
                    toolName,
                    arguments,
                    digest,
                    payload,
                    dataSchema,
                    stepPath,
                    requester,
                    threadId,
                    resourceId,
                    askedAt,
                    expiresAt);
        }
    }
}
