package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.json.Json;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.WaitingCall.WaitingFilter.Position;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.FaultyStore.Operation;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Lists and streams of more waiting calls than a page has. */
class ManyApprovalsOverHttpTest extends ServerFixture {

    private static final int RUNS = 210;

    private final FaultyStore store = FaultyStore.over(InMemoryStore.keepingEndedRuns());
    private final List<String> runs = new ArrayList<>();

    private ChargehandServer waiting() {
        AgentRuntime runtime = runtime(store);
        List<PendingApproval> calls = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            script.on("clerk").calls("pay", Map.of("amount", i));
            calls.add(runtime.agent("clerk").generate("Pay.").pendingApprovals().getFirst());
        }
        calls.sort(Comparator.comparing(call -> new Position(call.askedAt(), call.runId(), call.callId())));
        calls.forEach(call -> runs.add(call.rootRunId().value()));
        script.on("clerk").says("Paid.");
        return serve(runtime, builder -> builder);
    }

    private static List<String> rootRunIds(HttpResponse<String> list) {
        return Stream.of(Json.parse(list.body()).at("/approvals").orElseThrow().as(Json[].class))
                .map(each -> text(each, "/rootRunId"))
                .toList();
    }

    private static String text(Json json, String pointer) {
        return json.at(pointer).flatMap(Json::string).orElse("");
    }

    @Test
    void aListOfCallsIsReadWithoutTheirRuns() {
        ChargehandServer server = waiting();
        assertThat(get(server, "/api/v1/approvals").statusCode()).isEqualTo(200);
        int facts = store.count(Operation.READ);

        assertThat(rootRunIds(get(server, "/api/v1/approvals?limit=200"))).isEqualTo(runs.subList(0, 200));
        assertThat(rootRunIds(get(server, "/api/v1/approvals?agent=clerk&tool=pay")))
                .isEqualTo(runs.subList(0, 50));
        assertThat(rootRunIds(get(server, "/api/v1/approvals?agent=writer"))).isEmpty();
        assertThat(rootRunIds(get(server, "/api/v1/approvals?tool=mail"))).isEmpty();
        assertThat(rootRunIds(get(server, "/api/v1/approvals?resource=nobody"))).isEmpty();

        assertThat(store.count(Operation.READ)).isEqualTo(facts);
    }

    @Test
    void aStreamHasTheCallsOfAllPages() throws Exception {
        ChargehandServer server = waiting();
        HttpResponse<InputStream> stream = client.send(
                request(server, "/api/v1/approvals/events").build(), HttpResponse.BodyHandlers.ofInputStream());
        try (BufferedReader events = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            Set<String> reported = new HashSet<>();
            Json last = Json.of(Map.of());
            while (reported.size() < RUNS) {
                last = next(events, "approval-waiting");
                assertThat(reported.add(text(last, "/approval/rootRunId"))).isTrue();
            }
            assertThat(reported).containsExactlyInAnyOrderElementsOf(runs);

            String id = text(last, "/approval/id");
            post(
                    server,
                    "/api/v1/approvals/" + id + "/answer",
                    Map.of("decision", "approve", "digest", text(last, "/approval/digest")));

            assertThat(text(next(events, "approval-answered"), "/id")).isEqualTo(id);
        }
    }

    private static Json next(BufferedReader events, String type) throws Exception {
        for (String line = events.readLine(); line != null; line = events.readLine()) {
            if (line.startsWith("event: approval-")) {
                assertThat(line).isEqualTo("event: " + type);
                return Json.parse(events.readLine().substring("data: ".length()));
            }
        }
        throw new AssertionError("The stream has ended without an event " + type + ".");
    }
}
