package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.testkit.ScriptedModel;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server listens when it is started, or says why it does not. */
class ListeningTest {

    @ParameterizedTest
    @EnumSource
    void aPortThatIsInUseIsRejectedWithWhatToDo(HttpBinding binding) {
        List<String> logged = new CopyOnWriteArrayList<>();
        Handler listener = new Handler() {
            @Override
            public void publish(LogRecord record) {
                logged.add(record.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("io.helidon.webserver");
        logger.addHandler(listener);
        try (AgentRuntime runtime = AgentRuntime.builder().build();
                ChargehandServer first =
                        ChargehandServer.builder(runtime).port(0).start()) {
            int port = first.uri().getPort();
            assertThatThrownBy(() -> ChargehandServer.builder(runtime)
                            .binding(binding)
                            .port(port)
                            .start())
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + port)
                    .hasMessageContaining("already in use")
                    .hasMessageContaining("Choose another port");
        } finally {
            logger.removeHandler(listener);
        }
        assertThat(logged).noneMatch(message -> message.toLowerCase(Locale.ROOT).contains("fail"));
    }

    @Test
    void aServerOfAClosedRuntimeIsNotStarted() {
        AgentRuntime runtime = AgentRuntime.builder().build();
        runtime.close();
        assertThatThrownBy(
                        () -> ChargehandServer.builder(runtime).port(0).start().close())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("The runtime of the server is closed")
                .hasMessageContaining("close the server before it");
    }

    @Test
    void aServerWhoseRuntimeWasClosedIsNotReadyAndSaysThatItIsBeingStopped() throws Exception {
        Agent agent = Agent.builder("a")
                .model(ScriptedModel.script().on("a").says("Done").modelFor("a"))
                .build();
        try (AgentRuntime runtime = AgentRuntime.builder().agents(agent).build();
                ChargehandServer server =
                        ChargehandServer.builder(runtime).port(0).start();
                HttpClient client = HttpClient.newHttpClient()) {
            assertThat(sent(client, HttpRequest.newBuilder(server.uri().resolve("/readyz"))))
                    .contains("ready");
            runtime.close();
            assertThat(sent(client, HttpRequest.newBuilder(server.uri().resolve("/readyz"))))
                    .startsWith("503 ")
                    .contains("\"draining\"");
            assertThat(sent(
                            client,
                            HttpRequest.newBuilder(server.uri().resolve("/api/v1/agents/a/runs"))
                                    .header("Content-Type", "application/json")
                                    .POST(HttpRequest.BodyPublishers.ofString("{\"input\": \"Go\"}"))))
                    .startsWith("503 ")
                    .contains("\"draining\"");
        }
    }

    private static String sent(HttpClient client, HttpRequest.Builder request) throws Exception {
        HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionIsClosedAfterTheRequestIfItsClientWantsThat(HttpBinding binding) throws Exception {
        requireClosed(binding, "close");
    }

    @ParameterizedTest
    @EnumSource
    void theWishToCloseMayBeOneOfSeveralOptions(HttpBinding binding) throws Exception {
        requireClosed(binding, "TE, Close");
    }

    /** A client that does not learn of it keeps the connection for its next request, which is reset. */
    private static void requireClosed(HttpBinding binding, String options) throws Exception {
        try (AgentRuntime runtime = AgentRuntime.builder().build();
                ChargehandServer server = ChargehandServer.builder(runtime)
                        .binding(binding)
                        .port(0)
                        .start();
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), server.uri().getPort())) {
            socket.getOutputStream()
                    .write(("GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: " + options + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 200")
                    .containsIgnoringCase("\r\nConnection: close\r\n")
                    .endsWith("}");
        }
    }
}
