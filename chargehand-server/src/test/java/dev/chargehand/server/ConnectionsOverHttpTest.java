package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.store.InMemoryStore;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection on which no request arrives is closed, and one of an old client is served and closed. */
class ConnectionsOverHttpTest extends ServerFixture {

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
    void aKeptConnectionMayBeSilentForLonger() throws Exception {
        ChargehandServer server = impatient();
        try (RawClient kept = new RawClient(server);
                RawClient silent = new RawClient(server)) {
            assertThat(kept.send(HEALTH).readTo("\"}")).startsWith("HTTP/1.1 200");
            assertThat(silent.readAll()).isEmpty();
            assertThat(kept.send(HEALTH).readTo("\"}")).startsWith("HTTP/1.1 200");
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
