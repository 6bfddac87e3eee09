package dev.chargehand.internal.agent.delegation;

import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.DelegationStartContext;
import dev.chargehand.hook.Hook;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.hook.ToolCallRequest;
import dev.chargehand.internal.fact.ChildLink;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.DelegationPrompts;
import dev.chargehand.internal.scope.Hooks;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.scope.Toolbox;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.version.Versions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Asks the guards of a run whether a call may be executed, and how a delegation is to start. They fail closed. */
public final class CallGuards {

    private final RunScope run;
    private final Hooks hooks;

    public CallGuards(RunScope run, Hooks hooks) {
        this.run = run;
        this.hooks = hooks;
    }

    private boolean areAsked() {
        return run.options().get(Options.BEFORE_TOOL_CALL) != null
                || run.options().get(Options.ON_DELEGATION_START) != null
                || run.options().get(Options.MESSAGE_FILTER) != null
                || run.options().get(Options.SUB_AGENT_FILTER) != null
                || !run.approvalPolicies().isEmpty();
    }

    /** Return whether deciding about one of the calls calls a guard. */
    public boolean areAsked(List<CallState> calls) {
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
     * Return whether a call must be approved before it is executed: because its tool, this run or one above it reports
     * it. A policy that fails requires it too.
     */
    public boolean needApproval(ConversationState state, CallState call, Toolbox.Callee callee, Json arguments) {
        if (!(callee instanceof Toolbox.AgentCallee) && run.options().get(Options.ALL_TOOLS_NEED_APPROVAL)) {
            return true;
        }
        if (callee instanceof Toolbox.ToolCallee tool) {
            Predicate<Json> own = tool.tool().approval().orElse(null);
            if (own != null && needsApproval(state, () -> own.test(arguments))) {
                return true;
            }
        }
        if (run.approvalPolicies().isEmpty()) {
            return false;
        }
        ToolCallRequest request = request(state, call, arguments);
        return run.approvalPolicies().stream().anyMatch(policy -> needsApproval(state, () -> policy.test(request)));
    }

    private boolean needsApproval(ConversationState state, Callable<Boolean> policy) {
        return hooks.guard(state.stepNumber(), Hook.REQUIRE_TOOL_APPROVAL, false, true, policy);
    }

    private ToolCallRequest request(ConversationState state, CallState call, Json arguments) {
        return new ToolCallRequest(
                run.info(),
                state.stepNumber(),
                call.callId(),
                call.call().name(),
                arguments,
                Transcript.conversation(state));
    }

    /** Return why a call is rejected, if it is. */
    public Optional<String> refusal(ConversationState state, CallState call, Json arguments) {
        var guard = run.options().get(Options.BEFORE_TOOL_CALL);
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
    public record Delegated(
            @Nullable ChildLink child, @Nullable String rejection) {}

    /** Decide how a delegation starts, or why it does not. */
    public Delegated delegation(ConversationState state, CallState call, Toolbox.AgentCallee callee, Json arguments) {
        String prompt = DelegationPrompts.asked(callee.agent(), arguments);
        DelegationDecision decision = decide(state, call, callee, prompt, arguments);
        return switch (decision) {
            case DelegationDecision.Reject reject -> new Delegated(null, reject.reason());
            case DelegationDecision.Proceed proceed ->
                selectsVersions(proceed)
                        ? new Delegated(
                                null,
                                "The hook '" + Hook.ON_DELEGATION_START.key() + "' set '" + Versions.KEY.name()
                                        + "' in the request context, which selects versions only where a run is started.")
                        : linked(state, call, callee, proceed, proceed.prompt() == null ? prompt : proceed.prompt());
        };
    }

    private boolean selectsVersions(DelegationDecision.Proceed how) {
        RequestContext context = how.requestContext();
        return context != null
                && context.get(Versions.KEY).isPresent()
                && !context.get(Versions.KEY).equals(run.requestContext().get(Versions.KEY));
    }

    private DelegationDecision decide(
            ConversationState state, CallState call, Toolbox.AgentCallee callee, String prompt, Json arguments) {
        var guard = run.options().get(Options.ON_DELEGATION_START);
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
            RunScope run,
            ConversationState state,
            CallState call,
            Toolbox.AgentCallee callee,
            String prompt,
            Json arguments) {
        return new DelegationView.Starting(run, state, call, callee, prompt, arguments);
    }

    private Delegated linked(
            ConversationState state,
            CallState call,
            Toolbox.AgentCallee callee,
            DelegationDecision.Proceed how,
            String prompt) {
        List<Message> forwarded = null;
        if (run.options().get(Options.SUB_AGENT_FILTER) != null || run.options().get(Options.MESSAGE_FILTER) != null) {
            Optional<List<Message>> filtered = filtered(state, call, callee, prompt);
            if (filtered.isEmpty()) {
                return new Delegated(null, failed(Hook.MESSAGE_FILTER));
            }
            forwarded = filtered.get();
        }
        return new Delegated(
                new ChildLink(
                        new RunId(run.root().ids().next("run_")),
                        callee.agent().id(),
                        callee.agent().name(),
                        callee.agent().version(),
                        prompt,
                        how.instructions(),
                        how.maxSteps(),
                        how.requestContext(),
                        forwarded),
                null);
    }

    /** Return what the filters passed; nothing if one failed, since a failure must not widen what is seen. */
    private Optional<List<Message>> filtered(
            ConversationState state, CallState call, Toolbox.AgentCallee callee, String prompt) {
        return hooks.guard(state.stepNumber(), Hook.MESSAGE_FILTER, Optional.empty(), Optional.empty(), () -> {
            List<Message> messages = ForwardedMessages.of(state, run.options().get(Options.SUB_AGENT_FILTER));
            var filter = run.options().get(Options.MESSAGE_FILTER);
            List<Message> chosen = filter == null
                    ? messages
                    : filter.apply(new DelegationView.Filtered(run, state, call, callee, prompt, messages));
            return Optional.of(ForwardedMessages.spoken(chosen));
        });
    }

    private static String failed(Hook hook) {
        return "The check '" + hook.key() + "' failed, and nothing is done without it.";
    }
}
