package dev.chargehand.internal.engine;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.journal.DeliveryCodec;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.Delivery.Delivered;
import dev.chargehand.store.RunRecord;
import java.util.Optional;

/** Delivers messages to runs, wherever they are executed. Thread-safe. */
public final class RunInboxes {

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
     * @return the id under which the run has received it; nothing if it has ended or is missing
     * @throws ConfigurationException if it is not a user's, or the run is of a workflow
     */
    public Optional<String> tell(RunId runId, Message message) {
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
        Delivery delivery = new Delivery(
                runId,
                environment.ids().next("message_"),
                Delivery.Kind.MESSAGE,
                DeliveryCodec.write(message),
                environment.time().now());
        if (environment.store().deliver(delivery) instanceof Delivered.NotWaiting) {
            return Optional.empty();
        }
        found.map(RunRecord::rootRunId).flatMap(engine::live).ifPresent(run -> run.inbox()
                .refresh());
        return Optional.of(delivery.id());
    }
}
