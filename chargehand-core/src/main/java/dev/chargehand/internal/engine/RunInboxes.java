package dev.chargehand.internal.engine;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.journal.DeliveryCodec;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Delivered;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.RunRecord;

/** Delivers messages to runs, wherever they are executed. Thread-safe. */
public final class RunInboxes {

    private final RuntimeEnvironment environment;
    private final Engine engine;

    /** Make it for a runtime. */
    public RunInboxes(RuntimeEnvironment environment, Engine engine) {
        this.environment = environment;
        this.engine = engine;
    }

    /** Send a message under a key of its own. */
    public boolean tell(RunId runId, Message message) {
        return tell(runId, environment.ids().next("message_"), message);
    }

    /**
     * Send a message.
     *
     * @return whether the run has received it, now or before
     * @throws ConfigurationException if it is not a user's
     */
    public boolean tell(RunId runId, String key, Message message) {
        engine.requireOpen();
        if (message.role() != Role.USER || message.internal()) {
            throw new ConfigurationException(
                    "Run " + runId + ": a message to a run must have the role USER and must not"
                            + " be internal; its role is " + message.role() + ".");
        }
        Delivery delivery = new Delivery(
                runId,
                "message " + key,
                Delivery.Kind.MESSAGE,
                DeliveryCodec.write(message),
                environment.time().now());
        boolean received = !(environment.store().deliver(delivery) instanceof Delivered.NotWaiting);
        if (received) {
            environment
                    .store()
                    .find(runId)
                    .map(RunRecord::rootRunId)
                    .flatMap(engine::live)
                    .ifPresent(run -> run.inbox().refresh());
        }
        return received;
    }
}
