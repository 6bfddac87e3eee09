package dev.chargehand.internal.workflow;

import dev.chargehand.approval.WaitKind;
import dev.chargehand.internal.agent.act.CallOpener;
import dev.chargehand.internal.agent.act.ParkedCalls;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.fact.CallKind;
import dev.chargehand.internal.fact.ClosedCalls;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.ArgumentDigest;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.json.Json;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Entry;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Opens the calls of steps whose input fits, and has the calls of entries that sleep wait. Thread-safe.
 *
 * @param children what steps delegate to, by the ids of the steps
 * @param faults why nested runs cannot start, by the ids of their calls, for what executes these
 */
record StepOpener(
        RunScope run,
        Workflow<?, ?> workflow,
        WorkflowCode code,
        Map<String, RunDefinition> children,
        Map<String, String> faults)
        implements CallOpener {

    /** The input of a nested run is made by code of the application, which may say in addition what must be approved. */
    @Override
    public boolean callsForeignCode(List<CallState> calls) {
        if (sleeps(calls)) {
            return true;
        }
        Map<String, Boolean> found = new HashMap<>(); // the calls of a foreach have one step
        return calls.stream()
                .map(call -> call.call().name())
                .anyMatch(id -> found.computeIfAbsent(id, this::isPrepared));
    }

    private boolean isPrepared(String stepId) {
        return children.containsKey(stepId)
                || workflow.step(stepId)
                        .flatMap(Step::tool)
                        .filter(approvals()::callsForeignCode)
                        .isPresent();
    }

    private StepApprovals approvals() {
        return new StepApprovals(run);
    }

    /** An entry that sleeps has one call. */
    private boolean sleeps(List<CallState> calls) {
        return calls.size() == 1
                && (calls.getFirst().decided() == null || calls.getFirst().isPaused())
                && sleep(calls.getFirst()).filter(Entry.Sleep::isComputed).isPresent();
    }

    @Override
    public Fact open(State state, CallState call) {
        if (pauses((WorkflowState) state, call)) {
            return ParkedCalls.until(run, call, CallState.NO_TIME, run.now());
        }
        Optional<Step<?, ?>> step = workflow.step(call.call().name());
        if (step.isEmpty()) {
            return sleep(call)
                    .map(sleep -> asleep((WorkflowState) state, call, sleep))
                    .orElseGet(() -> failed(
                            call,
                            "Workflow '" + workflow.id() + "' has no step '"
                                    + call.call().name() + "' any more."));
        }
        Optional<String> refusal = refusal(call);
        if (refusal.isPresent()) {
            return step.get().recovers() ? opened(call, CallKind.REPEATABLE) : failed(call, refusal.get());
        }
        Optional<Json> outcome = outcome(call);
        if (outcome.isPresent()) {
            return closed(call, run.root().redactor().redact(outcome.get()));
        }
        Optional<String> misfit = misfit(run, step.get(), input(call));
        if (misfit.isPresent()) {
            return step.get().recovers() ? opened(call, CallKind.REPEATABLE) : failed(call, misfit.get());
        }
        Optional<Tool> tool = step.get().tool();
        if (tool.isPresent() && approvals().isNeeded((WorkflowState) state, call, tool.get(), input(call))) {
            return ParkedCalls.of(run, call, WaitKind.APPROVAL, null, null, run.now());
        }
        RunDefinition child = children.get(step.get().id());
        return child == null
                ? opened(call, step.get().isRepeatable() ? CallKind.REPEATABLE : CallKind.UNSAFE)
                : new ChildOpener(run, code, faults).open((WorkflowState) state, call, step.get(), child, input(call));
    }

    /** The calls of a round pause before they start; of those that start one after the other, the first one does. */
    private boolean pauses(WorkflowState state, CallState call) {
        if (!run.options().get(Options.PAUSE_AFTER_EACH) || call.parked() != null || call.retried() != null) {
            return false;
        }
        return state.round().place(call.callId()) == 0
                || !(Entries.of(workflow, state.round().planned().entry()) instanceof Entry.Foreach entry)
                || entry.concurrency() > 1;
    }

    private Optional<Entry.Sleep> sleep(CallState call) {
        return workflow.entries().stream()
                .filter(Entry.Sleep.class::isInstance)
                .map(Entry.Sleep.class::cast)
                .filter(entry -> entry.id().equals(call.call().name()))
                .findFirst();
    }

    /** The value passes once its time has come. */
    private Fact asleep(WorkflowState state, CallState call, Entry.Sleep entry) {
        if (call.decided() != null && !call.isPaused()) {
            return closed(call, input(call));
        }
        Instant now = run.now();
        Instant until = code.call(state, entry, 1, context -> entry.until(input(call), context, now));
        if (until.isAfter(now.plus(Entry.LONGEST_SLEEP))) {
            return failed(
                    call,
                    "Entry '" + entry.id() + "' would wait until " + until + ", but at most "
                            + Entry.LONGEST_SLEEP.toDays() + " days are allowed.");
        }
        return until.isAfter(now) ? ParkedCalls.until(run, call, until, now) : closed(call, input(call));
    }

    /** Return what a human says that an interrupted call gave, if that is the answer. */
    private static Optional<Json> outcome(CallState call) {
        boolean wasInterrupted =
                call.parked() != null && call.parked().kind() == WaitKind.INTERRUPTED && call.decided() != null;
        return wasInterrupted ? Objects.requireNonNull(call.decided()).given() : Optional.empty();
    }

    /** Return what is to be said of a call whose request was declined or not answered in time. */
    static Optional<String> refusal(CallState call) {
        return call.refusal().map(answer -> {
            String what =
                    switch (Objects.requireNonNull(call.parked()).kind()) {
                        case APPROVAL -> "' was not executed: it was not approved.";
                        case DATA -> "' did not get the data that it asked for.";
                        case INTERRUPTED -> "' was interrupted, its outcome is unknown, and it was not executed again.";
                        case TIMER -> throw new IllegalStateException("A time cannot be declined.");
                    };
            String reason = answer.reason();
            if (reason != null && reason.isBlank()) {
                return "Step '" + call.call().name() + what;
            }
            return "Step '" + call.call().name() + what
                    + (reason == null ? " No answer arrived in time." : " Reason: " + reason);
        });
    }

    /** Return how the input of a step breaks its schema. */
    static Optional<String> misfit(RunScope run, Step<?, ?> step, Json input) {
        List<String> violations = run.validation().violations("input of " + step.id(), step.input(), input);
        return violations.isEmpty()
                ? Optional.empty()
                : Optional.of("The input of step '" + step.id() + "' breaks its schema: "
                        + String.join("; ", violations) + ".");
    }

    private static Json input(CallState call) {
        return Json.parse(call.call().arguments());
    }

    private Fact opened(CallState call, CallKind kind) {
        return new Fact.CallOpened(call.callId(), kind, ArgumentDigest.of(input(call)), null, run.now());
    }

    private Fact closed(CallState call, Json output) {
        return new Fact.CallClosed(call.callId(), output, null, null, null, null, null, null, null, run.now());
    }

    private Fact failed(CallState call, String error) {
        return ClosedCalls.failed(call.callId(), run.root().redactor().redact(error), null, run.now());
    }
}
