package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.thread.ThreadOwner;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client of AG-UI that connects to a thread receives its messages, and the run that has not ended. */
class AgUiThreadTest extends ServerFixture {

    private static Map<String, Object> body(String run, Map<?, ?>... messages) {
        return Map.of(
                "threadId", "t", "runId", run, "messages", List.of(messages), "tools", List.of(), "context", List.of());
    }

    private static Map<String, Object> user(String text) {
        return Map.of("id", "u-" + text, "role", "user", "content", text);
    }

    private static List<Json> events(String text) {
        return Stream.of(text.split("\n"))
                .filter(line -> line.startsWith("data: "))
                .map(line -> Json.parse(line.substring(6)))
                .toList();
    }

    private static List<String> types(List<Json> events) {
        return events.stream().map(event -> text(event, "/type")).toList();
    }

    private static String text(Json value, String pointer) {
        return value.at(pointer).flatMap(Json::string).orElse("");
    }

    /** Return the messages of a snapshot, each as its role and its content. */
    private static List<String> messages(Json snapshot) {
        assertThat(text(snapshot, "/type")).isEqualTo("MESSAGES_SNAPSHOT");
        return Stream.of(snapshot.at("/messages").orElseThrow().as(Json[].class))
                .map(each -> text(each, "/role") + ": " + text(each, "/content"))
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void theMessagesOfAThreadAreASnapshot(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        script.on("clerk").delegates("writer", "Write.").then().says("Here.");
        script.on("writer").says("A text.");
        script.on("clerk").reasons("Hm.").and().says("Bye.");
        post(server, "/ag-ui/clerk", body("1", user("Go.")));
        post(server, "/ag-ui/clerk", body("2", user("And?")));
        Map<String, Object> answer = Map.of("id", "a", "role", "assistant", "content", "Bye.");
        for (String form : List.of("", "/connect")) {
            for (Map<String, Object> body : List.of(body("3"), body("4", user("Go."), answer))) {
                List<Json> events =
                        events(post(server, "/ag-ui/clerk" + form, body).body());
                assertThat(types(events)).containsExactly("RUN_STARTED", "MESSAGES_SNAPSHOT", "RUN_FINISHED");
                assertThat(messages(events.get(1)))
                        .containsExactly(
                                "user: Go.",
                                "assistant: ",
                                "tool: A text.",
                                "assistant: Here.",
                                "user: And?",
                                "reasoning: Hm.",
                                "assistant: Bye.");
                assertThat(text(events.get(1), "/messages/2/toolCallId"))
                        .isNotEmpty()
                        .isEqualTo(text(events.get(1), "/messages/1/toolCalls/0/id"));
                assertThat(text(events.get(1), "/messages/1/toolCalls/0/function/arguments"))
                        .contains("Write.");
                assertThat(text(events.get(2), "/outcome/type")).isEqualTo("success");
            }
        }
        assertThat(at(get(server, "/api/v1/runs"), "/runs/2")).isEmpty(); // no run was started
    }

    @ParameterizedTest
    @EnumSource
    void aRunThatIsExecutedFollowsTheSnapshot(HttpBinding binding) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        ChargehandServer server = serve(binding);
        script.on("writer").says("First.").then().waitsFor(end).and().says("Second.");
        post(server, "/ag-ui/writer", body("1", user("One.")));
        HttpResponse<InputStream> first = streamed(server, "/ag-ui/writer", body("2", user("Two.")));
        assertThat(first.body().read()).isPositive();
        HttpResponse<InputStream> second = streamed(server, "/ag-ui/writer/connect", body("3"));
        assertThat(second.body().read()).isEqualTo('d');
        end.countDown();

        List<Json> events = events('d' + new String(second.body().readAllBytes(), StandardCharsets.UTF_8));
        assertThat(types(events)).startsWith("RUN_STARTED", "MESSAGES_SNAPSHOT").endsWith("RUN_FINISHED");
        assertThat(messages(events.get(1))).containsExactly("user: One.", "assistant: First.", "user: Two.");
        assertThat(text(events.getLast(), "/runId")).isEqualTo("3");
        assertThat(text(events.getLast(), "/result/text")).isEqualTo("Second.");
    }

