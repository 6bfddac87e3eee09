package dev.chargehand.cli.chat;

import dev.chargehand.Agent;
import dev.chargehand.ForkBuilder;
import dev.chargehand.TenantRuntime;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunRecord;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Says something again, or something else, in a copy of the thread, which the chat then continues in. The thread itself
 * stays as it is. Used by one thread.
 */
final class Branches {

    private final ChatPartner partner;
    private final Conversation talk;
    private final ChatTurns turns;
    private final TenantRuntime runtime;

    Branches(ChatPartner partner, Conversation talk, ChatTurns turns, TenantRuntime runtime) {
        this.partner = partner;
        this.talk = talk;
        this.turns = turns;
        this.runtime = runtime;
    }

    /** Send the last message again. */
    void retry() {
        branch(lastRun(), 0, fork -> {});
    }

    /** Send another message in place of the last one. */
    void edit(String message) {
        require("/edit", message, "the message that replaces your last one");
        branch(lastRun(), 0, fork -> fork.input(message));
    }

    /** Send a message after the last answer. */
    void fork(String message) {
        require("/fork", message, "a message to continue with");
        RunRecord from = lastRun();
        branch(from, stepsOf(from.runId()), fork -> fork.addMessage(message));
    }

    private void branch(RunRecord from, int afterStep, Consumer<ForkBuilder> changes) {
        String before = talk.thread();
        Agent agent = runtime.agent(talk.agent().id());
        Optional<RunId> forked = turns.fork(agent, from.runId(), afterStep, changes);
        forked.flatMap(talk::threadOf).ifPresent(thread -> {
            talk.moveTo(thread);
            partner.show("This is thread " + thread + " now; /thread " + before + " goes back.");
        });
    }

    private RunRecord lastRun() {
        return talk.latestRun()
                .orElseThrow(() -> new ConfigurationException(
                        "Nothing was said in this thread yet, or its runs are no longer stored."));
    }

    private int stepsOf(RunId run) {
        return runtime.history(run).stream()
                .filter(event ->
                        event instanceof RunEvent.StepFinish && event.runId().equals(run))
                .mapToInt(RunEvent::step)
                .max()
                .orElse(0);
    }

    private static void require(String command, String message, String what) {
        if (message.isEmpty()) {
            throw new ConfigurationException(command + " needs " + what + " behind it.");
        }
    }
}
