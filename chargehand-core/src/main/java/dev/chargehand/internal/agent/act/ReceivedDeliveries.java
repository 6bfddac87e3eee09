package dev.chargehand.internal.agent.act;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.task.TaskMessages;
import dev.chargehand.internal.journal.DeliveryCodec;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.scope.Deliveries;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.State;
import dev.chargehand.message.Message;
import dev.chargehand.store.Delivery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes facts of the deliveries that a run has received. */
public final class ReceivedDeliveries {

    private ReceivedDeliveries() {}

    /** Add the decisions about calls that wait; a decision about a call that does not wait any more has no effect. */
    public static void addDecisions(Journal journal, Deliveries deliveries, Instant now) {
        for (Delivery delivery : deliveries.to(journal.state().runId())) {
            if (!delivery.kind().answers()) {
                continue;
            }
            Fact.CallDecided decision = DeliveryCodec.decision(delivery.body());
            boolean takesEffect = waits(journal.state(), decision);
            if (takesEffect) {
                journal.add(stored(decision, now));
            }
            deliveries.read(delivery, takesEffect);
            journal.drain(delivery.id());
        }
    }

    /** A decision takes effect when it is received. */
    private static Fact.CallDecided stored(Fact.CallDecided given, Instant at) {
        return new Fact.CallDecided(
                given.callId(),
                given.waitNumber(),
                given.answer(),
                given.approver(),
                given.tenant(),
                given.reason(),
                given.data(),
                given.from(),
                at);
    }

    private static boolean waits(State state, Fact.CallDecided decision) {
        Optional<CallState> call = state.pendingCalls().stream()
                .filter(pending -> pending.callId().equals(decision.callId()))
                .findFirst();
        return call.isPresent()
                && call.get().isParked()
                && call.get().parked() != null
                && call.get().parked().waitNumber() == decision.waitNumber();
    }

    /**
     * Add the messages to the model, after the last step, and the results of background tasks that no run has given to a model.
     *
     * @return whether something was read
     */
    public static boolean addMessages(Journal journal, Deliveries deliveries, Instant now) {
        ConversationState state = journal.state().conversation();
        if (state.steps().isEmpty()) {
            return false; // a run reads its input first
        }
        List<Message> messages = new ArrayList<>();
        boolean read = false;
        for (Delivery delivery : deliveries.to(state.runId())) {
            Message body = isMessage(delivery) ? DeliveryCodec.message(delivery.body()) : null;
            if (body == null) {
                continue;
            }
            if (delivery.kind() == Delivery.Kind.MESSAGE) {
                messages.add(body.withId(state.runId() + ".told." + delivery.id()));
            } else if (TaskMessages.taskOf(body).filter(deliveries::isUnread).isPresent()) {
                messages.add(body);
            }
            journal.drain(delivery.id());
            read = true;
        }
        if (!messages.isEmpty()) {
            journal.add(new Fact.Said(state.steps().size(), messages, now));
        }
        return read;
    }

    private static boolean isMessage(Delivery delivery) {
        return delivery.kind() == Delivery.Kind.MESSAGE || delivery.kind() == Delivery.Kind.TASK_ENDED;
    }
}