    private HttpResponse<InputStream> streamed(ChargehandServer server, String path, Map<String, Object> body)
            throws Exception {
        HttpRequest request = request(server, path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(Json.of(body).text()))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofInputStream());
    }

    @ParameterizedTest
    @EnumSource
    void aRunThatWaitsShowsItsInterruptAgain(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        script.on("clerk")
                .calls("pay", Map.of("amount", 1))
                .then()
                .calls("pay", Map.of("amount", 2))
                .then()
                .says("Paid.");
        post(server, "/ag-ui/clerk", body("1", user("Pay.")));
        for (int amount = 1; amount <= 2; amount++) {
            List<Json> events =
                    events(post(server, "/ag-ui/clerk/connect", body("c")).body());
            assertThat(messages(events.get(1))).containsExactly("user: Pay.");
            assertThat(types(events)).filteredOn("TOOL_CALL_START"::equals).hasSize(amount);
            assertThat(types(events)).filteredOn("RUN_FINISHED"::equals).hasSize(1);
            String interrupt = text(events.getLast(), "/outcome/interrupts/0/id");
            Map<String, Object> yes =
                    Map.of("interruptId", interrupt, "status", "resolved", "payload", Map.of("approved", true));
            Map<String, Object> resume =
                    Map.of("threadId", "t", "runId", "r" + amount, "messages", List.of(), "resume", List.of(yes));
            assertThat(post(server, "/ag-ui/clerk", resume).body()).contains("RUN_FINISHED");
        }
        assertThat(paid).containsExactly(1, 2);
    }

    @ParameterizedTest
    @EnumSource
    void aCallThatFailedSaysSoInTheSnapshot(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        script.on("clerk")
                .calls("pay", Map.of("amount", 1))
                .then()
                .delegates("writer", "Write.")
                .then()
                .says("Not paid.");
        script.on("writer").says("A text.");
        List<Json> first =
                events(post(server, "/ag-ui/clerk", body("1", user("Pay."))).body());
        Map<String, Object> declined = new HashMap<>(body("2", user("Pay.")));
        String id = text(first.getLast(), "/outcome/interrupts/0/id");
        declined.put("resume", List.of(Map.of("interruptId", id, "status", "cancelled")));
        post(server, "/ag-ui/clerk", declined);
        Json snapshot = events(post(server, "/ag-ui/clerk", body("3")).body()).get(1);
        assertThat(text(snapshot, "/messages/2/error"))
                .contains("eclined")
                .isEqualTo(text(snapshot, "/messages/2/content"));
        assertThat(text(snapshot, "/messages/4/content")).isEqualTo("A text.");
        assertThat(snapshot.at("/messages/4/error")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aThreadOfOthersIsAsOneThatIsMissing(HttpBinding binding) {
        ChargehandServer server = serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.binding(binding)
                .addPrincipals(AgUiThreadTest::resolve));
        script.on("writer").says("Done.").forever();
        String theirs = post(server, "/ag-ui/writer", body("1", user("Go.")), "Authorization", "Bearer ann")
                .body();
        assertThat(theirs).contains("Done.");
        for (String form : List.of("", "/connect")) {
            assertThat(types(events(post(server, "/ag-ui/writer" + form, body("2"), "Authorization", "Bearer bob")
                            .body())))
                    .containsExactly("RUN_STARTED", "RUN_FINISHED"); // what the client has stays
            for (Scope missing : List.of(Scope.THREADS_READ, Scope.RUNS_READ)) {
                HttpResponse<String> answer = post(
                        server, "/ag-ui/writer" + form, body("3"), "Authorization", "Bearer without " + missing.text());
                assertThat(answer.statusCode()).as(form + " " + missing).isEqualTo(403);
                assertThat(answer.body()).contains(missing.text());
            }
        }
        assertThat(post(server, "/ag-ui/missing/connect", body("4"), "Authorization", "Bearer ann")
                        .statusCode())
                .isEqualTo(404);
    }

    private static Optional<Principal> resolve(String token) {
        EnumSet<Scope> scopes = EnumSet.allOf(Scope.class);
        scopes.remove(Scope.RESOURCES_ANY);
        scopes.removeIf(scope -> token.equals("without " + scope.text()));
        return Optional.of(new Principal(token, Store.LOCAL, Optional.of(token), scopes));
    }

    @Test
    void aLongThreadIsShownFromItsStart() {
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, builder -> builder.binding(HttpBinding.JDK));
        for (int i = 0; i < 3; i++) {
            List<Message> page = new ArrayList<>();
            for (int k = 0; k < 350; k++) {
                page.add(Message.user("Question " + i + " " + k));
                page.add(Message.assistant("Answer"));
            }
            runtime.threads().append(ThreadOwner.of(null), "long", page);
        }
        List<Json> events = events(post(server, "/ag-ui/clerk/connect", Map.of("threadId", "long", "runId", "1"))
                .body());
        List<String> messages = messages(events.get(1));
        assertThat(messages).hasSize(2_100).startsWith("user: Question 0 0", "assistant: Answer");
        assertThat(messages).endsWith("user: Question 2 349", "assistant: Answer");
    }
}
