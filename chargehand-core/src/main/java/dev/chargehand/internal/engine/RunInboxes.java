package dev.chargehand.internal.engine;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.journal.DeliveryCodec;
import dev.chargehand.internal.option.OptionChecks;
import dev.chargehand.internal.scope.ArgumentDigest;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.Delivery.Delivered;
import dev.chargehand.store.RunRecord;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Delivers messages to runs, wherever they are executed. Thread-safe. */
public final class RunInboxes {

    private static final String PREFIX = "message_";

    /** Of the digest of a key. */
    private static final int DIGITS = 32;

    private final RuntimeEnvironment environment;
    private final Engine engine;

    /** Make it for a runtime. */
    public RunInboxes(RuntimeEnvironment environment, Engine engine) {
        this.environment = environment;
        this.engine = engine;
    }

    /**
     * Send a message.
     *
     * @param key one that identifies the message among those to the run, or null
     * @return the id under which the run has received it, or had with this key before; nothing if it has ended or is missing
     * @throws ConfigurationException if it is not a user's, the run is of a workflow, or the key is invalid
     * @throws IdempotencyKeyException if the key was used with another message
     */
    public Optional<String> tell(RunId runId, Message message, @Nullable String key) {
        engine.requireOpen();
        if (message.role() != Role.USER || message.internal()) {
            throw new ConfigurationException(
                    "Run " + runId + ": a message to a run must have the role USER and must not"
                            + " be internal; its role is " + message.role() + ".");
        }
        Optional<RunRecord> found = environment.store().find(runId);
        if (found.flatMap(RunRecord::summary).filter(WorkflowState::isOf).isPresent()) {
            throw new ConfigurationException("Run " + runId + " is of a workflow, and no model reads messages to it.");
        }
        String id = key == null
                ? environment.ids().next(PREFIX)
                : idOf(OptionChecks.requireKey("Run " + runId + ": the key of a message", key));
        Delivery delivery = new Delivery(
                runId,
                id,
                Delivery.Kind.MESSAGE,
                DeliveryCodec.write(message.withId(id)),
                environment.time().now());
        switch (environment.store().deliver(delivery)) {
            case Delivered.NotWaiting ignored -> {
                return Optional.empty();
            }
            case Delivered.Duplicate before -> requireSame(delivery, before);
            case Delivered.Accepted ignored -> {}
        }
        found.map(RunRecord::rootRunId).flatMap(engine::live).ifPresent(run -> run.inbox()
                .refresh());
        return Optional.of(id);
    }

    /** The key itself could be the id of another kind of delivery. */
    private static String idOf(String key) {
        return PREFIX + ArgumentDigest.of(Json.of(key)).substring(0, DIGITS);
    }

    private static void requireSame(Delivery delivery, Delivered.Duplicate before) {
        if (!delivery.digest().equals(before.digest())) {
            throw IdempotencyKeyException.ofMessage(delivery.to().value(), before.digest());
        }
    }
}
