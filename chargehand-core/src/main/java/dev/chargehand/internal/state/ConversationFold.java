package dev.chargehand.internal.state;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RequestedCall;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.state.value.Remembered;
import dev.chargehand.internal.state.value.SharedList;
import dev.chargehand.run.Usage;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Folds one fact into the state of a conversation. */
final class ConversationFold extends Fold {

    private final ConversationState before;

    private ConversationState.Past past;
    private SharedList<StepState> steps;
    private @Nullable StepState open;
    private SharedList<Fact.Processed> rejected;
    private String partialText;
    private CallIndex index;

    private ConversationFold(ConversationState before, Fact fact) {
        super(before, fact);
        this.before = before;
        past = before.past();
        steps = before.allSteps().over();
        open = before.open();
        rejected = before.allSteps().rejected();
        partialText = before.partialText();
        index = before.allSteps().index();
    }

    /** Return the state after a fact. */
    static ConversationState of(ConversationState before, Fact fact) {
        ConversationFold fold = new ConversationFold(before, fact);
        fold.add(fact);
        return before.with(
                fold.origin(),
                fold.progress(),
                fold.past,
                new Steps(fold.steps, fold.open, fold.rejected, fold.partialText, fold.index));
    }

    @Override
    void addOwn(Fact fact) {
        switch (fact) {
            case Fact.Said said -> add(said);
            case Fact.Recalled recalled -> {
                past = past.with(Remembered.withoutTexts(recalled));
                spend(recalled.spent());
            }
            case Fact.Answered answered -> {
                open = opened(answered);
                index = index.plus(steps.size(), open);
                spend(cost(answered));
            }
            case Fact.Processed processed -> add(processed);
            case Fact.StepClosed closed -> {
                closeStep(closed, closed.at());
                ends(closed.stop(), closed.unread());
                spend(closed.judged());
            }
            default -> throw new IllegalStateException("Run " + before.runId() + " is no workflow.");
        }
    }

    @Override
    void calls(StepCalls changed) {
        open = before.step().with(changed);
    }

    @Override
    void cutShort(Fact.Stopped stopped) {
        closeStep(null, stopped.at());
        partialText = stopped.partialText();
    }

    @Override
    boolean countsAsToolCall(CallState call) {
        return !call.hasStarted() && !isCopying();
    }

    @Override
    @Nullable
    String referenceFor(Fact.CallClosed end) {
        CallState call = before.openCall(end.callId());
        if (!before.started().settings().get(Options.RESULT_REFERENCES)
                || end.child() == null
                || !call.isDelegation()
                || end.text().isBlank()) {
            return null;
        }
        String reference = index.nextReference(call.agentKey());
        index = index.plusReference(call.agentKey(), call.callId());
        return reference;
    }

    private StepState opened(Fact.Answered answered) {
        return before.opened(
                answered, StepState.executes(answered, before.lastStop().isPresent()));
    }

    private void add(Fact.Said said) {
        if (open != null || steps.size() != said.step() || steps.isEmpty()) {
            throw new IllegalStateException("Run " + before.runId() + " received text out of turn.");
        }
        steps = steps.with(steps.size() - 1, steps.getLast().followedBy(said));
    }

    private void add(Fact.Processed processed) {
        open = open == null ? null : open.processed(processed);
        if (processed.retry()) {
            rejected = rejected.plus(processed);
        }
        spend(processed.spent());
    }

    private void closeStep(Fact.@Nullable StepClosed decided, Instant at) {
        if (open != null) {
            steps = steps.plus(open.over(decided, at));
        }
        open = null;
    }

    private Spending cost(Fact.Answered answered) {
        Map<String, Usage> usage = Map.of(before.agentId(), answered.usage());
        return new Spending(answered.attempts(), 0, characters(answered), answered.cost(), usage);
    }

    private static long characters(Fact.Answered answered) {
        long characters = (long) answered.text().length() + answered.reasoning().length();
        for (RequestedCall call : answered.calls()) {
            characters += call.arguments().length();
        }
        return characters;
    }
}
