package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.error.ModelException;
import dev.chargehand.json.Json;
import dev.chargehand.store.InMemoryStore;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Chat completions that are stored, as OpenAI's clients read, list, change and delete them. */
@Timeout(120)
class OpenAiStoredChatsTest extends ServerFixture {

    private static final String CHATS = "/v1/chat/completions";

    @Override
    List<Agent> agents() {
        List<Agent> agents = new ArrayList<>(super.agents());
        agents.add(Agent.builder("helper")
                .model(script.modelFor("helper"))
                .acceptClientTools()
                .build());
        return agents;
    }

    private static Map<String, Object> chat(String model, Object... more) {
        Map<String, Object> body = new HashMap<>();
        body.put("model", model);
        body.put("messages", List.of(message("user", "Write.")));
        for (int i = 0; i < more.length; i += 2) {
            body.put((String) more[i], more[i + 1]);
        }
        return body;
    }

    private static Map<String, Object> message(String role, String content) {
        return Map.of("role", role, "content", content);
    }

    private String stored(ChargehandServer server, String model, Object... more) {
        script.on("writer").says("One.");
        Map<String, Object> body = chat(model, more);
        body.put("store", true);
        return at(post(server, CHATS, body), "/id");
    }

    private HttpResponse<String> delete(ChargehandServer server, String path) {
        return send(request(server, path).DELETE().build());
    }

