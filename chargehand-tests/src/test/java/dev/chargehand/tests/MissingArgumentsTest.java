package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunOptions;
import dev.chargehand.approval.Approver;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.run.TimeLimit;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An argument that is null is named where it is passed, and not by the code that it reaches. */
class MissingArgumentsTest {

    static Stream<Arguments> calls() {
        return Stream.of(
                call("option 'limit'", () -> options().limit(null, 1)),
                call("option 'timelimit'", () -> options().timeLimit(TimeLimit.RUN, null)),
                call("option 'timelimit'", () -> options().timeLimit(null, Duration.ofSeconds(1))),
                call("option 'structuredoutput'", () -> options().structuredOutput((Class<?>) null)),
                call("agent 'boss': key", () -> Agent.builder("boss").addAgent(null, agent())),
                call("a run id", () -> RunId.of(null)),
                call("a json schema", () -> JsonSchema.of((Json) null)),
                call("json schema", () -> JsonSchema.of((Class<?>) null)),
                call("a json text", () -> Json.parse(null)),
                call("a text", () -> Message.user((String) null)),
                call("a tenant id", () -> with(runtime -> runtime.forTenant(null))),
                call("the id of a run", () -> with(runtime -> runtime.handle(null))),
                call("the agent of a run", () -> with(runtime -> runtime.start((Agent) null, List.of(), o -> {}))),
                call("the approval", () -> with(runtime -> runtime.approve(null, Approver.of("ann")))));
    }

    private static Arguments call(String named, ThrowingCallable call) {
        return Arguments.of(named, call);
    }

    private static RunOptions.Builder options() {
        RunOptions.Builder[] builder = new RunOptions.Builder[1];
        RunOptions ignored = RunOptions.defaults().with(o -> builder[0] = o);
        return builder[0];
    }

    private static Agent agent() {
        return Agent.builder("clerk").description("Notes.").model("openai/x").build();
    }

    private static void with(Consumer<AgentRuntime> call) {
        try (AgentRuntime runtime = AgentRuntime.builder().build()) {
            call.accept(runtime);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void aMissingArgumentIsNamed(String named, ThrowingCallable call) {
        assertThat(catchThrowable(call))
                .hasMessageContaining("must not be null")
                .message()
                .containsIgnoringCase(named);
    }
}
