package dev.chargehand.examples;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.error.ModelException;
import dev.chargehand.model.EmbeddingModel;
import dev.chargehand.model.EmbeddingRequest;
import dev.chargehand.model.Embeddings;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A model and an embedding model that no provider has; see docs/providers.md. */
class OwnModelTest {

    record Gateway(HttpClient http, URI address) implements Model {

        @Override
        public String name() {
            return "acme/gateway"; // usage and prices are kept under it
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) throws InterruptedException {
            String prompt = request.messages().stream()
                    .map(message -> message.role() + ": " + message.text())
                    .collect(Collectors.joining("\n"));
            HttpRequest post = HttpRequest.newBuilder(address)
                    .POST(HttpRequest.BodyPublishers.ofString(prompt))
                    .build();
            try {
                HttpResponse<String> answer = http.send(post, HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() != 200) {
                    throw new ModelException(ModelException.Kind.OVERLOADED, "Status " + answer.statusCode(), null);
                }
                call.delta(new ModelDelta.Text(answer.body()));
                return ModelResponse.text(answer.body(), Usage.NONE);
            } catch (IOException e) {
                throw new ModelException(ModelException.Kind.CONNECTION, "The gateway cannot be reached.", e);
            }
        }
    }

    record Gateways(HttpClient http, URI address) implements ModelProvider {

        @Override
        public Set<String> names() {
            return Set.of("acme");
        }

        @Override
        public Optional<Model> find(String name) {
            return name.equals("acme/gateway") ? Optional.of(new Gateway(http, address)) : Optional.empty();
        }

        @Override
        public void close() {
            http.close();
        }
    }

    record Lengths() implements EmbeddingModel {

        @Override
        public String name() {
            return "acme/lengths"; // other vectors need another name
        }

        @Override
        public Embeddings embed(EmbeddingRequest request) {
            return new Embeddings(
                    request.texts().stream()
                            .map(text -> new float[] {text.length(), 1})
                            .toList(),
                    Usage.NONE);
        }
    }

    @Test
    void anAgentCallsAModelOfTheApplication() throws IOException {
        try (HttpClient http = HttpClient.newHttpClient();
                GatewayServer server = new GatewayServer(200)) {
            Agent writer = Agent.builder("writer")
                    .model(new Gateway(http, server.address()))
                    .memory(m -> m.semanticRecall(r -> r.by(new Lengths())))
                    .build();

            RunResult result = writer.generate("Hello.", o -> o.thread("t1").resource("ann"));

            assertThat(result).finished().hasText("It said: USER: Hello.");
        }
    }

    @Test
    void aProviderGivesItAName() throws IOException {
        try (GatewayServer server = new GatewayServer(200);
                AgentRuntime runtime = AgentRuntime.builder()
                        .providers(new Gateways(HttpClient.newHttpClient(), server.address()))
                        .agents(Agent.builder("writer").model("acme/gateway").build())
                        .build()) {
            assertThat(runtime.agent("writer").generate("Hello.")).finished().hasText("It said: USER: Hello.");
        }
    }

    @Test
    void itsFailureIsThatOfTheRun() throws IOException {
        try (HttpClient http = HttpClient.newHttpClient();
                GatewayServer server = new GatewayServer(500)) {
            Agent writer = Agent.builder("writer")
                    .model(new Gateway(http, server.address()))
                    .build();

            assertThatThrownBy(() -> writer.generate("Hello.", o -> o.retries(0)))
                    .isInstanceOf(RunFailedException.class)
                    .hasMessageContaining("Status 500");
        }
    }

    /** Repeats what it gets, as a gateway to a model might. */
    private static final class GatewayServer implements AutoCloseable {

        private final HttpServer server;

        GatewayServer(int status) throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", exchange -> {
                String prompt = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                byte[] answer = ("It said: " + prompt).getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(status, answer.length);
                exchange.getResponseBody().write(answer);
                exchange.close();
            });
            server.start();
        }

        URI address() {
            return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }
}
