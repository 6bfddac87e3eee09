package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.tool.Tool;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Streams of threads, as Mastra's client reads them: only frames that start with data, until the last one. */
abstract class MastraSubscriptionFixture extends ServerFixture {

    static final Map<String, Object> THREAD = Map.of("threadId", "t", "resourceId", "ann");
    static final String SEND = "/api/agents/writer/send-message";
    static final String QUEUE = "/api/agents/writer/queue-message";

    @Override
    List<Agent> agents() {
        List<Agent> agents = new ArrayList<>(super.agents());
        agents.add(Agent.builder("helper")
                .model(script.modelFor("helper"))
                .tools(
                        Tool.external("locate", "Locates.", JsonSchema.of(Order.class)),
                        Tool.of("look", "Looks.", Order.class, (order, context) -> "seen"),
                        Tool.of("pay", "Pays.", Order.class, (order, context) -> paid.add(order.amount()))
                                .requiringApproval())
                .build());
        return agents;
    }

    /** A stream that is open. */
    record Subscription(BufferedReader lines) implements AutoCloseable {

        /** Read the next chunk; one of nothing after the last frame. */
        Json next() throws IOException {
            String line = lines.readLine();
            while (line != null && !line.startsWith("data: ")) {
                assertThat(line).satisfiesAnyOf(each -> assertThat(each).isEmpty(), each -> assertThat(each)
                        .startsWith(":"));
                line = lines.readLine();
            }
            assertThat(line).as("the end of the stream has a last frame").isNotNull();
            return line.equals("data: [DONE]") ? Json.of(Map.of()) : Json.parse(line.substring("data: ".length()));
        }

        /** Read to a chunk of a type, and return all to it. */
        List<Json> until(String type) throws IOException {
            List<Json> chunks = new ArrayList<>();
            do {
                chunks.add(next());
                assertThat(chunks.getLast().isObject()).isTrue();
                assertThat(text(chunks.getLast(), "/type"))
                        .as("no more chunks after %s", chunks)
                        .isNotEmpty();
            } while (!text(chunks.getLast(), "/type").equals(type));
            return chunks;
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }

    HttpResponse<InputStream> subscribe(ChargehandServer server, Map<String, Object> thread, String... headers) {
        HttpRequest.Builder request = request(server, "/api/agents/writer/threads/subscribe")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(Json.of(thread).text()));
        try {
            return client.send(
                    (headers.length == 0 ? request : request.headers(headers)).build(),
                    HttpResponse.BodyHandlers.ofInputStream());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    Subscription open(ChargehandServer server, String... headers) throws IOException {
        return open(subscribe(server, THREAD, headers));
    }

    static Subscription open(HttpResponse<InputStream> answer) throws IOException {
        assertThat(answer.statusCode()).isEqualTo(200);
        BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
        assertThat(lines.readLine()).startsWith(":");
        return new Subscription(lines);
    }

    /** Say something, and return the run that has it. */
    String say(ChargehandServer server, String path, String text, String... headers) {
        HttpResponse<String> answer = post(server, path, message(text), headers);
        assertThat(at(answer, "/accepted")).as(answer.body()).isEqualTo("true");
        return at(answer, "/runId");
    }

    static Map<String, Object> message(Object message) {
        return Map.of("message", message, "threadId", "t", "resourceId", "ann");
    }

    static String text(Json json, String pointer) {
        return json.at(pointer)
                .map(value -> value.string().orElse(value.text()))
                .orElse("");
    }

    /** Return the text that the chunks of a run have. */
    static String said(List<Json> chunks, String run) {
        StringBuilder said = new StringBuilder();
        chunks.stream()
                .filter(chunk -> text(chunk, "/runId").equals(run)
                        && text(chunk, "/type").equals("text-delta"))
                .forEach(chunk -> said.append(text(chunk, "/payload/text")));
        return said.toString();
    }
}
