package dev.chargehand.internal.loop;

import dev.chargehand.StepContext;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.State;
import dev.chargehand.model.FinishReason;
import dev.chargehand.run.Limit;
import dev.chargehand.run.StopReason;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Fifth stage, the gate: decides whether the run goes on after a step. The order of its questions is the contract. */
final class Decide {

    private final RunScope run;
    private final Hooks hooks;

    Decide(RunScope run) {
        this.run = run;
        this.hooks = new Hooks(run);
    }

    /** Tells whether the decision asks anybody outside, who may then only be told what is on record. */
    boolean asksOutside() {
        return !run.hooks().stopWhen().isEmpty();
    }

    Fact decide(State state) {
        run.root().cancellation().check();
        StopReason stop = cutShort(state)
                .or(() -> stopWhen(state))
                .or(() -> finished(state))
                .or(() -> spent(state))
                .orElse(null);
        return new Fact.StepClosed(state.stepNumber(), stop, run.now());
    }

    private static Optional<StopReason> cutShort(State state) {
        return switch (state.step().answered().finish()) {
            case LENGTH -> Optional.of(new StopReason.OutputTruncated());
            case CONTENT_FILTER -> Optional.of(new StopReason.ContentFiltered());
            case UNKNOWN, MISSING -> Optional.of(new StopReason.AnswerIncomplete());
            case STOP, TOOL_CALLS -> Optional.empty();
        };
    }

    private Optional<StopReason> stopWhen(State state) {
        List<Predicate<StepContext>> predicates = run.hooks().stopWhen();
        if (predicates.isEmpty()) {
            return Optional.empty();
        }
        StepContext context = run.stepContext(state);
        return IntStream.range(0, predicates.size())
                .filter(i -> hooks.ask(state.stepNumber(), "stopWhen[" + i + "]", () -> predicates
                                .get(i)
                                .test(context))
                        .orElse(false))
                .mapToObj(i -> (StopReason) new StopReason.StopConditionMet(i))
                .findFirst();
    }

    /** A model that asked for tools has not finished, whatever it says; one that said so without asking has. */
    private static Optional<StopReason> finished(State state) {
        FinishReason finish = state.step().answered().finish();
        boolean candidate = state.step().calls().isEmpty();
        return candidate && finish.isComplete() ? Optional.of(new StopReason.Finished()) : Optional.empty();
    }

    private Optional<StopReason> spent(State state) {
        if (Repetition.isRepeated(state, run.limit(Limit.IDENTICAL_CALLS))) {
            return Optional.of(new StopReason.LimitReached(Limit.IDENTICAL_CALLS.key()));
        }
        if (state.stepNumber() >= run.maxSteps()) {
            return Optional.of(new StopReason.MaxStepsReached(run.maxSteps()));
        }
        return run.root().ledger().spentOut();
    }
}
