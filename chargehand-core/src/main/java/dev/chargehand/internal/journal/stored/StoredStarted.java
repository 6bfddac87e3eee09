package dev.chargehand.internal.journal.stored;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chargehand.internal.fact.DefinitionLink;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.fact.task.Background;
import dev.chargehand.json.Json;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.ForkOrigin;
import dev.chargehand.run.RunId;
import dev.chargehand.thread.ThreadOwner;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The stored form of {@link Fact.Started}. */
record StoredStarted(
        @JsonProperty("agentId") String agentId,
        @JsonProperty("agentName") @Nullable String agentName,
        @JsonProperty("path") String path,
        @JsonProperty("rootRunId") String rootRunId,
        @JsonProperty("parentRunId") @Nullable String parentRunId,
        @JsonProperty("parentCallId") @Nullable String parentCallId,
        @JsonProperty("thread") @Nullable Link thread,
        @JsonProperty("resourceId") @Nullable String resourceId,
        @JsonProperty("context") List<StoredMessage> context,
        @JsonProperty("input") List<StoredMessage> input,
        @JsonProperty("instructions") @Nullable String instructions,
        @JsonProperty("settings") StoredSettings settings,
        @JsonProperty("hooks") List<String> hooks,
        @JsonProperty("requestContext") Map<String, Json> requestContext,
        @JsonProperty("models") @Nullable List<String> models,
        @JsonProperty("fork") @Nullable Fork fork,
        @JsonProperty("iterations") @Nullable Boolean iterations,
        @JsonProperty("submitted") @Nullable Boolean submitted,
        @JsonProperty("definition") @Nullable Definition definition,
        @JsonProperty("background") StoredExecution.@Nullable Tasks background,
        @JsonProperty("at") Instant at)
        implements StoredFact {

    record Link(
            @JsonProperty("id") String id,
            @JsonProperty("owner") Owner owner,
            @JsonProperty("position") long position,
            @JsonProperty("historyFrom") @Nullable Long historyFrom) {}

    record Owner(
            @JsonProperty("resourceId") @Nullable String resourceId,
            @JsonProperty("agentPath") @Nullable String agentPath) {}

    record Fork(
            @JsonProperty("runId") String runId,
            @JsonProperty("step") int step,
            @JsonProperty("replaced") @Nullable List<String> replaced) {

        static Fork of(ForkOrigin origin) {
            return new Fork(
                    origin.runId().value(), origin.step(), origin.replaced().isEmpty() ? null : origin.replaced());
        }

        ForkOrigin toOrigin() {
            return new ForkOrigin(new RunId(runId), step, replaced == null ? List.of() : replaced);
        }
    }

    record Definition(
            @JsonProperty("version") String version,
            @JsonProperty("shape") @Nullable List<String> shape,
            @JsonProperty("initialState") @Nullable Json initialState) {

        static Definition of(DefinitionLink link) {
            return new Definition(
                    link.version(), link.initialState() == null ? null : link.shape(), link.initialState());
        }

        DefinitionLink toLink() {
            return new DefinitionLink(version, shape == null ? List.of() : shape, initialState);
        }
    }

    static StoredStarted of(Fact.Started fact) {
        ThreadLink thread = fact.thread();
        ForkOrigin fork = fact.fork();
        RunId parent = fact.parentRunId();
        DefinitionLink definition = fact.definition();
        return new StoredStarted(
                fact.agentId(),
                fact.agentName(),
                fact.path().toString(),
                fact.rootRunId().value(),
                parent == null ? null : parent.value(),
                fact.parentCallId(),
                thread == null ? null : stored(thread),
                thread == null ? fact.resourceId() : null,
                StoredMessage.all(fact.context()),
                StoredMessage.all(fact.input()),
                fact.instructions(),
                StoredSettings.of(fact.settings()),
                fact.hooks(),
                fact.requestContext(),
                fact.models(),
                fork == null ? null : Fork.of(fork),
                fact.iterations(),
                fact.submitted() ? true : null,
                definition == null ? null : Definition.of(definition),
                StoredExecution.Tasks.of(fact.background()),
                fact.at());
    }

    private static Link stored(ThreadLink thread) {
        Owner owner = new Owner(thread.owner().resourceId(), thread.owner().agentPath());
        return new Link(thread.id(), owner, thread.position(), thread.historyFrom());
    }

    @Override
    public Fact toFact() {
        return new Fact.Started(
                agentId,
                agentName,
                AgentPath.parse(path),
                new RunId(rootRunId),
                parentRunId == null ? null : new RunId(parentRunId),
                parentCallId,
                thread == null ? null : link(thread),
                resourceId,
                StoredMessage.toMessages(context),
                StoredMessage.toMessages(input),
                instructions,
                settings.toSettings(),
                hooks,
                requestContext,
                models,
                fork == null ? null : fork.toOrigin(),
                iterations,
                submitted != null && submitted,
                definition == null ? null : definition.toLink(),
                background == null ? Background.NONE : background.toBackground(),
                at);
    }

    private static ThreadLink link(Link thread) {
        ThreadOwner owner = new ThreadOwner(thread.owner.resourceId, thread.owner.agentPath);
        return new ThreadLink(thread.id, owner, thread.position, thread.historyFrom);
    }
}
