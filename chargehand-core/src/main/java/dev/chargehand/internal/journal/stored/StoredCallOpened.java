package dev.chargehand.internal.journal.stored;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chargehand.internal.fact.CallKind;
import dev.chargehand.internal.fact.ChildLink;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The stored form of {@link Fact.CallOpened}. */
record StoredCallOpened(
        @JsonProperty("callId") String callId,
        @JsonProperty("kind") CallKind kind,
        @JsonProperty("digest") String digest,
        @JsonProperty("child") @Nullable Child child,
        @JsonProperty("at") Instant at)
        implements StoredFact {

    record Child(
            @JsonProperty("runId") String runId,
            @JsonProperty("agentId") String agentId,
            @JsonProperty("agentName") @Nullable String agentName,
            @JsonProperty("version") @Nullable String version,
            @JsonProperty("prompt") String prompt,
            @JsonProperty("instructions") @Nullable String instructions,
            @JsonProperty("maxSteps") @Nullable Integer maxSteps,
            @JsonProperty("requestContext") @Nullable Context requestContext,
            @JsonProperty("forwarded") @Nullable List<StoredMessage> forwarded,
            @JsonProperty("grant") StoredBounds.@Nullable Spendable grant) {

        static Child of(ChildLink link) {
            RequestContext context = link.requestContext();
            List<Message> forwarded = link.forwarded();
            return new Child(
                    link.runId().value(),
                    link.agentId(),
                    link.agentName(),
                    link.version(),
                    link.prompt(),
                    link.instructions(),
                    link.maxSteps(),
                    context == null ? null : new Context(context.stored()),
                    forwarded == null ? null : StoredMessage.all(forwarded),
                    link.grant() == null ? null : StoredBounds.Spendable.of(link.grant()));
        }

        ChildLink toLink() {
            return new ChildLink(
                    new RunId(runId),
                    agentId,
                    agentName,
                    version,
                    prompt,
                    instructions,
                    maxSteps,
                    requestContext == null ? null : RequestContext.restore(requestContext.values),
                    forwarded == null ? null : StoredMessage.toMessages(forwarded),
                    grant == null ? null : grant.toBudget());
        }
    }

    /** The values of a request context that are stored, by name. */
    record Context(@JsonProperty("values") Map<String, Json> values) {}

    static StoredCallOpened of(Fact.CallOpened fact) {
        ChildLink child = fact.child();
        return new StoredCallOpened(
                fact.callId(), fact.kind(), fact.digest(), child == null ? null : Child.of(child), fact.at());
    }

    @Override
    public Fact toFact() {
        return new Fact.CallOpened(callId, kind, digest, child == null ? null : child.toLink(), at);
    }
}
