package dev.chargehand.testkit;

import dev.chargehand.RunResult;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.step.DelegationOutcome;
import dev.chargehand.step.ToolOutcome;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions about how a run ended. Those about calls and delegations are about the agent of the run itself: the calls of a sub-agent are in
 * the {@link ToolOutcome#delegation()} of its delegation.
 */
public final class RunResultAssert extends AbstractAssert<RunResultAssert, RunResult> {

    RunResultAssert(@Nullable RunResult actual) {
        super(actual, RunResultAssert.class);
    }

    /** Verify that the model gave its answer. */
    public RunResultAssert finished() {
        return stoppedBecause(new StopReason.Finished());
    }

    /** Verify why the run ended. */
    public RunResultAssert stoppedBecause(StopReason reason) {
        return expect("stop reason", reason, result().stopReason());
    }

    /** Verify where the run stands. */
    public RunResultAssert hasStatus(RunStatus status) {
        return expect("status", status, result().status());
    }

    /** Verify the answer. */
    public RunResultAssert hasText(String text) {
        return expect("text", text, result().text());
    }

    /** Verify the object of the structured output, read as the type of the expected one. */
    public RunResultAssert hasObject(Object expected) {
        return expect("object", expected, result().object(expected.getClass()));
    }

    /** Verify that the run has no object. */
    public RunResultAssert hasNoObject() {
        return expect("object", Optional.empty(), result().object());
    }

    /** Verify the number of steps. */
    public RunResultAssert hasSteps(int count) {
        return expect("number of steps", count, result().steps().size());
    }

    /** Verify the tokens of the agent itself. */
    public RunResultAssert hasUsage(Usage usage) {
        return expect("usage", usage, result().usage());
    }

    /** Verify the tokens of the whole tree of runs. */
    public RunResultAssert hasTotalUsage(Usage usage) {
        return expect("total usage", usage, result().totalUsage());
    }

    /** Verify the tokens of one agent of the tree. */
    public RunResultAssert hasUsageOf(String agentId, Usage usage) {
        return expect("usage of " + agentId, usage, result().usageByAgent().getOrDefault(agentId, Usage.NONE));
    }

    /** Verify that the run delegated to the sub-agent of a key with a prompt. */
    public RunResultAssert delegatedTo(String key, String prompt) {
        if (outcomes("agent-" + key).stream().noneMatch(outcome -> prompt.equals(promptOf(outcome)))) {
            failWithMessage(
                    "Expected a delegation to <%s> with the prompt <%s>, but the calls were %s", key, prompt, calls());
        }
        return this;
    }

    /** Verify that the agent itself called a tool, successfully or not. */
    public RunResultAssert calledTool(String name) {
        if (outcomes(name).isEmpty()) {
            failWithMessage(
                    "Expected agent <%s> itself to call <%s>, but its calls were %s", result().path(), name, calls());
        }
        return this;
    }

    /** Verify that the agent itself did not call a tool; its sub-agents may have. */
    public RunResultAssert didNotCallTool(String name) {
        if (!outcomes(name).isEmpty()) {
            failWithMessage(
                    "Expected agent <%s> itself not to call <%s>, but its calls were %s",
                    result().path(), name, calls());
        }
        return this;
    }

    /** Verify that a call of the agent itself failed, and that its model received a text. */
    public RunResultAssert toolFailed(String name, String text) {
        if (outcomes(name).stream()
                .noneMatch(outcome -> outcome.error().orElse("").contains(text))) {
            failWithMessage(
                    "Expected agent <%s> itself to have a failed call of <%s> that says <%s>, but its calls were %s",
                    result().path(), name, text, calls());
        }
        return this;
    }

    private RunResult result() {
        isNotNull();
        return Objects.requireNonNull(actual);
    }

    private List<ToolOutcome> outcomes(String tool) {
        return result().toolResults().stream()
                .filter(outcome -> outcome.toolName().equals(tool))
                .toList();
    }

    private List<String> calls() {
        return calls(result().toolResults());
    }

    private static List<String> calls(List<ToolOutcome> outcomes) {
        return outcomes.stream()
                .map(outcome -> outcome.toolName() + outcome.arguments() + " -> "
                        + outcome.error()
                                .map(error -> "error: " + error)
                                .orElseGet(() -> String.valueOf(outcome.output().orElse(null)))
                        + outcome.delegation()
                                .map(DelegationOutcome::toolResults)
                                .filter(nested -> !nested.isEmpty())
                                .map(nested -> " with the calls " + calls(nested))
                                .orElse(""))
                .toList();
    }

    private static @Nullable String promptOf(ToolOutcome outcome) {
        try {
            return Json.parse(outcome.arguments())
                    .at("/prompt")
                    .flatMap(Json::string)
                    .orElse(null);
        } catch (InvalidJsonException e) {
            return null;
        }
    }

    private RunResultAssert expect(String what, Object expected, Object found) {
        if (!expected.equals(found)) {
            failWithActualExpectedAndMessage(
                    found,
                    expected,
                    "Expected the %s of run %s of agent %s to be <%s>, but it is <%s>; it ended as %s",
                    what,
                    result().runId(),
                    result().path(),
                    expected,
                    found,
                    result().stopReason());
        }
        return this;
    }
}
