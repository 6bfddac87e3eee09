package dev.chargehand.internal.agent.act;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.internal.agent.delegation.BailArbiter;
import dev.chargehand.internal.agent.delegation.DelegationExecutor;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.BoundedValidation;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.call.RunInterruptedException;
import dev.chargehand.internal.fact.CallKind;
import dev.chargehand.internal.fact.ChildEnd;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.scope.ChildEnds;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.scope.Toolbox;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.text.ReadableTime;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolFailureException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Fourth stage: executes one opened call, a tool or a delegation, and says how it ended. */
public final class ActStage {

    private static final Log LOG = Log.of(ActStage.class);

    /** Of a longer result only the start is kept with the run. */
    private static final int MOST_CHARACTERS = 8_388_608;

    private static final String NOT_EXECUTED = "This call was not executed: another agent gave the answer.";

    private final RunScope run;

    /** Make the stage of a run. */
    public ActStage(RunScope run) {
        this.run = run;
    }

    /**
     * Start a call, on the run's own thread; what is returned executes it, on another.
     *
     * <p>A call that has not started when a sibling's bail has made it pointless never does; one that has is in flight.
     */
    Supplier<Optional<Fact>> begin(State state, CallState call, BailArbiter siblings) {
        if (siblings.areDecided() && !hasBegun(call)) {
            return () -> Optional.of(supersede(call));
        }
        RunScope scope = run.under(siblings.begin(call.callId()));
        return () -> act(scope, state, call, siblings);
    }

    /** A delegation that waits is no more executed when a sibling has bailed; who ends the step ends it. */
    private boolean hasBegun(CallState call) {
        return call.isOpenDelegation() && run.root().delegations().hasBegun(call);
    }

    private Optional<Fact> act(RunScope scope, State state, CallState call, BailArbiter siblings) {
        Toolbox.Callee callee = run.toolbox().callees().get(call.call().name());
        try {
            run.root().lease().require();
            if (Objects.requireNonNull(call.opened()).kind() != CallKind.UNSAFE) {
                run.cancellation()
                        .admit(); // it may begin later; one that may not be repeated has begun with its intent
            }
            return switch (callee) {
                case Toolbox.ToolCallee tool -> Optional.of(new ActStage(scope).execute(state, call, tool.tool()));
                case Toolbox.AgentCallee agent -> new DelegationExecutor(scope, state, call, agent, siblings).execute();
                case null -> Optional.of(gone(call));
            };
        } catch (RunInterruptedException e) {
            run.cancellation().check();
            return Optional.of(superseded(
                    call, "This call was cancelled: another agent gave the answer. Its outcome is unknown."));
        }
    }

    private Fact.CallClosed gone(CallState call) {
        String error = "The tool '" + call.call().name() + "' no longer exists; its call was not executed.";
        return neverRan(call, error, new StopReason.Failed("configuration", error, false));
    }

    /** End a call that was not started because a sibling has bailed. */
    Fact.CallClosed supersede(CallState call) {
        return superseded(call, NOT_EXECUTED);
    }

    /** End a call that waits because a sibling has bailed; its child run ends in the same transaction. */
    public Fact.CallClosed supersede(CallState call, ChildEnds children) {
        return neverRan(call, NOT_EXECUTED, call.isOpenDelegation() ? children.of(call) : null);
    }

    private Fact.CallClosed superseded(CallState call, String error) {
        return neverRan(call, error, new StopReason.Cancelled(BailArbiter.BAIL));
    }

    /** A delegation whose start was emitted gets an end, even if its child never ran. */
    private Fact.CallClosed neverRan(CallState call, String error, StopReason reason) {
        ChildEnd child = call.isOpenDelegation() ? run.root().delegations().end(run, call, reason) : null;
        return neverRan(call, error, child);
    }

