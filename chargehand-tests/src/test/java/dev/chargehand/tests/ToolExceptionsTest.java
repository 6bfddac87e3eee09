package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.error.ModelException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.step.ToolOutcome;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a tool threw is visible to the application, and not to the model. */
class ToolExceptionsTest {

    private static final String SECRET = "sk-live-0123456789";

    private static final Agent AGENT = Crew.solo(
            Steps.tool(
                    "look",
                    (in, ctx) -> Steps.failing(
                            new UncheckedIOException("cannot look with " + SECRET, new IOException("disk 7 is gone")))),
            Steps.tool("large", (in, ctx) -> Steps.failing(new IllegalStateException("x".repeat(1 << 20)))),
            Steps.tool("fine", (in, ctx) -> "ok"));

    private static Script calling(String tool) {
        return Scripts.on("solo").calls(tool, "{}").then().says("Done");
    }

    private static TestRuntime runtime(Script script) {
        return TestRuntime.builder(script).addSecret(SECRET).build();
    }

    @Test
    void theOutcomeAndTheEventDescribeTheExceptionAndItsCause() {
        Script script = calling("look");
        try (TestRuntime test = runtime(script)) {
            List<RunResult> steps = new ArrayList<>();
            RunResult result = test.bind(AGENT).generate("Go", o -> o.onFinish(steps::add));
            ToolOutcome outcome = result.toolResults().getFirst();
            assertThat(outcome.detail().orElseThrow())
                    .isEqualTo(
                            "java.io.UncheckedIOException: cannot look with [redacted]; caused by java.io.IOException:"
                                    + " disk 7 is gone");
            assertThat(outcome.error()).contains("Tool 'look' failed (error err_1).");
            assertThat(steps.getFirst().toolResults()).isEqualTo(result.toolResults());
            assertThat(Routed.all(RunEvent.ToolError.class, test.events()))
                    .extracting(event -> event.detail())
                    .containsExactly(outcome.detail().orElseThrow());
            assertThat(script.requests().toString()).doesNotContain("disk 7", "UncheckedIOException");
        }
    }

    @Test
    void theHookOfAFailedRunSeesIt() {
        List<RunResult> failed = new ArrayList<>();
        try (TestRuntime test = runtime(Scripts.on(
                "solo",
                Turn.calls("look", "{}"),
                Turn.failsWith(new ModelException(ModelException.Kind.AUTHENTICATION, "No key.", null))))) {
            assertThatThrownBy(
                    () -> test.bind(AGENT).generate("Go", o -> o.retries(0).onError(failed::add)));
        }
        assertThat(failed).singleElement().satisfies(result -> assertThat(
                        result.toolResults().getFirst().detail().orElseThrow())
                .contains("disk 7 is gone"));
    }

    @Test
    void theStoreHasItToo() {
        try (TestRuntime test = runtime(calling("look"))) {
            RunResult result = test.bind(AGENT).generate("Go");
            assertThat(test.runtime().history(result.runId()))
                    .filteredOn(RunEvent.ToolError.class::isInstance)
                    .singleElement()
                    .isInstanceOfSatisfying(RunEvent.ToolError.class, event -> assertThat(event.detail())
                            .isEqualTo(result.toolResults().getFirst().detail().orElseThrow()));
        }
    }

    @Test
    void aLargeMessageIsCut() {
        try (TestRuntime test = runtime(calling("large"))) {
            RunResult result = test.bind(AGENT).generate("Go");
            assertThat(result.toolResults().getFirst().detail().orElseThrow())
                    .hasSize(4_000)
                    .endsWith("\u2026");
        }
    }

    @Test
    void aCallThatThrowsNothingHasNone() {
        try (TestRuntime test = runtime(calling("fine"))) {
            assertThat(test.bind(AGENT).generate("Go").toolResults().getFirst().detail())
                    .isEmpty();
        }
    }
}
