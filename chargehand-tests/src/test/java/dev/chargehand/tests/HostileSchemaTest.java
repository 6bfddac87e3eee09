package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Scorers;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import dev.chargehand.tool.Tool;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A schema that is costly to check holds no run up, and reads nothing else, whatever a model, a tool or a person sends. */
@Timeout(120)
class HostileSchemaTest {

    private static final JsonSchema MAIL =
            schema("{'type':'object','properties':{'mail':{'type':'string','pattern':'^\\\\S+@\\\\S+\\\\.\\\\S+$'}}}");
    private static final Map<String, String> HOSTILE = Map.of("mail", "@".repeat(200_000));
    private static final String TOO_LONG = "takes too long on this text of 200000 characters";

    private static JsonSchema schema(String json) {
        return JsonSchema.of(Json.parse(json.replace('\'', '"')));
    }

    private static Ran calling(Tool tool, Map<String, ?> arguments) {
        return Both.run(Crew.solo(tool), Turn.calls(tool.name(), arguments), Turn.says("Done"));
    }

    @Test
    void argumentsThatTakeTooLongAreAnErrorResult() {
        AtomicInteger executed = new AtomicInteger();
        Tool send = Tool.builder("send", "Sends.")
                .input(MAIL)
                .handler((in, context) -> executed.incrementAndGet())
                .build();
        Ran ran = calling(send, HOSTILE);

        assertThat(ran.result().status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(ran.result().toolResults().getFirst().error().orElseThrow()).contains(TOO_LONG);
        assertThat(executed).hasValue(0);
    }

    @Test
    void aResultThatTakesTooLongIsAnErrorResult() {
        Tool find = Tool.builder("find", "Finds.")
                .input(Crew.ANYTHING)
                .output(MAIL)
                .handler((in, context) -> HOSTILE)
                .build();
        Ran ran = calling(find, Map.of());

        assertThat(ran.result().status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(ran.result().toolResults().getFirst().error().orElseThrow()).contains(TOO_LONG);
    }

    @Test
    void anAnswerThatTakesTooLongDoesNotFit() {
        Ran ran = Both.run(
                Crew.solo(),
                o -> o.structuredOutput(StructuredOutput.of(MAIL)),
                Turn.says(Json.of(HOSTILE).text()),
                Turn.says("{\"mail\":\"a@b.c\"}"));

        assertThat(ran.result().status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(ran.request("solo", 2).getLast()).contains(TOO_LONG);
        assertThat(ran.result().text()).isEqualTo("{\"mail\":\"a@b.c\"}");
    }

    @Test
    void scorersGiveUpToo() {
        Ran ran = Both.run(
                Crew.solo(),
                o -> o.maxSteps(1).completion(Completion.all(Scorers.matches("^(@+)+\\.$"), Scorers.jsonSchema(MAIL))),
                Turn.says("@".repeat(200_000)),
                Turn.says("Done"));

        assertThat(ran.result().status()).isEqualTo(RunStatus.INCOMPLETE);
        assertThat(ran.result().completion().orElseThrow().toString()).contains("takes too long");
    }

    @Test
    void dataThatTakesTooLongIsRefusedAndTheCallStillWaits() {
        Tool ask = Tool.builder("ask", "Asks.")
                .input(Crew.ANYTHING)
                .suspends(Crew.ANYTHING, MAIL)
                .handler((in, context) -> context.providedData().isPresent() ? "thanks" : context.suspend(Map.of()))
                .build();
        var script = Scripts.on("solo").calls("ask", Map.of()).then().says("Done");
        try (TestRuntime test =
                TestRuntime.builder(script).agents(Crew.solo(ask)).build()) {
            PendingApproval asked = test.agent("solo")
                    .generate("Do the task")
                    .pendingApprovals()
                    .getFirst();

            assertThatThrownBy(() -> test.runtime().giveData(asked, HOSTILE).result())
                    .isInstanceOf(ApprovalException.class)
                    .hasMessageContaining(TOO_LONG);
            assertThat(test.runtime()
                            .giveData(asked, Map.of("mail", "a@b.c"))
                            .result()
                            .text())
                    .isEqualTo("Done");
        }
    }

    /** Each of the texts is valid and is checked within its bounds, and there are many: only the time of the tool ends it. */
    @Test
    void theTimeOfTheToolEndsACheckOfManyTexts() {
        JsonSchema many = schema("{'properties':{'all':{'items':{'pattern':'^(?!.*a.*a.*b)'}}}}");
        Tool send = Tool.builder("send", "Sends.")
                .input(many)
                .timeout(Duration.ofMillis(200))
                .handler((in, context) -> "sent")
                .build();
        String text = "a".repeat(150);
        Map<String, ?> arguments = Map.of("all", Collections.nCopies(1_500, text));
        var script = Scripts.on("solo").calls("send", arguments).then().says("Done");
        try (TestRuntime test =
                TestRuntime.builder(script).agents(Crew.solo(send)).build()) {
            var result = test.agent("solo").generate("Do the task");

            assertThat(result.text()).isEqualTo("Done");
            assertThat(result.toolResults().getFirst().error().orElseThrow())
                    .contains("cannot be checked within the time limit");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'$ref':'classpath:draft/2020-12/schema'}",
                "{'properties':{'a':{'$ref':'resource:draft/2020-12/schema'}}}",
                "{'$id':'file:///etc/','$ref':'passwd'}"
            })
    void aSchemaThatReadsSomethingElseIsRefusedWhenItIsUsed(String schema) {
        Steps.assertMisconfigured(
                () -> Tool.builder("send", "Sends.")
                        .input(schema(schema))
                        .handler((in, context) -> "sent")
                        .build(),
                "Tool 'send': the input schema refers to ",
                "$defs");
        Steps.assertMisconfigured(() -> Tool.builder("send", "Sends.")
                .input(Crew.ANYTHING)
                .output(schema(schema))
                .handler((in, context) -> "sent")
                .build());
        assertThatThrownBy(() -> StructuredOutput.of(schema(schema))).isInstanceOf(ConfigurationException.class);
    }
}
