package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The answer says which wish of 'Prefer' was used: one that is ignored, or lowered, is noticed by the client. */
class PreferencesOverHttpTest extends ServerFixture {

    private HttpResponse<String> start(ChargehandServer server, String... headers) {
        script.on("writer").says("Done.");
        return post(server, "/api/v1/agents/writer/runs", prompt("Hi."), headers);
    }

    private static String applied(HttpResponse<String> answer) {
        return answer.headers().firstValue("Preference-Applied").orElse("");
    }

    @ParameterizedTest
    @EnumSource
    void whatWasAppliedIsInTheAnswer(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        for (Map.Entry<String, String> each : Map.of(
                        "wait=30", "wait=30", "wait=3600", "wait=60", "wait=99999", "wait=60", "Wait=\"30\"", "wait=30")
                .entrySet()) {
            HttpResponse<String> answer = start(server, "Prefer", each.getKey());
            assertThat(answer.statusCode()).as(each.getKey()).isEqualTo(200);
            assertThat(applied(answer)).as(each.getKey()).isEqualTo(each.getValue());
        }
        HttpResponse<String> workflow = post(
                server, "/api/v1/workflows/pricing/runs", Map.of("input", Map.of("amount", 2)), "Prefer", "wait=3600");
        assertThat(applied(workflow)).isEqualTo("wait=60");
    }

    @ParameterizedTest
    @EnumSource
    void whatWasNotAppliedIsNotSaidToBe(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        for (String header : new String[] {"wait=soon", "wait=", "respond-async"}) {
            HttpResponse<String> answer = start(server, "Prefer", header);
            assertThat(answer.statusCode()).as(header).isEqualTo(202);
            assertThat(applied(answer)).as(header).isEmpty();
        }
        HttpResponse<String> streamed = start(server, "Prefer", "wait=30", "Accept", "text/event-stream");
        assertThat(RunsOverHttpTest.types(streamed.body())).endsWith("run-finish");
        assertThat(applied(streamed)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void anEndOfTheWaitIsOneToo(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        HttpResponse<String> answer = start(server, "Prefer", "wait=0");
        assertThat(answer.statusCode()).isIn(200, 202);
        assertThat(applied(answer)).isEqualTo("wait=0");
    }
}
