package dev.chargehand.internal.agent.act;

import dev.chargehand.approval.WaitKind;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.internal.agent.delegation.CallGuards;
import dev.chargehand.internal.call.Ledger;
import dev.chargehand.internal.fact.CallAnswer;
import dev.chargehand.internal.fact.CallKind;
import dev.chargehand.internal.fact.ChildLink;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Refusal;
import dev.chargehand.internal.fact.RequestedCall;
import dev.chargehand.internal.scope.ArgumentDigest;
import dev.chargehand.internal.scope.Hooks;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.scope.Tasks;
import dev.chargehand.internal.scope.Toolbox;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.State;
import dev.chargehand.json.Json;
import dev.chargehand.run.Limit;
import dev.chargehand.run.TimeLimit;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Third stage: decides for one call whether it may be executed, and puts the intent stored.
 *
 * <p>What may not is closed at once with an error result that states the reason, and the model continues from there.
 * Thread-safe: calls of one step may be decided side by side.
 */
public final class OpenStage implements CallOpener {

    private final RunScope run;
    private final CallGuards guards;

    /** Make the stage of a run. */
    public OpenStage(RunScope run, Hooks hooks) {
        this.run = run;
        this.guards = new CallGuards(run, hooks);
    }

    @Override
    public boolean callsForeignCode(List<CallState> calls) {
        return guards.areAsked(calls);
    }

    @Override
    public Fact open(State state, CallState call) {
        Fact.CallDecided answer = call.decided();
        if (answer != null && answer.answer() == CallAnswer.DECLINED) {
            return declined(call, String.valueOf(answer.reason()));
        }
        if (answer != null && answer.answer() == CallAnswer.EXPIRED) {
            return declined(call, "No answer arrived in time.");
        }
        RequestedCall asked = call.call();
        @Nullable List<String> offered = state.conversation().step().answered().offered();
        Optional<Toolbox.Callee> callee = run.toolbox().find(asked.name(), offered);
        if (callee.isEmpty()) {
            return rejected(
                    call,
                    "There is no tool '" + asked.name() + "'. Available tools: "
                            + run.toolbox().names(offered) + ".");
        }
        if (callee.get() instanceof Toolbox.AgentCallee agent && agent.unavailable() != null) {
            return rejected(call, agent.unavailable());
        }
        Arguments arguments = arguments(callee.get(), asked.arguments());
        if (arguments.json() == null) {
            return rejected(call, String.valueOf(arguments.mistake()));
        }
        Checked checked = new Checked(arguments.json(), ArgumentDigest.of(arguments.json()));
        Fact decided = call.decided() == null
                ? first(state, call, callee.get(), checked)
                : answered(state, call, callee.get(), checked);
        boolean mayRun = !(decided instanceof Fact.CallOpened)
                || call.hasStarted()
                || run.root().ledger().reserveToolCall();
        return mayRun ? decided : rejected(call, "All " + run.limit(Limit.TOOL_CALLS) + Ledger.TOOL_CALLS_USED);
    }

    /** The arguments of a call as they may be used, and their digest. */
    private record Checked(Json json, String digest) {}

    /** Decide about a call for the first time. */
    private Fact first(State state, CallState call, Toolbox.Callee callee, Checked arguments) {
        String excess = excess(state.conversation(), call, callee, arguments.digest());
        if (excess != null) {
            return rejected(call, excess);
        }
        Optional<String> denied = guards.refusal(state.conversation(), call, arguments.json());
        if (denied.isPresent()) {
            return denied(call, callee, denied.get());
        }
        return guards.needApproval(state.conversation(), call, callee, arguments.json())
                ? ParkedCalls.of(run, call, WaitKind.APPROVAL, null, null, run.now())
                : started(state, call, callee, arguments);
    }

    /** Continue a call that has its answer. */
    private Fact answered(State state, CallState call, Toolbox.Callee callee, Checked arguments) {
        Fact.CallParked asked = Objects.requireNonNull(call.parked());
        if (!asked.digest().equals(arguments.digest())) {
            return rejected(call, "The arguments are not those that were approved; the call was not executed.");
        }
        Optional<Json> given = Objects.requireNonNull(call.decided()).given();
        return asked.kind() == WaitKind.INTERRUPTED && given.isPresent()
                ? ToolResults.with(run, call, given.get())
                : started(state, call, callee, arguments);
    }

    private Fact started(State state, CallState call, Toolbox.Callee callee, Checked arguments) {
        return switch (callee) {
            case Toolbox.ToolCallee tool ->
                opened(call, tool.tool().repeatable() ? CallKind.REPEATABLE : CallKind.UNSAFE, arguments, null);
            case Toolbox.WorkflowCallee workflow ->
                opened(call, callee, arguments, WorkflowCall.link(run, workflow, arguments.json()));
            case Toolbox.AgentCallee agent -> {
                CallGuards.Delegated how = guards.delegation(state.conversation(), call, agent, arguments.json());
                yield how.rejection() != null
                        ? denied(call, callee, how.rejection())
                        : opened(call, callee, arguments, Objects.requireNonNull(how.child()));
            }
        };
    }

