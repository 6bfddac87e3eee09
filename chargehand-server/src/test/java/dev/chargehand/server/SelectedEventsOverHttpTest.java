package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A selection that no event can pass is rejected, and before a run is started; in a network it selects as elsewhere. */
class SelectedEventsOverHttpTest extends ServerFixture {

    private static final List<String> WRONG = List.of("depth=0", "types=run-finsh", "types=run-finish,x", "types=,");

    private static void assertRejected(HttpResponse<String> answer, String selection) {
        assertThat(answer.statusCode()).as(selection + " " + answer.body()).isEqualTo(400);
        assertThat(at(answer, "/code")).isEqualTo("bad-request");
        assertThat(at(answer, "/detail"))
                .as(selection)
                .contains(selection.startsWith("depth") ? "from 1 to 100" : "run-finish, run-released");
    }

    @ParameterizedTest
    @EnumSource
    void whatSelectsNothingIsRejected(HttpBinding binding) {
        script.on("writer").says("Done.").forever();
        ChargehandServer server = serve(binding);
        post(server, "/api/v1/threads", Map.of("id", "t", "resource", "ann"));
        HttpResponse<String> run = post(server, "/api/v1/agents/writer/runs", prompt("Hi."), "Prefer", "wait=30");
        for (String selection : WRONG) {
            assertRejected(get(server, path(run) + "/events?" + selection), selection);
            assertRejected(get(server, "/api/v1/threads/t/events?resource=ann&" + selection), selection);
        }
        String selected = get(server, path(run) + "/events?depth=1&types=run-start,%20run-finish,data-mine")
                .body();
        assertThat(RunsOverHttpTest.types(selected)).containsExactly("run-start", "run-finish");
    }

    /** A power cut can take stored events back, with cursors that readers have; a stream says so, and so does a page. */
    @ParameterizedTest
    @EnumSource
    void aPageAfterWhatTheStoreDoesNotHaveStartsAgain(HttpBinding binding) {
        script.on("writer").says("Done.");
        ChargehandServer server = serve(binding);
        HttpResponse<String> run = post(server, "/api/v1/agents/writer/runs", prompt("Hi."), "Prefer", "wait=30");
        String events = path(run) + "/events";
        List<String> ids = RunsOverHttpTest.ids(get(server, events).body());
        String far = ids.getLast().replaceFirst("[0-9]+(\\.[0-9]+)$", "999$1");
        String stream = get(server, events + "?from=" + far).body();
        assertThat(stream).contains("\"reset\":true");
        assertThat(RunsOverHttpTest.ids(stream)).isEqualTo(ids);
        String[] pages = {"Accept", "application/json"};
        HttpResponse<String> page = send(
                request(server, events + "?limit=1&from=" + far).headers(pages).build());
        assertThat(at(page, "/reset")).isEqualTo("true");
        assertThat(at(page, "/events/0/type")).isEqualTo("run-start");
        assertThat(at(page, "/next")).isEqualTo(ids.getFirst());
        HttpResponse<String> next = send(request(server, events + "?limit=1&from=" + at(page, "/next"))
                .headers(pages)
                .build());
        assertThat(at(next, "/reset")).isEmpty();
        assertThat(at(next, "/events/0/type")).isNotEqualTo("run-start").isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void noRunIsStartedForIt(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        for (String selection : WRONG) {
            String path = "/api/v1/agents/writer/runs?" + selection;
            assertRejected(post(server, path, prompt("Hi."), "Accept", "text/event-stream"), selection);
            assertRejected(post(server, path, prompt("Hi.")), selection);
            String workflow = "/api/v1/workflows/pricing/runs?" + selection;
            assertRejected(post(server, workflow, Map.of("input", Map.of("amount", 1))), selection);
        }
        assertThat(at(get(server, "/api/v1/runs"), "/runs")).isEqualTo("[]");
    }

    @ParameterizedTest
    @EnumSource
    void partsOfTextsOfANetworkAreLeftOut(HttpBinding binding) {
        script.on("clerk")
                .says(NetworksOverHttpTest.decision("writer", "agent", "Write."))
                .then()
                .says(NetworksOverHttpTest.complete());
        script.on("writer").streams("One ", "two.");
        ChargehandServer server = serve(binding);
        HttpResponse<String> run =
                post(server, "/api/v1/agents/clerk/network/runs", prompt("Write."), "Prefer", "wait=30");
        String events = path(run) + "/events";
        assertThat(RunsOverHttpTest.types(get(server, events).body())).anyMatch(type -> type.endsWith("text-delta"));
        assertThat(RunsOverHttpTest.types(get(server, events + "?deltas=false").body()))
                .isNotEmpty()
                .noneMatch(type -> type.endsWith("-delta"));
    }
}
