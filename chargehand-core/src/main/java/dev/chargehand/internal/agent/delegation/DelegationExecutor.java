package dev.chargehand.internal.agent.delegation;

import dev.chargehand.error.DelegationException;
import dev.chargehand.hook.DelegationCompleteContext;
import dev.chargehand.hook.DelegationVerdict;
import dev.chargehand.hook.Hook;
import dev.chargehand.internal.call.InstrumentedCall;
import dev.chargehand.internal.call.RunInterruptedException;
import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.fact.ChildEnd;
import dev.chargehand.internal.fact.ChildVerdict;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.ChildRuns;
import dev.chargehand.internal.scope.DelegationPrompts;
import dev.chargehand.internal.scope.Hooks;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.scope.Toolbox;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.text.Excerpt;
import dev.chargehand.json.Json;
import dev.chargehand.run.Limit;
import dev.chargehand.spi.Outcome;
import dev.chargehand.step.ToolOutcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Executes one delegation: runs the child, calls the hook for its result, and returns the end of the call. */
public final class DelegationExecutor {

    private final RunScope run;
    private final ConversationState state;
    private final CallState call;
    private final Toolbox.AgentCallee callee;
    private final BailArbiter siblings;
    private final Hooks hooks;

    /** Prepare a delegation of a run under the cancellation of the call. */
    public DelegationExecutor(
            RunScope run, ConversationState state, CallState call, Toolbox.AgentCallee callee, BailArbiter siblings) {
        this.run = run;
        this.state = state;
        this.call = call;
        this.callee = callee;
        this.siblings = siblings;
        this.hooks = new Hooks(run);
    }

    /** Run the child and return how the call ended; nothing if the child waits for an answer from outside. */
    public Optional<Fact> execute() {
        return new ChildCall(run, state, call).execute(this::observe, this::closed);
    }

    private Fact.CallClosed closed(ChildRuns.Ended ended, InstrumentedCall work) {
        ChildResult result = ChildResult.of(run, executed(ended), ended);
        DelegationException failure = result.exception(ended);
        DelegationVerdict verdict = verdict(ended, failure);
        if (failure != null) {
            work.end(Outcome.failed(failure));
        }
        Integer bail = verdict.bails() ? siblings.bail(call.callId()) : null;
        ChildVerdict decided = bail == null && verdict.feedback() == null
                ? null
                : new ChildVerdict(bail, bail == null ? null : result.code(), bounded(verdict.feedback()));
        if (verdict.text() != null) {
            result = ChildResult.of(Json.of(verdict.text()));
        }
        return result.output() == null
                ? failed(result.failure(), ended.end(), decided)
                : finished(result.output(), ended, decided);
    }

    private void observe() {
        var observer = run.options().get(Options.OBSERVE_DELEGATION_START);
        if (observer != null && !run.root().delegations().hasStarted(call)) {
            Json arguments = Json.parse(call.call().arguments());
            var context = CallGuards.startContext(
                    run, state, call, callee, call.child().prompt(), arguments);
            hooks.notifyObserver(state.stepNumber(), Hook.OBSERVE_DELEGATION_START, () -> observer.accept(context));
        }
    }

    /** Return the sub-agent in the version that was executed, as far as that is known here. */
    private AgentDefinition executed(ChildRuns.Ended ended) {
        return ended.definition() instanceof AgentDefinition agent ? agent : callee.agent();
    }

    private DelegationVerdict verdict(ChildRuns.Ended ended, @Nullable DelegationException failure) {
        var hook = run.options().get(Options.ON_DELEGATION_COMPLETE);
        if (hook == null || run.cancellation().isCancelled()) {
            return DelegationVerdict.accept();
        }
        DelegationCompleteContext context = new DelegationView.Complete(run, state, call, callee, ended, failure);
        try {
            return hooks.ask(
                    state.stepNumber(),
                    Hook.ON_DELEGATION_COMPLETE,
                    DelegationVerdict.accept(),
                    () -> hook.apply(context));
        } catch (RunInterruptedException e) {
            return DelegationVerdict.accept(); // the run is to end; what the child used up still belongs on record
        }
    }

    private Fact.CallClosed finished(Json output, ChildRuns.Ended ended, @Nullable ChildVerdict decided) {
        Json kept = run.root().redactor().redact(output);
        String text = kept.string().orElse(kept.text());
        String shown = text;
        if (run.options().get(Options.SUB_AGENT_TOOL_RESULTS)) {
            List<ToolOutcome> toolResults = ended.toolResults().get();
            shown = toolResults.isEmpty() ? text : withToolResults(text, toolResults);
        }
        List<String> unknown = run.options().get(Options.RESULT_REFERENCES)
                ? DelegationPrompts.unknownReferences(state, call)
                : List.of();
        if (!unknown.isEmpty()) {
            shown = shown + "\n\n[There is no result " + String.join(", ", unknown) + "; it was ignored.]";
        }
        String cut = Excerpt.of(shown, run.limit(Limit.TOOL_RESULT_BYTES));
        String view = cut == null ? (shown.equals(text) ? null : shown) : cut;
        return new Fact.CallClosed(call.callId(), kept, view, null, null, null, ended.end(), decided, null, run.now());
    }

    /** What the sub-agent's tools returned, without any id. */
    private String withToolResults(String text, List<ToolOutcome> toolResults) {
        List<Map<String, Object>> results = toolResults.stream()
                .map(outcome -> {
                    Map<String, Object> fields = new LinkedHashMap<>();
                    fields.put("toolName", outcome.toolName());
                    fields.put("arguments", outcome.arguments());
                    outcome.output().ifPresent(value -> fields.put("result", value));
                    outcome.error().ifPresent(error -> fields.put("error", error));
                    return fields;
                })
                .toList();
        Map<String, Object> whole = new LinkedHashMap<>();
        whole.put("text", text);
        whole.put("toolResults", results);
        return run.root().redactor().redact(Json.of(whole)).text();
    }

    /** What a failure quotes of the sub-agent's text is bounded and free of secrets, as a result is. */
    private Fact.CallClosed failed(@Nullable String failure, ChildEnd child, @Nullable ChildVerdict decided) {
        String whole = run.root().redactor().redact(Objects.requireNonNull(failure));
        String error = Excerpt.within(whole, run.limit(Limit.TOOL_RESULT_BYTES));
        return new Fact.CallClosed(call.callId(), null, null, error, null, null, child, decided, null, run.now());
    }

    private @Nullable String bounded(@Nullable String text) {
        return text == null
                ? null
                : Excerpt.within(run.root().redactor().redact(text), run.limit(Limit.TOOL_RESULT_BYTES));
    }
}