    /** Open a call whose work another run does: a nested run, or a background task. */
    private Fact opened(CallState call, Toolbox.Callee callee, Checked arguments, ChildLink child) {
        if (!callee.isTask(arguments.json())) {
            return opened(call, CallKind.CHILD, arguments, child);
        }
        return switch (run.root().tasks().admit(run, child)) {
            case Tasks.Admitted admitted -> opened(call, CallKind.TASK, arguments, child.granted(admitted.grant()));
            case Tasks.InForeground ignored -> opened(call, CallKind.CHILD, arguments, child);
            case Tasks.Rejected rejected -> rejected(call, rejected.reason());
        };
    }

    private Fact opened(CallState call, CallKind kind, Checked arguments, @Nullable ChildLink child) {
        return new Fact.CallOpened(call.callId(), kind, arguments.digest(), child, run.now());
    }

    private Fact denied(CallState call, Toolbox.Callee callee, String reason) {
        return switch (callee) {
            case Toolbox.ToolCallee tool -> denied(call, "Tool '" + tool.tool().name() + "'", null, null, reason);
            case Toolbox.WorkflowCallee workflow ->
                denied(call, "Tool '" + workflow.definition().name() + "'", null, null, reason);
            case Toolbox.AgentCallee agent ->
                denied(
                        call,
                        "Agent '" + agent.key() + "'",
                        agent.agent().id(),
                        agent.agent().name(),
                        reason);
        };
    }

    /** A call that was executed before it waited is not said never to have been. */
    private Fact declined(CallState call, String reason) {
        String what = call.isDelegation()
                ? "Agent '" + call.agentKey() + "'"
                : "Tool '" + call.call().name() + "'";
        String clean = run.root().redactor().redact(reason);
        String outcome =
                switch (Objects.requireNonNull(call.parked()).kind()) {
                    case APPROVAL -> " was not called: it was not approved.";
                    case DATA -> " did not get the data that it asked for.";
                    case INTERRUPTED -> " was interrupted, its outcome is unknown, and it was not called again.";
                    case TIMER -> throw new IllegalStateException("A time cannot be declined.");
                };
        return ToolResults.rejected(run, call, what + outcome + because(clean), new Refusal(null, null, clean));
    }

    private Fact denied(
            CallState call, String name, @Nullable String agentId, @Nullable String agentName, String reason) {
        String clean = run.root().redactor().redact(reason);
        return ToolResults.rejected(
                run, call, name + " was not called." + because(clean), new Refusal(agentId, agentName, clean));
    }

    private static String because(String reason) {
        return reason.isBlank() ? "" : " Reason: " + reason;
    }

    /** The arguments of a call, or what is wrong with them: one of both is null. */
    private record Arguments(@Nullable Json json, @Nullable String mistake) {}

    private Arguments arguments(Toolbox.Callee callee, String text) {
        String tool = callee.definition().name();
        long bytes =
                text.length() > run.limit(Limit.ARGUMENT_BYTES) / 4 ? text.getBytes(StandardCharsets.UTF_8).length : 0;
        if (bytes > run.limit(Limit.ARGUMENT_BYTES)) {
            return mistake("The arguments of '" + tool + "' have " + bytes + " bytes, but at most "
                    + run.limit(Limit.ARGUMENT_BYTES) + " are allowed; the call was not executed.");
        }
        try {
            Json json = Json.parse(text);
            if (json.depth() > run.limit(Limit.ARGUMENT_NESTING)) {
                return mistake("The arguments of '" + tool + "' are nested too deeply; at most "
                        + run.limit(Limit.ARGUMENT_NESTING) + " levels are allowed; the call was not executed.");
            }
            List<String> violations = run.validation(limit(callee))
                    .violations("arguments of " + tool, callee.definition().input(), json);
            return violations.isEmpty()
                    ? new Arguments(json, null)
                    : mistake("The arguments of '" + tool + "' are not valid: " + String.join("; ", violations)
                            + ". The call was not executed; fix the arguments and call the tool again.");
        } catch (InvalidJsonException e) {
            return mistake(
                    "The arguments of '" + tool + "' are invalid JSON; the call was not executed. " + e.getMessage());
        }
    }

    private Duration limit(Toolbox.Callee callee) {
        Duration tools = run.limit(TimeLimit.TOOL);
        return callee instanceof Toolbox.ToolCallee tool ? tool.tool().timeout().orElse(tools) : tools;
    }

    private static Arguments mistake(String what) {
        return new Arguments(null, what);
    }

    private @Nullable String excess(ConversationState state, CallState call, Toolbox.Callee callee, String digest) {
        if (state.step().place(call.callId()) >= run.limit(Limit.CALLS_PER_STEP)) {
            return "One answer may make " + run.limit(Limit.CALLS_PER_STEP)
                    + " calls; this one was not executed. Make fewer calls at once.";
        }
        boolean repeated = !RepeatedCalls.isPolling(callee)
                && RepeatedCalls.isRepeated(state, call, digest, run.limit(Limit.IDENTICAL_CALLS));
        if (repeated) {
            return "The same call was made " + run.limit(Limit.IDENTICAL_CALLS)
                    + " times in a row; this one was not executed.";
        }
        String tooDeep =
                switch (callee) {
                    case Toolbox.ToolCallee ignored -> null;
                    case Toolbox.AgentCallee agent ->
                        run.tooDeep(agent.key(), agent.agent().id());
                    case Toolbox.WorkflowCallee workflow ->
                        run.tooDeep(workflow.key(), workflow.workflow().id());
                };
        return tooDeep == null ? null : tooDeep + " Do the work without it.";
    }

    private Fact rejected(CallState call, String why) {
        return ToolResults.failed(run, call, why, null);
    }
}
