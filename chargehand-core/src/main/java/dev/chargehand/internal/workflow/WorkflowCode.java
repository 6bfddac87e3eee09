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
        LiveWorkflowContext.Place place = new LiveWorkflowContext.Place(entry.id(), iteration, -1);
        return call(state, place, entry.kind() + " " + entry.id(), function);
    }

    /**
     * Call code that stands somewhere.
     *
     * @param name names it: what it is, and the id of what has it
     * @throws HookException if it throws or takes too long
     */
    <T> T call(WorkflowState state, LiveWorkflowContext.Place place, String name, Function<T> function) {
        LiveWorkflowContext context = new LiveWorkflowContext(run, state, place, null);
        Duration limit = run.limit(TimeLimit.HOOK);
        try {
            return run.root()
                    .callouts()
                    .call(
                            run.call(CallInfo.Kind.HOOK, name).atStep(state.stepNumber()),
                            limit,
                            run.cancellation(),
                            () -> function.apply(context));
        } catch (BoundedCalls.TimedOutException e) {
            throw new HookException(where(place, name) + " took longer than " + ReadableTime.of(limit) + ".", e);
        } catch (BoundedCalls.ThrewException e) {
            throw new HookException(
                    where(place, name) + " failed: " + run.root().redactor().words(e.thrown()), e.thrown());
        } finally {
            context.close();
        }
    }

    private String where(LiveWorkflowContext.Place place, String name) {
        return "The code of entry '" + place.entryId() + "' (" + name.substring(0, name.indexOf(' '))
                + ") of workflow '" + run.definition().id() + "'";
    }
}
