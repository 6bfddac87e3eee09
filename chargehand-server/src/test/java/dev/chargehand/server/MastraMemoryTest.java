package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Memory and workflows as Mastra's client asks for them: without the resource of a thread, of others, and with bodies that it does not send. */
@Timeout(120)
class MastraMemoryTest extends ServerFixture {

    private static final String WORKING = "/api/memory/threads/t/working-memory";

    private static Optional<Principal> resolve(String token) {
        Set<Scope> own = EnumSet.complementOf(EnumSet.of(Scope.RESOURCES_ANY));
        return switch (token) {
            case "ann", "bob" -> Optional.of(new Principal(token, Store.LOCAL, Optional.of(token), own));
            case "admin" ->
                Optional.of(new Principal(token, Store.LOCAL, Optional.empty(), EnumSet.allOf(Scope.class)));
            case "other" -> Optional.of(new Principal(token, "other", Optional.empty(), EnumSet.allOf(Scope.class)));
            default -> Optional.empty();
        };
    }

    private ChargehandServer signedIn(HttpBinding binding) {
        return serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.binding(binding)
                .addPrincipals(MastraMemoryTest::resolve));
    }

    private HttpResponse<String> postAs(String token, ChargehandServer server, String path, Object body) {
        return post(server, path, body, "Authorization", "Bearer " + token);
    }

    private HttpResponse<String> getAs(String token, ChargehandServer server, String path) {
        return send(
                request(server, path).header("Authorization", "Bearer " + token).build());
    }

    private static Map<String, Object> thread(String resource) {
        return Map.of("threadId", "t", "resourceId", resource);
    }

    private static Map<String, Object> messages(String id, String text, String resource) {
        Map<String, Object> message =
                Map.of("id", id, "role", "user", "content", text, "threadId", "t", "resourceId", resource);
        return Map.of("messages", List.of(message));
    }

    @ParameterizedTest
    @EnumSource
    void withoutASignInThreadsAndMessagesAreThoseThatWereShown(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        assertThat(post(server, "/api/memory/threads", thread("ann")).statusCode())
                .isEqualTo(200);
        assertThat(post(server, "/api/memory/save-messages", messages("m1", "Blue.", "ann"))
                        .statusCode())
                .isEqualTo(200);
        assertThat(at(get(server, "/api/memory/threads/t"), "/resourceId")).isEqualTo("ann");
        assertThat(at(get(server, "/api/memory/threads/t/messages"), "/messages/0/id"))
                .isEqualTo("m1");
        HttpResponse<String> again =
                post(server, "/api/memory/save-messages", messages("m1", "Again.", "ann")); // is there already
        assertThat(at(again, "/messages/0/id") + at(again, "/messages/0/content/content"))
                .isEqualTo("m1Blue.");
        assertThat(at(get(server, "/api/memory/threads/t/messages"), "/total")).isEqualTo("1");
        assertThat(at(post(server, "/api/memory/messages/delete", Map.of("messageIds", "m1")), "/success"))
                .isEqualTo("true");
        assertThat(at(get(server, "/api/memory/threads/t/messages"), "/messages/0/id"))
                .isEmpty();
        post(server, "/api/memory/threads", thread("bob"));
        assertThat(get(server, "/api/memory/threads/t").statusCode()) // of whom?
                .isEqualTo(404);
    }

    @ParameterizedTest
    @EnumSource
    void whatOthersHaveStoredIsMissing(HttpBinding binding) {
        ChargehandServer server = signedIn(binding);
        postAs("ann", server, "/api/memory/threads", thread("ann"));
        postAs("ann", server, "/api/memory/save-messages", messages("m1", "Secret.", "ann"));
        assertThat(postAs(
                                "ann",
                                server,
                                WORKING + "?agentId=writer",
                                Map.of("workingMemory", "Notes.", "resourceId", "ann"))
                        .statusCode())
                .isEqualTo(200);
        String search = "/api/memory/search?agentId=writer&searchQuery=secret";
        assertThat(at(getAs("ann", server, search), "/count")).isEqualTo("1");
        for (String other : List.of("bob", "other")) {
            String of = other.equals("bob") ? "" : "&resourceId=ann";
            assertThat(getAs(other, server, WORKING + "?agentId=writer" + of).body())
                    .contains("\"threadExists\":false", "\"workingMemory\":null");
            assertThat(postAs(other, server, WORKING, Map.of("workingMemory", "x"))
                            .statusCode())
                    .isEqualTo(404);
            assertThat(at(getAs(other, server, search + of), "/count")).isEqualTo("0");
            assertThat(getAs(other, server, search + of + "&threadId=t").statusCode())
                    .isEqualTo(404);
            HttpResponse<String> deleted =
                    postAs(other, server, "/api/memory/messages/delete", Map.of("messageIds", List.of("m1")));
            assertThat(deleted.statusCode()).isEqualTo(404);
            assertThat(deleted.body())
                    .isEqualTo(postAs(other, server, "/api/memory/messages/delete", Map.of("messageIds", "absent"))
                            .body());
        }
        assertThat(postAs("bob", server, "/api/memory/save-messages", messages("m2", "Mine.", "ann"))
                        .statusCode())
                .isEqualTo(403);
        assertThat(getAs("bob", server, search + "&resourceId=ann").statusCode())
                .isEqualTo(403);
        assertThat(at(getAs("ann", server, "/api/memory/threads/t/messages"), "/messages/0/id"))
                .isEqualTo("m1");
        assertThat(at(getAs("ann", server, WORKING), "/workingMemory")).isEqualTo("Notes.");
    }

    @ParameterizedTest
    @EnumSource
    void aMessageThatAnotherProcessHasShownIsDeletedByItsResource(HttpBinding binding) {
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer first =
                serve(runtime, builder -> builder.binding(binding).addPrincipals(MastraMemoryTest::resolve));
        ChargehandServer second =
                serve(runtime, builder -> builder.binding(binding).addPrincipals(MastraMemoryTest::resolve));
        postAs("ann", first, "/api/memory/threads", thread("ann"));
        postAs("ann", first, "/api/memory/save-messages", messages("m1", "Blue.", "ann"));
        Map<String, Object> ids = Map.of("messageIds", Map.of("id", "m1"));
        assertThat(postAs("bob", second, "/api/memory/messages/delete", ids).statusCode())
                .isEqualTo(404);
        assertThat(postAs("ann", second, "/api/memory/messages/delete", ids).statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void aRunOfAWorkflowOfOthersIsMissing(HttpBinding binding) {
        ChargehandServer server = signedIn(binding);
        String path = "/api/workflows/pricing/";
        Map<String, Object> input = Map.of("inputData", Map.of("amount", 3));
        HttpResponse<String> stream = postAs("admin", server, path + "stream?runId=r", input);
        assertThat(stream.body()).endsWith("\u001e").contains("\"workflowStatus\":\"success\"");
        HttpResponse<String> again = postAs("admin", server, path + "start-async?runId=r", input);
        assertThat(at(again, "/result")).isEqualTo("300"); // the same run
        String run = at(again, "/runId");
        assertThat(at(getAs("admin", server, path + "runs"), "/runs/0/runId")).isEqualTo(run);
        assertThat(at(getAs("admin", server, path + "runs"), "/total")).isEqualTo("1");
        for (String id : List.of("r", run)) {
            assertThat(at(getAs("admin", server, path + "runs/" + id), "/status"))
                    .isEqualTo("success");
            for (String other : List.of("ann", "other")) {
                HttpResponse<String> theirs = getAs(other, server, path + "runs/" + id);
                assertThat(theirs.statusCode()).isEqualTo(404);
                assertThat(theirs.body())
                        .isEqualTo(getAs(other, server, path + "runs/absent").body());
                for (String name : List.of("observe", "resume", "resume-async", "resume-stream", "resume-no-wait")) {
                    assertThat(postAs(other, server, path + name + "?runId=" + id, Map.of())
                                    .statusCode())
                            .as(name)
                            .isEqualTo(404);
                }
                assertThat(postAs(other, server, path + "runs/" + id + "/cancel", Map.of())
                                .statusCode())
                        .isEqualTo(404);
            }
        }
        assertThat(at(getAs("ann", server, path + "runs"), "/total")).isEqualTo("0");
    }

    @ParameterizedTest
    @EnumSource
    void whatItsClientDoesNotSendChangesNothing(HttpBinding binding) {
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, builder -> builder.binding(binding));
        post(server, "/api/memory/threads", thread("ann"));
        List<String> paths = List.of(
                "/api/memory/save-messages",
                "/api/memory/messages/delete",
                WORKING + "?agentId=absent",
                "/api/workflows/pricing/resume?runId=absent",
                "/api/workflows/pricing/resume-async",
                "/api/workflows/pricing/observe?runId=" + "x".repeat(300),
                "/api/workflows/pricing/stream?runId=%00",
                "/api/workflows/pricing/stream?runId=a",
                "/api/workflows/absent/start",
                "/api/agents/writer/observe");
        List<String> bodies = List.of(
                "{",
                "[]",
                "{\"messages\":7,\"messageIds\":7,\"runId\":7,\"workingMemory\":7,\"inputData\":7,\"step\":7}",
                "{\"messages\":[{\"role\":\"system\",\"content\":\"x\",\"threadId\":\"t\",\"resourceId\":\"ann\"}],"
                        + "\"messageIds\":[7],\"runId\":\"absent\",\"inputData\":{\"amount\":\"x\"},\"step\":[7]}",
                "{\"messages\":[{\"role\":\"user\",\"content\":\" \",\"threadId\":\"t\",\"resourceId\":\"ann\"}],"
                        + "\"messageIds\":[{\"id\":7}],\"runId\":\"a\\u0000\",\"inputData\":null}",
                "{\"messages\":[{\"role\":\"user\",\"content\":\"x\",\"threadId\":\"absent\",\"resourceId\":\"ann\"}],"
                        + "\"messageIds\":[null]}");
        for (String path : paths) {
            for (String body : bodies) {
                HttpResponse<String> answer = send(request(server, path)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build());
                assertThat(answer.statusCode())
                        .as(path + " " + body + " " + answer.body())
                        .isBetween(400, 499);
                assertThat(at(answer, "/error")).as(path + " " + body).isNotEmpty();
            }
        }
        for (String query : List.of(
                "/api/memory/search?agentId=writer&resourceId=ann",
                "/api/memory/search?searchQuery=x&resourceId=ann",
                "/api/memory/search?searchQuery=x&agentId=writer",
                "/api/memory/search?searchQuery=x&agentId=writer&resourceId=ann&memoryConfig=%7B",
                "/api/workflows/pricing/runs?status=odd",
                "/api/workflows/pricing/runs?fromDate=yesterday",
                "/api/workflows/pricing/runs?page=-1")) {
            assertThat(get(server, query).statusCode()).as(query).isEqualTo(400);
        }
        assertThat(runtime.runs(RunFilter.ALL)).isEmpty();
        assertThat(at(get(server, "/api/memory/threads/t/messages"), "/total")).isEqualTo("0");
    }
}