    private List<String> ids(ChargehandServer server, String query) {
        HttpResponse<String> page = get(server, CHATS + query);
        assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
        return Arrays.stream(Json.parse(page.body()).at("/data").orElseThrow().as(Json[].class))
                .map(each -> each.at("/id").flatMap(Json::string).orElseThrow())
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void aStoredChatIsReadAgain(HttpBinding binding) {
        script.on("writer").says("One.");
        ChargehandServer server = serve(binding);
        HttpResponse<String> first = post(
                server, CHATS, chat("writer@t", "store", true, "metadata", Map.of("order", "o-7", "chosen", "yes")));
        String path = CHATS + "/" + at(first, "/id");
        HttpResponse<String> again = get(server, path);
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(Json.parse(again.body()).canonical())
                .isEqualTo(Json.parse(first.body()).canonical());
        assertThat(at(again, "/model")).isEqualTo("writer@t");
        assertThat(at(again, "/metadata/stop_reason")).isEqualTo("finished");
    }

    @ParameterizedTest
    @EnumSource
    void aStreamedChatIsStored(HttpBinding binding) {
        script.on("writer").streams("One ", "two.");
        ChargehandServer server = serve(binding);
        HttpResponse<String> stream = post(server, CHATS, chat("writer", "store", true, "stream", true));
        String id = Json.parse(stream.body().lines().findFirst().orElseThrow().substring(6))
                .at("/id")
                .flatMap(Json::string)
                .orElseThrow();
        HttpResponse<String> again = get(server, CHATS + "/" + id);
        assertThat(at(again, "/choices/0/message/content")).isEqualTo("One two.");
        assertThat(at(again, "/usage/total_tokens")).isNotEmpty();
        assertThat(ids(server, "")).containsExactly(id);
    }

    @ParameterizedTest
    @EnumSource
    void onlyWhatIsStoredIsFound(HttpBinding binding) {
        script.on("writer").says("One.").then().says("Two.").then().says("Three.");
        ChargehandServer server = serve(binding);
        String missing = get(server, CHATS + "/chatcmpl-run_absent").body();
        List<String> ids = new ArrayList<>();
        ids.add(at(post(server, CHATS, chat("writer")), "/id"));
        ids.add(at(post(server, CHATS, chat("writer", "store", false)), "/id"));
        String response = at(post(server, "/v1/responses", Map.of("model", "writer", "input", "Write.")), "/id");
        ids.add("chatcmpl-" + response.substring("resp_".length()));
        ids.add(response);
        ids.addAll(List.of("chatcmpl-", "run_absent", "chatcmpl-%20", "chatcmpl-" + "x".repeat(3_000), "..x"));
        for (String id : ids) {
            for (String rest : List.of("", "/messages")) {
                HttpResponse<String> answer = get(server, CHATS + "/" + id + rest);
                assertThat(answer.statusCode()).as(id + rest).isEqualTo(404);
                assertThat(answer.body()).as(id + rest).isEqualTo(missing);
            }
            assertThat(delete(server, CHATS + "/" + id).body()).as(id).isEqualTo(missing);
            assertThat(post(server, CHATS + "/" + id, Map.of("metadata", Map.of()))
                            .body())
                    .as(id)
                    .isEqualTo(missing);
        }
        assertThat(Json.parse(missing).at("/error/code").flatMap(Json::string)).contains("run-unknown");
        assertThat(ids(server, "")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void chatsAreListedInPages(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(stored(
                    server, i == 3 ? "writer@t" : "writer", "metadata", Map.of("even", i % 2 == 0 ? "yes" : "no")));
            script.on("writer").says("Not stored.");
            post(server, CHATS, chat("writer"));
        }
        assertThat(ids(server, "")).isEqualTo(all);
        assertThat(ids(server, "?order=desc")).isEqualTo(all.reversed());
        assertThat(ids(server, "?limit=2")).isEqualTo(all.subList(0, 2));
        assertThat(ids(server, "?limit=2&after=" + all.get(1))).isEqualTo(all.subList(2, 4));
        assertThat(ids(server, "?limit=2&order=desc&after=" + all.get(3))).containsExactly(all.get(2), all.get(1));
        assertThat(ids(server, "?after=" + all.get(4))).isEmpty();
        assertThat(ids(server, "?model=writer%40t")).containsExactly(all.get(3));
        assertThat(ids(server, "?model=nobody")).isEmpty();
        assertThat(ids(server, "?metadata%5Beven%5D=no")).containsExactly(all.get(1), all.get(3));
        assertThat(ids(server, "?metadata%5Beven%5D=no&model=writer")).containsExactly(all.get(1));
        HttpResponse<String> page = get(server, CHATS + "?limit=4");
        assertThat(at(page, "/object")).isEqualTo("list");
        assertThat(at(page, "/has_more")).isEqualTo("true");
        assertThat(at(page, "/first_id")).isEqualTo(all.getFirst());
        assertThat(at(page, "/last_id")).isEqualTo(all.get(3));
        assertThat(at(get(server, CHATS + "?limit=5"), "/has_more")).isEqualTo("false");
        assertThat(get(server, CHATS + "?model=nobody").body()).contains("\"first_id\":\"\",\"last_id\":\"\"");
        Map.of(
                        "limit",
                        "0",
                        "limit ",
                        "1000",
                        "limit  ",
                        "abc",
                        "order",
                        "up",
                        "after",
                        "chatcmpl-run_absent",
                        "after ",
                        "x")
                .forEach((name, value) -> {
                    HttpResponse<String> wrong = get(server, CHATS + "?" + name.strip() + "=" + value);
                    assertThat(wrong.statusCode()).as(value).isEqualTo(400);
                    assertThat(at(wrong, "/error/param")).isEqualTo(name.strip());
                });
    }

    @ParameterizedTest
    @EnumSource
    void theMessagesOfAStoredChatAreThoseOfItsRequest(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        List<Map<String, Object>> messages =
                List.of(message("user", "Hello."), message("assistant", "Yes?"), message("user", "Write."));
        String path = CHATS + "/" + stored(server, "writer", "messages", messages) + "/messages";
        HttpResponse<String> page = get(server, path);
        assertThat(page.body()).contains("\"role\":\"user\",\"content\":\"Hello.\"");
        assertThat(at(page, "/data/1/role")).isEqualTo("assistant");
        assertThat(at(page, "/data/1/content")).isEqualTo("Yes?");
        assertThat(at(page, "/data/2/content")).isEqualTo("Write.");
        assertThat(at(page, "/data/3")).isEmpty();
        assertThat(at(page, "/has_more")).isEqualTo("false");
        String first = at(get(server, path + "?limit=1"), "/first_id");
        assertThat(at(get(server, path + "?after=" + first), "/data/0/content")).isEqualTo("Yes?");
        assertThat(at(get(server, path + "?order=desc"), "/data/0/content")).isEqualTo("Write.");
        assertThat(at(get(server, path + "?after=x"), "/error/param")).isEqualTo("after");
        assertThat(at(get(server, path + "?limit=0"), "/error/param")).isEqualTo("limit");
    }

    @ParameterizedTest
    @EnumSource
    void theMetadataOfAStoredChatIsReplaced(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        String id = stored(server, "writer@t", "metadata", Map.of("order", "o-7"));
        String other = stored(server, "writer@t", "metadata", Map.of("order", "o-7"));
        String path = CHATS + "/" + id;
        HttpResponse<String> changed = post(server, path, Map.of("metadata", Map.of("state", "paid")));
        assertThat(changed.statusCode()).isEqualTo(200);
        assertThat(at(changed, "/choices/0/message/content")).isEqualTo("One.");
        for (HttpResponse<String> each : List.of(changed, get(server, path))) {
            assertThat(at(each, "/metadata/state")).isEqualTo("paid");
            assertThat(at(each, "/metadata/order")).isEmpty();
        }
        assertThat(ids(server, "?metadata%5Bstate%5D=paid")).containsExactly(id);
        assertThat(ids(server, "?metadata%5Border%5D=o-7")).containsExactly(other);
        Map<String, Object> none = new HashMap<>();
        none.put("metadata", null);
        assertThat(at(post(server, path, none), "/metadata")).doesNotContain("paid");
        for (Object wrong :
                List.of(7, List.of(), Map.of("k", "x".repeat(513)), Map.of("k", 7), Map.of("chargehand.x", "y"))) {
            HttpResponse<String> answer = post(server, path, Map.of("metadata", wrong));
            assertThat(answer.statusCode()).as(wrong.toString()).isEqualTo(400);
            assertThat(at(answer, "/error/param")).startsWith("metadata");
        }
        assertThat(at(post(server, path, Map.of()), "/error/param")).isEqualTo("metadata");
        Map<String, String> large = new HashMap<>();
        for (int i = 0; i < 16; i++) {
            large.put(i + "k".repeat(500), "v".repeat(512));
        }
        assertThat(post(server, path, Map.of("metadata", large)).statusCode()).isEqualTo(200);
        HttpResponse<String> tooLong = post(server, CHATS + "/" + other, Map.of("metadata", large));
        assertThat(at(tooLong, "/error/param")).isEqualTo("metadata");
        assertThat(at(tooLong, "/error/message")).contains("kept together");
    }

    @ParameterizedTest
    @EnumSource
    void aStoredChatIsDeletedOnce(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        String id = stored(server, "writer");
        post(server, CHATS + "/" + id, Map.of("metadata", Map.of("state", "paid")));
        HttpResponse<String> deleted = delete(server, CHATS + "/" + id);
        assertThat(deleted.statusCode()).isEqualTo(200);
        assertThat(at(deleted, "/object")).isEqualTo("chat.completion.deleted");
        assertThat(at(deleted, "/id")).isEqualTo(id);
        assertThat(at(deleted, "/deleted")).isEqualTo("true");
        assertThat(delete(server, CHATS + "/" + id).statusCode()).isEqualTo(404);
        assertThat(get(server, CHATS + "/" + id).statusCode()).isEqualTo(404);
        assertThat(ids(server, "")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aChatThatIsNotAnsweredIsAConflict(HttpBinding binding) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        script.on("writer").waitsFor(end).and().says("Late.");
        script.on("clerk").calls("pay", Map.of("amount", 7));
        ChargehandServer server = serve(binding);
        List<HttpResponse<String>> answers = atOnce(2, i -> {
            if (i == 0) {
                return post(server, CHATS, chat("writer", "store", true));
            }
            try {
                String run;
                do {
                    run = at(get(server, "/api/v1/runs?agent=writer&status=running"), "/runs/0/runId");
                } while (run.isEmpty());
                String path = CHATS + "/chatcmpl-" + run;
                assertThat(at(delete(server, path), "/error/code")).isEqualTo("not-ended");
                assertThat(ids(server, "")).isEmpty();
                return get(server, path);
            } finally {
                end.countDown();
            }
        });
        assertThat(answers.getLast().statusCode()).isEqualTo(409);
        assertThat(at(answers.getLast(), "/error/code")).isEqualTo("not-ended");
        assertThat(at(answers.getFirst(), "/choices/0/message/content")).isEqualTo("Late.");
        String waiting = at(post(server, CHATS, chat("clerk", "store", true)), "/error/run_id");
        HttpResponse<String> read = get(server, CHATS + "/chatcmpl-" + waiting);
        assertThat(read.statusCode()).isEqualTo(409);
        assertThat(at(read, "/error/code")).isEqualTo("suspended");
        assertThat(ids(server, "")).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void aChatThatFailedIsReadAsItsError(HttpBinding binding) {
        script.on("writer").failsWith(new ModelException(ModelException.Kind.AUTHENTICATION, "No.", null));
        ChargehandServer server = serve(binding);
        HttpResponse<String> failed = post(server, CHATS, chat("writer", "store", true));
        assertThat(failed.statusCode()).isEqualTo(424);
        HttpResponse<String> read = get(server, CHATS + "/chatcmpl-" + at(failed, "/error/run_id"));
        assertThat(read.body()).isEqualTo(failed.body());
        assertThat(ids(server, "")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aStoredChatHasItsNewestAnswer(HttpBinding binding) {
        script.on("helper")
                .says("I look.")
                .and()
                .calls("locate", Map.of())
                .then()
                .says("You are there.");
        ChargehandServer server = serve(binding);
        Map<String, Object> tool = Map.of(
                "type", "function", "function", Map.of("name", "locate", "parameters", Map.of("type", "object")));
        Map<String, Object> body =
                chat("helper", "store", true, "tools", List.of(tool), "metadata", Map.of("order", "o-7"));
        HttpResponse<String> first = post(server, CHATS, body);
        assertThat(at(first, "/choices/0/finish_reason")).isEqualTo("tool_calls");
        assertThat(at(first, "/metadata/order")).isEqualTo("o-7");
        String path = CHATS + "/" + at(first, "/id");
        assertThat(Json.parse(get(server, path).body()).canonical())
                .isEqualTo(Json.parse(first.body()).canonical());
        assertThat(ids(server, "")).hasSize(1);
        String call = at(first, "/choices/0/message/tool_calls/0/id");
        body.put(
                "messages",
                List.of(message("user", "Write."), Map.of("role", "tool", "tool_call_id", call, "content", "Rome")));
        HttpResponse<String> second = post(server, CHATS, body);
        assertThat(Json.parse(get(server, path).body())
                        .at("/choices")
                        .orElseThrow()
                        .canonical())
                .isEqualTo(
                        Json.parse(second.body()).at("/choices").orElseThrow().canonical());
        assertThat(ids(server, "")).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void aCallerSeesItsOwnChatsOnly(HttpBinding binding) {
        script.on("writer").says("One.");
        ChargehandServer server = serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.binding(binding)
                .addPrincipals(token -> Optional.of(new Principal(
                        token,
                        token.equals("eve") ? "other" : "local",
                        Optional.of(token.equals("eve") ? "ann" : token),
                        EnumSet.complementOf(EnumSet.of(Scope.RESOURCES_ANY))))));
        String body = Json.of(chat("writer", "store", true)).text();
        String id = at(as(server, "ann", "POST", CHATS, body), "/id");
        assertThat(at(as(server, "ann", "GET", CHATS, ""), "/data/0/id")).isEqualTo(id);
        assertThat(as(server, "ann", "GET", CHATS + "/" + id, "").statusCode()).isEqualTo(200);
        assertThat(at(as(server, "ann", "GET", CHATS + "/" + id + "/messages", ""), "/data/0/content"))
                .isEqualTo("Write.");
        for (String other : List.of("bob", "eve")) {
            assertThat(as(server, other, "GET", CHATS, "").body()).doesNotContain(id);
            for (String rest : List.of("GET ?", "GET /messages", "DELETE ?", "POST ?")) {
                int space = rest.indexOf(' ');
                String method = rest.substring(0, space);
                String end = rest.substring(space + 1);
                String sent = method.equals("POST") ? "{\"metadata\":{\"a\":\"b\"}}" : "";
                HttpResponse<String> theirs = as(server, other, method, CHATS + "/" + id + end, sent);
                HttpResponse<String> absent = as(server, other, method, CHATS + "/chatcmpl-run_absent" + end, sent);
                assertThat(theirs.statusCode()).as(rest).isEqualTo(404);
                assertThat(theirs.body()).as(rest).isEqualTo(absent.body());
            }
            assertThat(as(server, other, "GET", CHATS + "?after=" + id, "").body())
                    .isEqualTo(as(server, other, "GET", CHATS + "?after=chatcmpl-run_absent", "")
                            .body());
        }
        assertThat(at(as(server, "ann", "GET", CHATS + "/" + id, ""), "/metadata/a"))
                .isEmpty();
    }

    private HttpResponse<String> as(ChargehandServer server, String caller, String method, String path, String body) {
        return send(request(server, path)
                .headers("Authorization", "Bearer " + caller, "Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    @ParameterizedTest
    @EnumSource
    void aResponseThatIsReadAgainHasItsModel(HttpBinding binding) {
        script.on("writer").says("One.");
        ChargehandServer server = serve(binding);
        HttpResponse<String> response =
                post(server, "/v1/responses", Map.of("model", "writer@t", "input", "Write.", "background", true));
        String path = "/v1/responses/" + at(response, "/id");
        HttpResponse<String> events = get(server, path + "?stream=true");
        assertThat(events.body()).contains("\"model\":\"writer@t\"").doesNotContain("\"model\":\"writer\"");
        HttpResponse<String> again = get(server, path);
        assertThat(at(again, "/model")).isEqualTo("writer@t");
        assertThat(at(again, "/background")).isEqualTo("true");
    }
}
