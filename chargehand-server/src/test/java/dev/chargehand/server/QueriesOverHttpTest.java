package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a request asks for is read or rejected: what is left out would be a mistake that the client does not notice. */
class QueriesOverHttpTest extends ServerFixture {

    private ChargehandServer server;

    @BeforeEach
    void start() {
        server = serve(HttpBinding.JDK);
    }

    private void assertRejected(HttpResponse<String> answer, String... words) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(at(answer, "/code")).isEqualTo("bad-request");
        assertThat(at(answer, "/detail")).contains(words);
    }

    @Test
    void aParameterThatTheRouteDoesNotHaveIsRejected() {
        assertRejected(get(server, "/api/v1/runs?agnet=writer"), "'agnet'", "after, agent, limit, nested");
        assertRejected(get(server, "/api/v1/agents?limit=3"), "'limit'", "takes none");
        assertRejected(get(server, "/api/v1/runs?" + "a".repeat(1000) + "=1"), "a".repeat(50) + "…");
        post(server, "/api/v1/threads", Map.of("id", "t1", "resource", "ann"));
        HttpRequest delete = request(server, "/api/v1/memory?resource=ann&cancle=true")
                .DELETE()
                .build();
        assertRejected(send(delete), "'cancle'");
        assertThat(get(server, "/api/v1/threads/t1?resource=ann").statusCode()).isEqualTo(200);
    }

    @Test
    void aValueThatAParameterCannotHaveIsRejected() {
        assertRejected(get(server, "/api/v1/runs?nested=yes"), "'nested'", "true, false");
        assertThat(get(server, "/api/v1/runs?nested=").statusCode()).isEqualTo(200);
        assertThat(get(server, "/api/v1/runs?nested=true").statusCode()).isEqualTo(200);
    }

    @Test
    void routesThatAnyCallerMayReadAndThoseOfOtherClientsHaveOtherParametersToo() {
        assertThat(get(server, "/healthz?time=1").statusCode()).isEqualTo(200);
        assertThat(get(server, "/v1/models?client=1").statusCode()).isEqualTo(200);
    }

    @Test
    void dataWithAnotherDecisionIsRejected() {
        script.on("clerk").calls("pay", Map.of("amount", 3)).then().says("Paid.");
        post(server, "/api/v1/agents/clerk/runs", prompt("Pay."), "Prefer", "wait=30");
        HttpResponse<String> waiting = get(server, "/api/v1/approvals");
        String digest = at(waiting, "/approvals/0/digest");
        String answer = "/api/v1/approvals/" + at(waiting, "/approvals/0/id") + "/answer";
        for (String decision : new String[] {"approve", "decline"}) {
            Map<String, Object> body = Map.of("decision", decision, "digest", digest, "data", Map.of("amount", 1));
            assertRejected(post(server, answer, body), "/data", "'data'");
        }
        assertThat(paid).isEmpty();
        assertThat(at(get(server, "/api/v1/approvals"), "/approvals/0/digest")).isEqualTo(digest);
    }
}
