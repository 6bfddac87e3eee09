package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.processor.Redaction;
import dev.chargehand.processor.UnicodeNormalizer;
import dev.chargehand.run.RunStatus;
import dev.chargehand.testkit.TestRuntime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A secret in the result of a tool, wherever in the JSON it is, is taken out, and the run goes on. */
class RedactedJsonTest {

    private static final String DIGITS = "8675309123";
    private static final String ODD = "pä\"ss\\w/ord";

    private static String shown(Object result) {
        AtomicInteger executed = new AtomicInteger();
        var tool = Steps.tool("show", (in, ctx) -> {
            executed.incrementAndGet();
            return result;
        });
        var script = Scripts.on("solo").calls("show", "{}").then().says("Done");
        try (TestRuntime test =
                TestRuntime.builder(script).addSecret(DIGITS).addSecret(ODD).build()) {
            var ran = test.bind(Crew.solo(tool)).generate("Go");

            assertThat(ran.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(executed).hasValue(1);
            return ran.toolResults().getFirst().output().orElseThrow().text();
        }
    }

    @Test
    void aSecretWithinANumberMakesItAText() {
        assertThat(shown(Json.parse("{\"phone\":18675309123,\"rate\":0.8675309123,\"n\":1}")))
                .isEqualTo("{\"phone\":\"1[redacted]\",\"rate\":\"0.[redacted]\",\"n\":1}");
        assertThat(shown(Long.parseLong(DIGITS))).isEqualTo("\"[redacted]\"");
    }

    @Test
    void keysThatBecomeEqualAreBothKept() {
        Map<String, Integer> result = new LinkedHashMap<>();
        result.put(DIGITS, 1);
        result.put(ODD, 2);

        assertThat(shown(result)).isEqualTo("{\"[redacted]\":1,\"[redacted] (2)\":2}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"key\":\"pä\\\"ss\\\\w/ord\"}",
                "{\"key\":\"p\\u00e4\\u0022ss\\u005cw\\/ord\"}",
                "{\"key\":\"p\\u00E4\\\"ss\\\\w/ord\"}"
            })
    void aSecretIsFoundHoweverItIsWritten(String json) {
        assertThat(shown(Json.parse(json))).isEqualTo("{\"key\":\"[redacted]\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"key\":\"pä\\\"ss\\\\w/ord\"}",
                "{\"key\":\"pä\\\"ss\\\\w\\/ord\"}",
                "{\"key\":\"p\\u00e4\\\"ss\\\\w/ord\"}",
                "{\"key\":\"p\\u00E4\\\"ss\\\\w/ord\"}"
            })
    void aSecretIsFoundInJsonThatIsAText(String json) {
        assertThat(shown(json)).isEqualTo(Json.of("{\"key\":\"[redacted]\"}").text());
    }

    @Test
    void whatAProcessorTakesOutOfAResultLeavesItJson() {
        var tool = Steps.tool(
                "show",
                (in, ctx) -> Json.parse(
                        "{\"card\":4111111111111111,\"ann@example.org\":\"＂\",\"bob@example.org\":[5500000000000004]}"));
        var script = Scripts.on("solo").calls("show", "{}").then().says("Done");
        try (TestRuntime test = TestRuntime.with(script)) {
            test.bind(Crew.solo(tool))
                    .generate("Go", o -> o.inputProcessors(UnicodeNormalizer.nfkc(), Redaction.all()));

            String seen = script.requests()
                    .getLast()
                    .messages()
                    .getLast()
                    .toolResults()
                    .getFirst()
                    .output();
            assertThat(seen).isEqualTo("{\"card\":\"[card]\",\"[email]\":\"\\\"\",\"[email] (2)\":[\"[card]\"]}");
            assertThat(Json.parse(seen).isObject()).isTrue();
        }
    }
}
