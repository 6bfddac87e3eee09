package dev.chargehand.verify.kill;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.verify.harness.SteppedClock;
import dev.chargehand.verify.kill.KillPoint.Place;
import dev.chargehand.verify.kill.plan.Scenario;
import dev.chargehand.verify.kill.plan.Subject;
import java.util.List;
import java.util.function.Supplier;

/**
 * How an undisturbed scenario ends, and how often its process is at the places where others are killed.
 *
 * @param status how it ends
 * @param stop exactly why
 * @param text its answer
 * @param roles who speaks in its thread, in order
 * @param places what was counted
 */
record Undisturbed(RunStatus status, String stop, String text, List<Role> roles, Places places) {

    static Undisturbed of(Subject subject, Decisions decisions) {
        Places places = new Places(KillPoint.NEVER, place -> {});
        Store store = new PlacedStore(InMemoryStore.keepingEndedRuns(), places, append -> {});
        try (AgentRuntime runtime = subject.runtime(
                effect -> places.at(Place.AFTER_EFFECT), store, new SteppedClock(), event -> places.at(Place.EVENT))) {
            RunResult result = ended(() -> subject.run(runtime));
            while (result.status() == RunStatus.SUSPENDED) {
                PendingApproval approval = result.pendingApprovals().getFirst();
                result = ended(() -> runtime.answer(
                                approval, answer(decisions.decision(approval), subject.data(approval)), o -> {})
                        .result());
            }
            return new Undisturbed(
                    result.status(), result.stopReason().code(), subject.text(result), roles(store), places);
        }
    }

    private static RunResult ended(Supplier<RunResult> run) {
        try {
            return run.get();
        } catch (RunFailedException e) {
            return e.result();
        }
    }

    private static ApprovalAnswer answer(String decision, Object data) {
        Approver ann = Approver.of("ann");
        return switch (decision) {
            case "approve" -> ApprovalAnswer.approve(ann);
            case "decline" -> ApprovalAnswer.decline(ann, "no");
            default -> ApprovalAnswer.data(ann, data);
        };
    }

    /** Return who speaks in the thread of a scenario. */
    static List<Role> roles(Store store) {
        return messages(store).stream().map(Message::role).toList();
    }

    /** Return the thread of a scenario. */
    static List<Message> messages(Store store) {
        return store
                .readThread(Scenario.THREAD, new ThreadOwner(Scenario.RESOURCE, null), Long.MAX_VALUE, 10_000)
                .stream()
                .map(entry -> Message.fromJson(Json.parse(entry.text())))
                .toList();
    }
}
