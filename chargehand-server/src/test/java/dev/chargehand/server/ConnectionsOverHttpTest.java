package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.store.InMemoryStore;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection on which no request arrives is closed, and one of an old client is served and closed. */
class ConnectionsOverHttpTest extends ServerFixture {

    private static final String START = String.join(
            "\r\n",
            "POST /api/v1/agents/writer/runs HTTP/1.1",
            "Host: 127.0.0.1",
            "Content-Type: application/json",
            "");

    private static final String HEALTH = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

    /** The server of the JDK does the same by itself, after 30 to 40 s that cannot be changed for one server. */
    private ChargehandServer impatient() {
        return serve(
                runtime(InMemoryStore.create()),
                builder -> builder.timeLimit(ServerTimeLimit.READ, Duration.ofMillis(200)));
    }

    @Test
    void connectionsOnWhichNothingWasSentAreClosed() throws Exception {
        ChargehandServer server = impatient();
        List<RawClient> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 300; i++) {
                silent.add(new RawClient(server));
            }
            assertThat(get(server, "/healthz").statusCode()).isEqualTo(200);
            for (RawClient client : silent) {
                assertThat(client.readAll()).isEmpty();
            }
        } finally {
            for (RawClient client : silent) {
                client.close();
            }
        }
        assertThat(get(server, "/healthz").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"G", "GET /healthz HTTP/1.1", "GET /healthz HTTP/1.1\r\nHost: 127."})
    void aConnectionOnWhichHalfAHeadWasSentIsClosed(String half) throws Exception {
        ChargehandServer server = impatient();
        try (RawClient client = new RawClient(server)) {
            assertThat(client.send(half).readAll()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"G", "GET /healthz HTTP/1.1", "GET /healthz HTTP/1.1\r\nHost: 127."})
    void aKeptConnectionOnWhichHalfAHeadWasSentIsClosed(String half) throws Exception {
        ChargehandServer server = impatient();
        try (RawClient client = new RawClient(server)) {
            assertThat(client.send(HEALTH).readTo("\"}")).startsWith("HTTP/1.1 200");
            assertThat(client.send(half).readAll()).isEmpty();
        }
    }

    @Test
    void aConnectionOnWhichHalfAHeadCameWithTheRequestBeforeItIsClosed() throws Exception {
        ChargehandServer server = impatient();
        try (RawClient client = new RawClient(server)) {
            assertThat(client.send(HEALTH + "GET /healthz HT").readTo("\"}")).startsWith("HTTP/1.1 200");
            assertThat(client.readAll()).isEmpty();
        }
    }

    @Test
    void aKeptConnectionMayBeSilentForLonger() throws Exception {
        ChargehandServer server = impatient();
        try (RawClient kept = new RawClient(server);
                RawClient silent = new RawClient(server)) {
            assertThat(kept.send(HEALTH).readTo("\"}")).startsWith("HTTP/1.1 200");
            assertThat(silent.readAll()).isEmpty();
            assertThat(kept.send(HEALTH).readTo("\"}")).startsWith("HTTP/1.1 200");
        }
    }

    /** An interim response after the final one would be read as the answer to the next request. */
    @ParameterizedTest
    @EnumSource
    void nothingFollowsTheRejectionOfARequestThatExpectsToBe(HttpBinding binding) throws Exception {
        ChargehandServer server = serve(binding);
        for (String head : List.of("POST /absent", "POST /healthz", "POST /api/v1/agents/absent/runs")) {
            try (RawClient client = new RawClient(server)) {
                client.send(head + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                        + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n");
                String answer = client.end().readAll();
                assertThat(answer).as(head).contains("HTTP/1.1 4");
                assertThat(answer.lastIndexOf("HTTP/1.1 "))
                        .as(head + " " + answer)
                        .isEqualTo(answer.indexOf("HTTP/1.1 4"));
            }
        }
    }

    /** A client would read it as the answer to its next request. */
    @Test
    void theRejectionOfARequestForAHeadHasNoBody() throws Exception {
        ChargehandServer server = serve(HttpBinding.HELIDON);
        for (String path : List.of("/v1/models|", "/healthz%zz", "/v1/models?a=[", "/healthz HTTP/9.9")) {
            for (String method : List.of("HEAD ", "GET ")) {
                try (RawClient client = new RawClient(server)) {
                    String answer = client.send(method + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                            .readAll();
                    assertThat(answer).as(method + path).startsWith("HTTP/1.1 4");
                    assertThat(answer.endsWith("\r\n\r\n"))
                            .as(method + path + answer)
                            .isEqualTo(method.equals("HEAD "));
                }
            }
        }
    }

    /** Without its end, clients take the answer for one that was cut. */
    @ParameterizedTest
    @EnumSource
    void aStreamIsWholeAlsoOnAConnectionForOneRequest(HttpBinding binding) throws Exception {
        script.on("writer").says("Done.").forever();
        ChargehandServer server = serve(binding);
        String body = "{\"input\":\"Write.\"}";
        String request = START + "Accept: text/event-stream\r\nContent-Length: " + body.length() + "\r\n";
        for (String header : List.of(
                "Connection: close", "connection: Keep-Alive, Close", "TE: trailers\r\nConnection: close, TE")) {
            try (RawClient client = new RawClient(server)) {
                String answer =
                        client.send(request + header + "\r\n\r\n" + body).readAll();
                assertThat(answer).as(header).startsWith("HTTP/1.1 200").contains("event: run-finish");
                assertThat(answer).as(header).contains("\r\n0\r\n").endsWith("\r\n\r\n");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWishToUpgradeIsAnsweredAsTheRequestThatItIs(HttpBinding binding) throws Exception {
        ChargehandServer server = serve(binding);
        for (String upgrade : List.of("h2c", "websocket", "TLS/1.0")) {
            try (RawClient client = new RawClient(server)) {
                client.send("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                        + "Upgrade: " + upgrade + "\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n"
                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n");
                assertThat(client.readTo("\"}")).startsWith("HTTP/1.1 200");
                assertThat(client.send(HEALTH).readTo("\"}")).startsWith("HTTP/1.1 200");
            }
        }
    }

    @Test
    void connectionsWithoutARequestDoNotDelayTheStop() throws Exception {
        ChargehandServer server = serve(
                runtime(InMemoryStore.create()), builder -> builder.timeLimit(ServerTimeLimit.READ, Duration.ofDays(1))
                        .timeLimit(ServerTimeLimit.DRAIN, Duration.ofDays(1)));
        try (RawClient silent = new RawClient(server);
                RawClient kept = new RawClient(server)) {
            assertThat(kept.send(HEALTH).readTo("\"}")).startsWith("HTTP/1.1 200");
            server.close();
            assertThat(silent.readAll()).isEmpty();
            assertThat(kept.readAll()).isEmpty();
        }
    }

    /** A connection that is closed with something unread is reset, and the answer may be lost. */
    @ParameterizedTest
    @EnumSource
    void aBodyThatIsTooLargeIsReadBeforeTheNextRequestOrTheEnd(HttpBinding binding) throws Exception {
        ChargehandServer server = serve(runtime(InMemoryStore.create()), builder -> builder.binding(binding)
                .limit(ServerLimit.BODY_BYTES, 100));
        String head = START + "Content-Length: 33554432\r\n";
        String body = "\r\n" + " ".repeat(33_554_432);
        try (RawClient client = new RawClient(server)) {
            assertThat(client.send(head + body).readTo("}")).startsWith("HTTP/1.1 413");
            assertThat(client.send(HEALTH).readTo("\"}")).startsWith("HTTP/1.1 200");
            requireLast(client.send(head + "Connection: close\r\n" + body).readAll(), "413");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRejectedBodyThatDoesNotArriveEndsTheConnection(HttpBinding binding) throws Exception {
        ChargehandServer server = serve(runtime(InMemoryStore.create()), builder -> builder.binding(binding)
                .limit(ServerLimit.BODY_BYTES, 100)
                .timeLimit(ServerTimeLimit.READ, Duration.ofMillis(200)));
        for (String rest : List.of(
                "Content-Length: 33554432\r\n\r\n" + " ".repeat(1_000),
                "Transfer-Encoding: chunked\r\n\r\n3E8\r\n" + " ".repeat(1_000) + "\r\n",
                "Transfer-Encoding: chunked\r\n\r\n3E8\r\n" + " ".repeat(1_000) + "\r\nno chunk\r\n")) {
            try (RawClient client = new RawClient(server)) {
                assertThat(client.send(START + rest).readAll()).startsWith("HTTP/1.1 413");
            }
        }
        try (RawClient client = new RawClient(server)) {
            assertThat(client.send(HEALTH).readTo("\"}")).startsWith("HTTP/1.1 200");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStreamAndAWaitMayBeSilentForLonger(HttpBinding binding) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        script.on("writer").waitsFor(end).and().says("Done.");
        script.on("writer").waitsFor(end).and().says("Done.");
        ChargehandServer server = serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.binding(binding)
                .timeLimit(ServerTimeLimit.READ, Duration.ofMillis(200)));
        String start = START + "Connection: close\r\nContent-Length: 14\r\n";
        try (RawClient stream = new RawClient(server);
                RawClient wait = new RawClient(server);
                RawClient silent = new RawClient(impatient())) {
            stream.send(start + "Accept: text/event-stream\r\n\r\n{\"input\":\"Hi\"}");
            stream.readTo("retry: 1000\n");
            wait.send(start + "Prefer: wait=60\r\n\r\n{\"input\":\"Hi\"}");
            assertThat(silent.readAll()).isEmpty();
            end.countDown();
            assertThat(stream.readAll()).contains("event: run-finish");
            assertThat(wait.readAll()).startsWith("HTTP/1.1 200").contains("Done.");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aHealthCheckOfAnOldProxyIsAnswered(HttpBinding binding) throws Exception {
        ChargehandServer server = serve(binding);
        for (String path : List.of("/healthz", "/readyz")) {
            try (RawClient client = new RawClient(server)) {
                client.send("GET " + path + " HTTP/1.0\r\n\r\n");
                requireLast(client.readAll(), "200");
            }
        }
        try (RawClient client = new RawClient(server)) {
            requireLast(client.send("GET /api/v1/info HTTP/1.0\r\n\r\n").readAll(), "400");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRequestOfAnOldVersionIsTheLastOfItsConnection(HttpBinding binding) throws Exception {
        ChargehandServer server = serve(binding);
        try (RawClient client = new RawClient(server)) {
            client.send("GET /api/v1/info HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n");
            requireLast(client.readAll(), "200");
        }
    }

    private static void requireLast(String answer, String status) {
        assertThat(answer)
                .startsWith("HTTP/1.1 " + status)
                .containsIgnoringCase("\r\nConnection: close\r\n")
                .doesNotContainIgnoringCase("transfer-encoding")
                .endsWith("}");
    }

    @ParameterizedTest
    @EnumSource
    void aStreamForAnOldClientEndsWithItsConnection(HttpBinding binding) throws Exception {
        script.on("writer").says("Done.");
        ChargehandServer server = serve(binding);
        HttpResponse<String> run = post(server, "/api/v1/agents/writer/runs", prompt("Write."), "Prefer", "wait=30");
        try (RawClient client = new RawClient(server)) {
            client.send("GET /api/v1/runs/" + at(run, "/runId") + "/events HTTP/1.0\r\nHost: 127.0.0.1\r\n"
                    + "Accept: text/event-stream\r\n\r\n");
            String stream = client.readAll();
            assertThat(stream)
                    .startsWith("HTTP/1.1 200")
                    .containsIgnoringCase("\r\nContent-Type: text/event-stream")
                    .doesNotContainIgnoringCase("transfer-encoding")
                    .contains("\r\n\r\nretry: 1000\n")
                    .contains("event: run-finish\n")
                    .endsWith("\n\n");
        }
    }
}