    private Fact.CallClosed neverRan(CallState call, String error, @Nullable ChildEnd child) {
        return new Fact.CallClosed(call.callId(), null, null, error, null, null, child, null, run.now());
    }

    private Fact execute(State state, CallState call, Tool tool) {
        Duration limit = tool.timeout().orElse(run.limit(TimeLimit.TOOL));
        LiveToolContext context = new LiveToolContext(run, state, call);
        try {
            CallSite site = run.call(CallInfo.Kind.TOOL, tool.name())
                    .atStep(state.stepNumber())
                    .executing(call.callId());
            Json output = run.root().callouts().call(site, limit, run.cancellation(), () -> {
                Object result = tool.handler().handle(Json.parse(call.call().arguments()), context);
                return context.question().isPresent() ? Json.of(null) : written(tool, result);
            });
            Json question = context.question().orElse(null);
            if (question != null) {
                return suspended(call, tool, question);
            }
            String broken = violations(tool, "result", "output", tool.output(), output);
            return broken == null ? ToolResults.with(run, call, output) : failed(call, broken, null);
        } catch (BoundedCalls.TimedOutException e) {
            return failed(
                    call,
                    "Tool '" + tool.name() + "' took longer than " + ReadableTime.of(limit)
                            + "; its outcome is unknown.",
                    null);
        } catch (BoundedCalls.ThrewException e) {
            return threw(call, tool, e.thrown());
        } finally {
            context.close();
        }
    }

    /** What went wrong with the result is for the model; what the tool itself throws is not. */
    private static Json written(Tool tool, @Nullable Object result) {
        try {
            return Json.ofAtMost(result, MOST_CHARACTERS);
        } catch (InvalidJsonException e) {
            if (e.getCause() != null && e.getCause().getCause() != null) {
                throw e; // an accessor of the result threw, and its words are not for the model
            }
            throw new ToolFailureException("Tool '" + tool.name() + "': its result " + uncapitalized(e.getMessage()));
        }
    }

    private static String uncapitalized(String text) {
        return text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
    }

    private @Nullable String violations(
            Tool tool, String what, String kind, Optional<JsonSchema> declared, Json value) {
        BoundedValidation validation = run.validation(tool.timeout().orElse(run.limit(TimeLimit.TOOL)));
        List<String> violations = declared.map(
                        schema -> validation.violations(what + " of " + tool.name(), schema, value))
                .orElse(List.of());
        return violations.isEmpty()
                ? null
                : "The " + what + " of '" + tool.name() + "' breaks its " + kind + " schema: "
                        + String.join("; ", violations) + ".";
    }

    /** The tool has asked for data. */
    private Fact suspended(CallState call, Tool tool, Json question) {
        String broken = violations(tool, "question", "payload", tool.suspendPayload(), question);
        if (broken != null) {
            return failed(call, broken, null);
        }
        Json dataSchema = tool.providedData().map(JsonSchema::json).orElse(null);
        return ParkedCalls.of(run, call, PendingApproval.Kind.DATA, question, dataSchema, run.now());
    }

    private Fact.CallClosed threw(CallState call, Tool tool, Throwable thrown) {
        String detail = run.root().redactor().describeWithCauses(thrown);
        if (thrown instanceof ToolFailureException || tool.exposeErrors()) {
            String said = thrown instanceof ChargehandException ours ? ours.publicMessage() : thrown.getMessage();
            String message = said == null ? detail : said;
            return failed(call, run.root().redactor().redact(message), detail);
        }
        String errorId = run.root().ids().next("err_");
        LOG.warn(
                "run {} call {}: tool {} failed ({}): {}",
                run.events().runId(),
                call.callId(),
                tool.name(),
                errorId,
                detail);
        return failed(call, "Tool '" + tool.name() + "' failed (error " + errorId + ").", detail);
    }

    private Fact.CallClosed failed(CallState call, String error, @Nullable String detail) {
        return ToolResults.failed(run, call, error, detail);
    }
}
