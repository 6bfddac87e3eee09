package dev.chargehand.internal.loop;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.internal.fact.CallKind;
import dev.chargehand.internal.fact.CallState;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.State;
import dev.chargehand.json.Json;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Third stage: decides for one call whether it may be executed, and puts the intent on record.
 *
 * <p>What may not is closed at once with an error result that says why, and the model goes on from there.
 */
final class Open {

    private final RunScope run;

    Open(RunScope run) {
        this.run = run;
    }

    /** Returns the intent, or the refusal. */
    Fact open(State state, CallState call) {
        Fact.Call asked = call.call();
        @Nullable List<String> offered = state.step().answered().offered();
        Optional<Toolbox.Callee> callee = run.toolbox().find(asked.name(), offered);
        if (callee.isEmpty()) {
            return refused(
                    call,
                    "There is no tool '" + asked.name() + "'. Available tools: "
                            + run.toolbox().names(offered) + ".");
        }
        String mistake = mistakeIn(callee.get(), asked.arguments());
        if (mistake != null) {
            return refused(call, mistake);
        }
        String excess = excess(state, call, callee.get());
        if (excess != null) {
            return refused(call, excess);
        }
        return opened(call, callee.get());
    }

    private @Nullable String mistakeIn(Toolbox.Callee callee, String arguments) {
        String tool = callee.definition().name();
        long bytes = arguments.length() > run.limit(Limit.ARGUMENT_BYTES) / 4
                ? arguments.getBytes(StandardCharsets.UTF_8).length
                : 0;
        if (bytes > run.limit(Limit.ARGUMENT_BYTES)) {
            return "The arguments of '" + tool + "' have " + bytes + " bytes, but at most "
                    + run.limit(Limit.ARGUMENT_BYTES) + " are allowed; the call was not executed.";
        }
        try {
            Json json = Json.parse(arguments);
            if (json.depth() > run.limit(Limit.ARGUMENT_NESTING)) {
                return "The arguments of '" + tool + "' are nested too deeply; at most "
                        + run.limit(Limit.ARGUMENT_NESTING) + " levels are allowed; the call was not executed.";
            }
            List<String> violations = callee.definition().input().violations(json);
            return violations.isEmpty()
                    ? null
                    : "The arguments of '" + tool + "' are not valid: " + String.join("; ", violations)
                            + ". The call was not executed; mend the arguments and call again.";
        } catch (InvalidJsonException e) {
            return "The arguments of '" + tool + "' are invalid JSON; the call was not executed. " + e.getMessage();
        }
    }

    private @Nullable String excess(State state, CallState call, Toolbox.Callee callee) {
        int index = state.step().calls().indexOf(call);
        if (index >= run.limit(Limit.CALLS_PER_STEP)) {
            return "One answer may make " + run.limit(Limit.CALLS_PER_STEP)
                    + " calls; this one was not executed. Make fewer calls at once.";
        }
        if (Repetition.isRepeated(state, call, run.limit(Limit.IDENTICAL_CALLS))) {
            return "The same call was made " + run.limit(Limit.IDENTICAL_CALLS)
                    + " times in a row; this one was not executed.";
        }
        if (callee instanceof Toolbox.AgentCallee agent) {
            String tooDeep = tooDeep(agent);
            if (tooDeep != null) {
                return tooDeep;
            }
        }
        return run.root().ledger().reserveToolCall()
                ? null
                : "All " + run.limit(Limit.TOOL_CALLS) + " tool calls of the run are spent; this one was not executed.";
    }

    private @Nullable String tooDeep(Toolbox.AgentCallee callee) {
        if (run.events().path().depth() >= run.limit(Limit.DEPTH)) {
            return "Agents may be nested " + run.limit(Limit.DEPTH) + " deep; '" + callee.key()
                    + "' was not called. Do the work without it.";
        }
        long onPath = run.events().path().segments().stream()
                .filter(callee.key()::equals)
                .count();
        return onPath >= run.limit(Limit.SAME_AGENT_ON_PATH)
                ? "Agent '" + callee.key() + "' is at work " + onPath
                        + " times above this one; it was not called. Do the work without it."
                : null;
    }

    private Fact opened(CallState call, Toolbox.Callee callee) {
        String digest = Digest.of(call.call().arguments());
        return switch (callee) {
            case Toolbox.ToolCallee tool ->
                new Fact.CallOpened(
                        call.callId(),
                        tool.tool().repeatable() ? CallKind.REPEATABLE : CallKind.UNSAFE,
                        digest,
                        null,
                        run.now());
            case Toolbox.AgentCallee agent ->
                new Fact.CallOpened(
                        call.callId(),
                        CallKind.CHILD,
                        digest,
                        new Fact.ChildLink(
                                new RunId(run.root().ids().next("run_")),
                                agent.agent().id()),
                        run.now());
        };
    }

    private Fact refused(CallState call, String why) {
        return Fact.CallClosed.failed(call.callId(), why, null, run.now());
    }
}
