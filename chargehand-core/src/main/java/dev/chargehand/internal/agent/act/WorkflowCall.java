package dev.chargehand.internal.agent.act;

import dev.chargehand.error.DelegationException;
import dev.chargehand.internal.agent.delegation.ChildCall;
import dev.chargehand.internal.agent.delegation.ChildResult;
import dev.chargehand.internal.call.InstrumentedCall;
import dev.chargehand.internal.fact.ChildLink;
import dev.chargehand.internal.fact.ClosedCalls;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.scope.ChildRuns;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.scope.Toolbox;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.State;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.spi.Outcome;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A call of a model to a workflow: a tool whose work a nested run does. */
record WorkflowCall(RunScope run, CallState call, Toolbox.WorkflowCallee callee) {

    /** Return the nested run, with its input. */
    static ChildLink link(RunScope run, Toolbox.WorkflowCallee callee, Json arguments) {
        return new ChildLink(
                new RunId(run.root().ids().next("run_")),
                callee.workflow().id(),
                callee.workflow().name(),
                callee.workflow().version(),
                callee.input(arguments).text(),
                null,
                null,
                null,
                null);
    }

    /** Return how it ended; nothing if the nested run waits. */
    Optional<Fact> execute(State state) {
        return new ChildCall(run, state, call).execute(() -> {}, this::ended);
    }

    private Fact ended(ChildRuns.Ended ended, InstrumentedCall work) {
        ChildResult result = ChildResult.of(run, callee.workflow(), ended);
        if (result.output() != null) {
            return ClosedCalls.with(ended.end(), ToolResults.with(run, call, result.output()));
        }
        DelegationException failure = result.exception(ended);
        if (failure != null) {
            work.end(Outcome.failed(failure));
        }
        String error = run.root().redactor().redact(Objects.requireNonNull(result.failure()));
        return ClosedCalls.with(
                ended.end(),
                ToolResults.failed(run, call, error, detail(ended.end().stop())));
    }

    /** The model gets the code of a failure, and not the words of the code that failed. */
    private static @Nullable String detail(StopReason stop) {
        return stop instanceof StopReason.Failed failed ? failed.message() : null;
    }
}
