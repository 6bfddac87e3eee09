package dev.chargehand.internal.agent.act;

import dev.chargehand.approval.WaitKind;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.BoundedValidation;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.text.ReadableTime;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolFailureException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Executes a call of a tool. */
record ToolExecution(RunScope run) {

    private static final Log LOG = Log.of(ToolExecution.class);

    /** Of a longer result only the start is kept with the run. */
    private static final int MOST_CHARACTERS = 8_388_608;

    /** Return how it ended, or that it waits for data. */
    Fact execute(State state, CallState call, Tool tool) {
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
        Json written;
        try {
            written = Json.ofAtMost(result, MOST_CHARACTERS);
        } catch (InvalidJsonException e) {
            if (e.getCause() != null && e.getCause().getCause() != null) {
                throw e; // an accessor of the result threw, and its words are not for the model
            }
            throw new ToolFailureException("Tool '" + tool.name() + "': its result " + uncapitalized(e.getMessage()));
        }
        try {
            return Json.parse(written.text());
        } catch (InvalidJsonException e) {
            throw new ToolFailureException(
                    "Tool '" + tool.name() + "' was executed, but its result is lost: it has a number or"
                            + " a name that is longer than JSON is read here, or is nested more deeply.");
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
        return ParkedCalls.of(run, call, WaitKind.DATA, question, dataSchema, run.now());
    }

    private Fact.CallClosed threw(CallState call, Tool tool, Throwable thrown) {
        String detail = run.root().redactor().describeWithCauses(thrown);
        if (thrown instanceof ToolFailureException || tool.exposeErrors()) {
            String said = thrown instanceof ChargehandException ours ? ours.publicMessage() : thrown.getMessage();
            String message = said == null ? run.root().redactor().words(thrown) : said;
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
