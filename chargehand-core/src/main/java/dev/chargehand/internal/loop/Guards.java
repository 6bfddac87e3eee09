package dev.chargehand.internal.loop;

import dev.chargehand.delegation.DelegationDecision;
import dev.chargehand.delegation.DelegationHooks;
import dev.chargehand.delegation.DelegationStartContext;
import dev.chargehand.delegation.MessageFilterContext;
import dev.chargehand.internal.fact.CallState;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.State;
import dev.chargehand.internal.fact.Transcript;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.run.Hook;
import dev.chargehand.run.RunId;
import dev.chargehand.tool.ToolCallDecision;
import dev.chargehand.tool.ToolCallRequest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Asks the guards of a run whether a call may be executed, and how a delegation is to begin. They fail closed. */
final class Guards {

    private final RunScope run;
    private final Hooks hooks;

    Guards(RunScope run, Hooks hooks) {
        this.run = run;
        this.hooks = hooks;
    }

    private boolean areAsked() {
        DelegationHooks delegation = run.hooks().delegation();
        return run.hooks().beforeToolCall() != null
                || delegation.onDelegationStart() != null
                || delegation.messageFilter() != null
                || delegation.subAgentFilter() != null
                || !run.approvalPolicies().isEmpty();
    }

    /** Tells whether deciding about one of the calls asks anybody. */
    boolean areAsked(List<CallState> calls) {
        if (areAsked()) {
            return true;
        }
        for (CallState call : calls) {
            if (run.toolbox().callees().get(call.call().name()) instanceof Toolbox.ToolCallee tool
                    && tool.tool().approval().isPresent()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Tells whether a call must be approved before it is executed: because its tool, this run or one above it says so. A
     * policy that fails says so too.
     */
    boolean needApproval(State state, CallState call, Toolbox.Callee callee, Json arguments) {
        if (callee instanceof Toolbox.ToolCallee tool) {
            Predicate<Json> own = tool.tool().approval().orElse(null);
            if (run.settings().approvals().all() || (own != null && needsApproval(state, () -> own.test(arguments)))) {
                return true;
            }
        }
        ToolCallRequest request = request(state, call, arguments);
        return run.approvalPolicies().stream().anyMatch(policy -> needsApproval(state, () -> policy.test(request)));
    }

    private boolean needsApproval(State state, Callable<Boolean> policy) {
        return hooks.guard(state.stepNumber(), Hook.REQUIRE_TOOL_APPROVAL, false, true, policy);
    }

    private ToolCallRequest request(State state, CallState call, Json arguments) {
        return new ToolCallRequest(
                run.info(),
                state.stepNumber(),
                call.callId(),
                call.call().name(),
                arguments,
                Transcript.conversation(state));
    }

    /** Returns why a call is refused, if it is. */
    Optional<String> refusal(State state, CallState call, Json arguments) {
        var guard = run.hooks().beforeToolCall();
        if (guard == null) {
            return Optional.empty();
        }
        ToolCallRequest request = request(state, call, arguments);
        ToolCallDecision decision = hooks.guard(
                state.stepNumber(),
                Hook.BEFORE_TOOL_CALL,
                ToolCallDecision.allow(),
                ToolCallDecision.deny(failed(Hook.BEFORE_TOOL_CALL)),
                () -> guard.apply(request));
        return decision instanceof ToolCallDecision.Deny deny ? Optional.of(deny.reason()) : Optional.empty();
    }

    /** What the guards of a delegation decided: one of both is null. */
    record Delegated(
            Fact.@Nullable ChildLink child, @Nullable String rejection) {}

    /** Decides how a delegation begins, or why it does not. */
    Delegated delegation(State state, CallState call, Toolbox.AgentCallee callee, Json arguments) {
        String prompt = Prompts.asked(callee.agent(), arguments);
        DelegationDecision decision = decide(state, call, callee, prompt, arguments);
        return switch (decision) {
            case DelegationDecision.Reject reject -> new Delegated(null, reject.reason());
            case DelegationDecision.Proceed proceed ->
                linked(state, call, callee, proceed, proceed.prompt() == null ? prompt : proceed.prompt());
        };
    }

    private DelegationDecision decide(
            State state, CallState call, Toolbox.AgentCallee callee, String prompt, Json arguments) {
        var guard = run.hooks().delegation().onDelegationStart();
        return guard == null
                ? DelegationDecision.proceed()
                : hooks.guard(
                        state.stepNumber(),
                        Hook.ON_DELEGATION_START,
                        DelegationDecision.proceed(),
                        DelegationDecision.reject(failed(Hook.ON_DELEGATION_START)),
                        () -> guard.apply(startContext(run, state, call, callee, prompt, arguments)));
    }

    static DelegationStartContext startContext(
            RunScope run, State state, CallState call, Toolbox.AgentCallee callee, String prompt, Json arguments) {
        return new DelegationStartContext(
                run.info(),
                state.stepNumber(),
                call.callId(),
                callee.agent().id(),
                callee.key(),
                prompt,
                arguments,
                Transcript.conversation(state));
    }

    private Delegated linked(
            State state, CallState call, Toolbox.AgentCallee callee, DelegationDecision.Proceed how, String prompt) {
        List<Message> forwarded = null;
        if (run.hooks().delegation().subAgentFilter() != null
                || run.hooks().delegation().messageFilter() != null) {
            Optional<List<Message>> filtered = filtered(state, call, callee, prompt);
            if (filtered.isEmpty()) {
                return new Delegated(null, failed(Hook.MESSAGE_FILTER));
            }
            forwarded = filtered.get();
        }
        return new Delegated(
                new Fact.ChildLink(
                        new RunId(run.root().ids().next("run_")),
                        callee.agent().id(),
                        prompt,
                        how.instructions(),
                        how.maxSteps(),
                        how.requestContext(),
                        forwarded),
                null);
    }

    /** Returns what the filters let through; nothing if one failed, since a failure must not widen what is seen. */
    private Optional<List<Message>> filtered(State state, CallState call, Toolbox.AgentCallee callee, String prompt) {
        return hooks.guard(state.stepNumber(), Hook.MESSAGE_FILTER, Optional.empty(), Optional.empty(), () -> {
            List<Message> messages =
                    Forwarding.of(state, run.hooks().delegation().subAgentFilter());
            var filter = run.hooks().delegation().messageFilter();
            List<Message> chosen = filter == null
                    ? messages
                    : filter.apply(new MessageFilterContext(
                            run.info(),
                            state.stepNumber(),
                            call.callId(),
                            callee.agent().id(),
                            callee.key(),
                            prompt,
                            messages));
            return Optional.of(Forwarding.spoken(chosen));
        });
    }

    private static String failed(Hook hook) {
        return "The check '" + hook.key() + "' failed, and nothing is done without it.";
    }
}
