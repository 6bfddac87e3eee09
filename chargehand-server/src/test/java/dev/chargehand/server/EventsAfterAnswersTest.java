package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Readers of a run that has waited for answers. A stream that does not end as it must fails the test by its time. */
@Timeout(60)
class EventsAfterAnswersTest extends ServerFixture {

    private void approve(ChargehandServer server) {
        HttpResponse<String> waiting = get(server, "/api/v1/approvals");
        Map<String, String> answer = Map.of("decision", "approve", "digest", at(waiting, "/approvals/0/digest"));
        assertThat(post(server, "/api/v1/approvals/" + at(waiting, "/approvals/0/id") + "/answer", answer)
                        .statusCode())
                .isEqualTo(200);
    }

    private String startsPaying(ChargehandServer server) {
        return path(post(server, "/api/v1/agents/clerk/runs", prompt("Pay."), "Prefer", "wait=30")) + "/events";
    }

    private String read(ChargehandServer server, String events, String after) {
        HttpRequest.Builder request = request(server, events);
        return send((after.isEmpty() ? request : request.header("Last-Event-ID", after)).build())
                .body();
    }

    @ParameterizedTest
    @EnumSource
    void aStreamEndsWhereTheRunWaitsAndNotWhereItHasWaited(HttpBinding binding) {
        script.on("clerk")
                .calls("pay", Map.of("amount", 3))
                .then()
                .calls("pay", Map.of("amount", 4))
                .then()
                .says("Paid.");
        ChargehandServer server = serve(binding);
        String events = startsPaying(server);
        String first = read(server, events, "");
        assertThat(RunsOverHttpTest.types(first)).endsWith("run-suspend");

        approve(server);
        String second = first + read(server, events, RunsOverHttpTest.ids(first).getLast());
        assertThat(paid).containsExactly(3);
        String whole = read(server, events, "");
        assertThat(RunsOverHttpTest.types(whole)).endsWith("run-suspend");
        assertThat(RunsOverHttpTest.ids(whole)).isEqualTo(RunsOverHttpTest.ids(second));

        approve(server);
        read(server, events, RunsOverHttpTest.ids(whole).getLast());
        assertThat(paid).containsExactly(3, 4);
        assertThat(RunsOverHttpTest.types(read(server, events, ""))).endsWith("run-finish");
        assertThat(RunsOverHttpTest.types(read(server, events + "?types=run-finish", "")))
                .containsExactly("run-finish");
    }

    @ParameterizedTest
    @EnumSource
    void aReaderOfOtherEventsThanTheLastOneComesBackOnceOnly(HttpBinding binding) {
        script.on("clerk").calls("pay", Map.of("amount", 3)).then().says("Paid.");
        ChargehandServer server = serve(binding);
        String events = startsPaying(server);
        String selected = events + "?types=tool-call";
        String first = read(server, selected, "");
        assertThat(RunsOverHttpTest.types(first)).containsExactly("tool-call");
        String waits = RunsOverHttpTest.ids(first).getLast();
        assertThat(waits)
                .isEqualTo(RunsOverHttpTest.ids(read(server, events, "")).getLast());

        approve(server);
        List<String> rest = RunsOverHttpTest.ids(read(server, selected, waits));
        assertThat(rest).hasSize(1);
        assertThat(send(request(server, selected)
                                .header("Last-Event-ID", rest.getLast())
                                .build())
                        .statusCode())
                .isEqualTo(204);
    }

    @ParameterizedTest
    @EnumSource
    void aRunThatWasCancelledWhileItWaitedIsReadToItsEnd(HttpBinding binding) {
        script.on("clerk").calls("pay", Map.of("amount", 3));
        ChargehandServer server = serve(binding);
        String events = startsPaying(server);
        String waits = RunsOverHttpTest.ids(read(server, events, "")).getLast();
        post(server, events.replace("/events", "/cancel"), Map.of());
        assertThat(RunsOverHttpTest.types(read(server, events, waits))).endsWith("run-finish");
        assertThat(RunsOverHttpTest.types(read(server, events, "")))
                .contains("run-suspend")
                .endsWith("run-finish");
    }
}
