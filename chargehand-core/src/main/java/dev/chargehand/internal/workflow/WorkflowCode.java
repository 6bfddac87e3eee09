package dev.chargehand.internal.workflow;

import dev.chargehand.error.HookException;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.internal.text.ReadableTime;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.workflow.Entry;
import dev.chargehand.workflow.WorkflowContext;
import java.time.Duration;

/** Calls conditions, maps and the functions that return items, which fail the run if they fail. */
record WorkflowCode(RunScope run) {

    /** Code of the application. */
    @FunctionalInterface
    interface Function<T> {

        T apply(WorkflowContext context) throws Exception;
    }

    /**
     * Call the code of an entry.
     *
     * @throws HookException if it throws or takes too long
     */
    <T> T call(WorkflowState state, Entry entry, int iteration, Function<T> function) {
        LiveWorkflowContext context =
                new LiveWorkflowContext(run, state, new LiveWorkflowContext.Place(entry.id(), iteration, -1), null);
        Duration limit = run.limit(TimeLimit.HOOK);
        try {
            return run.root()
                    .callouts()
                    .call(
                            run.call(CallInfo.Kind.HOOK, entry.kind() + " " + entry.id())
                                    .atStep(state.stepNumber()),
                            limit,
                            run.cancellation(),
                            () -> function.apply(context));
        } catch (BoundedCalls.TimedOutException e) {
            throw new HookException(where(entry) + " took longer than " + ReadableTime.of(limit) + ".", e);
        } catch (BoundedCalls.ThrewException e) {
            throw new HookException(
                    where(entry) + " threw " + run.root().redactor().describe(e.thrown()), e.thrown());
        } finally {
            context.close();
        }
    }

    private String where(Entry entry) {
        return "The code of entry '" + entry.id() + "' (" + entry.kind() + ") of workflow '"
                + run.definition().id() + "'";
    }
}
