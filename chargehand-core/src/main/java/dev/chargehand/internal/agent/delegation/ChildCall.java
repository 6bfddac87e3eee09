package dev.chargehand.internal.agent.delegation;

import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.call.CallerContext;
import dev.chargehand.internal.call.InstrumentedCall;
import dev.chargehand.internal.fact.ChildEnd;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.scope.ChildRuns;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.State;
import dev.chargehand.run.StopReason;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.spi.Outcome;
import java.util.Optional;

/**
 * An opened call whose work a nested run does.
 *
 * @param run the run that makes the call, under the cancellation of the call
 */
public record ChildCall(RunScope run, State state, CallState call) {

    /** Makes the fact of the end of the call, and may say that it failed. */
    @FunctionalInterface
    public interface End {

        /** Return how the call ended. */
        Fact of(ChildRuns.Ended ended, InstrumentedCall work);
    }

    /**
     * Advance the nested run and return how the call ended; nothing if the nested run waits for an answer from outside.
     *
     * @param before what is done before
     */
    public Optional<Fact> execute(Runnable before, End end) {
        CallSite site = run.call(CallInfo.Kind.DELEGATION, call.call().name())
                .atStep(state.stepNumber())
                .executing(call.callId());
        InstrumentedCall work = run.root().callouts().instruments().begin(site);
        try (CallerContext.Opened ignored = work.open()) {
            before.run();
            Optional<Fact> fact = run.root().delegations().run(run, state, call).map(ended -> end.of(ended, work));
            work.end(fact.isPresent() ? Outcome.succeeded() : Outcome.suspended());
            return fact;
        } catch (RuntimeException | Error e) {
            work.end(e);
            throw e;
        }
    }

    /** End the call because what it calls does not exist any more. One whose start was emitted gets an end, even if its run never ran. */
    public Fact.CallClosed gone(String error) {
        ChildEnd child = call.isOpenDelegation()
                ? run.root().delegations().end(run, call, new StopReason.Failed("configuration", error, false))
                : null;
        return new Fact.CallClosed(call.callId(), null, null, error, null, null, child, null, null, run.now());
    }
}
