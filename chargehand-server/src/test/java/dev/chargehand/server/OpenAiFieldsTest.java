package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fields that OpenAI's clients read of an answer, besides its text. A stream that does not end as it must fails the test by its time. */
@Timeout(120)
class OpenAiFieldsTest extends ServerFixture {

    private static final String CHAT = "/v1/chat/completions";
    private static final String RESPONSES = "/v1/responses";
    private static final Map<String, Object> FUNCTION =
            Map.of("type", "function", "name", "locate", "parameters", Map.of("type", "object"));

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
        return body(new HashMap<>(Map.of("model", model, "messages", List.of(user("Write.")))), more);
    }

    private static Map<String, Object> response(String model, Object... more) {
        return body(new HashMap<>(Map.of("model", model, "input", "Write.")), more);
    }

    private static Map<String, Object> body(Map<String, Object> body, Object... more) {
        for (int i = 0; i < more.length; i += 2) {
            body.put((String) more[i], more[i + 1]);
        }
        return body;
    }

    private static Map<String, Object> user(Object content) {
        return Map.of("role", "user", "content", content);
    }

    private static List<Json> events(HttpResponse<String> stream) {
        return stream.body()
                .lines()
                .filter(line -> line.startsWith("data: {"))
                .map(line -> Json.parse(line.substring(6)))
                .toList();
    }

    private static String text(Json json, String pointer) {
        return json.at(pointer).map(it -> it.string().orElse(it.text())).orElse("");
    }

    private static List<String> types(List<Json> events) {
        return events.stream().map(event -> text(event, "/type")).toList();
    }

    @ParameterizedTest
    @EnumSource
    void eachAnswerNamesItsRequest(HttpBinding binding) {
        script.on("writer").says("Done.").forever();
        ChargehandServer server = serve(binding);
        List<String> ids = Stream.of(
                        post(server, CHAT, chat("writer")),
                        post(server, CHAT, chat("writer", "stream", true)),
                        post(server, CHAT, chat("nobody")),
                        get(server, "/v1/models"),
                        get(server, "/v1/embeddings"))
                .map(answer -> answer.headers().firstValue("x-request-id").orElse(""))
                .toList();
        assertThat(ids).allMatch(id -> id.matches("req_[0-9a-f]{32}")).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource
    void onlyTheLastChunkHasNumbersOfTokens(HttpBinding binding) {
        script.on("writer").says("Done.").forever();
        ChargehandServer server = serve(binding);
        List<Json> with = events(
                post(server, CHAT, chat("writer", "stream", true, "stream_options", Map.of("include_usage", true))));
        assertThat(with.stream().map(chunk -> text(chunk, "/usage/total_tokens")))
                .last()
                .isEqualTo("15");
        assertThat(with.subList(0, with.size() - 1))
                .allMatch(chunk -> text(chunk, "/usage").equals("null"));
        List<Json> without = events(post(server, CHAT, chat("writer", "stream", true)));
        assertThat(without).allMatch(chunk -> chunk.at("/usage").isEmpty());
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerIsAnyJsonObjectIfTheClientWantsThat(HttpBinding binding) {
        script.on("writer").says("{\"a\":1}").forever();
        ChargehandServer server = serve(binding);
        Map<String, Object> format = Map.of("type", "json_object");
        HttpResponse<String> chat = post(server, CHAT, chat("writer", "response_format", format));
        assertThat(Json.parse(at(chat, "/choices/0/message/content")).at("/a")).isPresent();
        HttpResponse<String> response = post(server, RESPONSES, response("writer", "text", Map.of("format", format)));
        assertThat(Json.parse(at(response, "/output/0/content/0/text")).at("/a"))
                .isPresent();
        assertThat(at(response, "/text/format/type")).isEqualTo("json_object");
        assertThat(script.requests()).allMatch(request -> request.output() != null);
    }

    @ParameterizedTest
    @EnumSource
    void aRefusalIsHistory(HttpBinding binding) {
        script.on("writer").says("Done.").forever();
        ChargehandServer server = serve(binding);
        List<Map<String, Object>> parts = List.of(Map.of("type", "refusal", "refusal", "I will not."));
        Map<String, Object> inParts = Map.of("role", "assistant", "content", parts);
        Map<String, Object> asField = Map.of("role", "assistant", "refusal", "I will not.");
        for (Map<String, Object> refusal : List.of(inParts, asField)) {
            List<Object> messages = List.of(user("One."), refusal, user("Two."));
            assertThat(post(server, CHAT, chat("writer", "messages", messages)).statusCode())
                    .isEqualTo(200);
        }
        List<Object> items = List.of(user("One."), inParts, user("Two."));
        HttpResponse<String> response = post(server, RESPONSES, response("writer", "input", items));
        assertThat(response.statusCode()).isEqualTo(200);
        script.requests().subList(0, 2).forEach(request -> assertThat(request.messages())
                .extracting(Message::text)
                .contains("I will not."));
    }

    @ParameterizedTest
    @EnumSource
    void aModelIsFoundByEachNameThatARequestMayHave(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        for (String name : List.of("writer", "writer@holidays", "clerk%2Fnetwork")) {
            HttpResponse<String> model = get(server, "/v1/models/" + name);
            assertThat(at(model, "/id")).isEqualTo(name.replace("%2F", "/"));
        }
        assertThat(get(server, "/v1/models/nobody@holidays").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @EnumSource
    void aResponseRepeatsItsRequest(HttpBinding binding) {
        script.on("helper").says("Done.").forever();
        ChargehandServer server = serve(binding);
        HttpResponse<String> response = post(
                server,
                RESPONSES,
                response(
                        "helper",
                        "instructions",
                        "Rhyme.",
                        "max_output_tokens",
                        99,
                        "conversation",
                        "c",
                        "tools",
                        List.of(FUNCTION),
                        "tool_choice",
                        "none"));
        assertThat(at(response, "/instructions")).isEqualTo("Rhyme.");
        assertThat(at(response, "/max_output_tokens")).isEqualTo("99");
        assertThat(at(response, "/conversation/id")).isEqualTo("c");
        assertThat(at(response, "/tools/0/name")).isEqualTo("locate");
        assertThat(at(response, "/tools/0/strict")).isEqualTo("false");
        assertThat(at(response, "/tool_choice")).isEqualTo("none");
        assertThat(at(response, "/text/format/type")).isEqualTo("text");
        assertThat(at(response, "/completed_at")).matches("[0-9]+");
        HttpResponse<String> again = get(server, RESPONSES + "/" + at(response, "/id"));
        assertThat(at(again, "/conversation/id")).isEqualTo("c");
        assertThat(at(again, "/metadata")).isEqualTo("{}");
        assertThat(at(again, "/background")).isEqualTo("false");
    }

    @ParameterizedTest
    @EnumSource
    void aResponseThatContinuesWithResultsIsNotTheOneBeforeItself(HttpBinding binding) {
        script.on("helper").calls("locate", Map.of()).then().says("There.");
        ChargehandServer server = serve(binding);
        List<Object> tools = List.of(FUNCTION);
        HttpResponse<String> asks = post(server, RESPONSES, response("helper", "tools", tools));
        List<Object> results = List.of(
                Map.of("type", "function_call_output", "call_id", at(asks, "/output/0/call_id"), "output", "Rome"));
        HttpResponse<String> answer = post(
                server,
                RESPONSES,
                response("helper", "tools", tools, "previous_response_id", at(asks, "/id"), "input", results));
        assertThat(at(answer, "/id")).isEqualTo(at(asks, "/id"));
        assertThat(at(answer, "/output/0/content/0/text")).isEqualTo("There.");
        assertThat(at(answer, "/previous_response_id")).isEqualTo("null");
    }

    @ParameterizedTest
    @EnumSource
    void aResponseInTheBackgroundHasTheTimeAtWhichItWasMade(HttpBinding binding) {
        CountDownLatch end = new CountDownLatch(1);
        script.on("writer").waitsFor(end).and().says("Late.");
        ChargehandServer server = serve(binding);
        HttpResponse<String> queued = post(server, RESPONSES, response("writer", "background", true));
        assertThat(at(queued, "/created_at")).matches("[1-9][0-9]+");
        HttpResponse<String> read = get(server, RESPONSES + "/" + at(queued, "/id"));
        assertThat(at(read, "/created_at")).matches("[1-9][0-9]+");
        assertThat(at(read, "/background")).isEqualTo("true");
        end.countDown();
    }

    @ParameterizedTest
    @EnumSource
    void whatAModelThinksIsAnItemBeforeItsText(HttpBinding binding) {
        script.on("writer").reasons("Hm. ").and().reasons("Well.").and().streams("One ", "two.");
        ChargehandServer server = serve(binding);
        List<Json> live = events(post(server, RESPONSES, response("writer", "stream", true)));
        assertThat(types(live))
                .containsSubsequence(
                        "response.output_item.added",
                        "response.reasoning_summary_part.added",
                        "response.reasoning_summary_text.delta",
                        "response.reasoning_summary_text.done",
                        "response.reasoning_summary_part.done",
                        "response.output_item.done",
                        "response.output_item.added",
                        "response.content_part.added");
        Json whole = live.getLast().at("/response").orElseThrow();
        assertThat(text(whole, "/output/0/type")).isEqualTo("reasoning");
        assertThat(text(whole, "/output/0/summary/0/text")).startsWith("Hm. ").endsWith("Well.");
        assertThat(text(whole, "/output/1/content/0/text")).isEqualTo("One two.");
        String path = RESPONSES + "/" + text(whole, "/id");
        assertThat(at(get(server, path), "/output")).isEqualTo(text(whole, "/output"));
        for (int i = 0; i < live.size(); i++) {
            List<Json> rest =
                    events(get(server, path + "?stream=true&starting_after=" + text(live.get(i), "/sequence_number")));
            assertThat(withoutDeltas(rest)).as("after " + i).isEqualTo(withoutDeltas(live.subList(i + 1, live.size())));
        }
    }

    /** Return the types and numbers of events, without parts of texts and what ends reasoning, which may have other numbers. */
    private static List<String> withoutDeltas(List<Json> events) {
        return events.stream()
                .filter(event -> !text(event, "/type").endsWith(".delta"))
                .filter(event -> !text(event, "/type").contains("reasoning"))
                .filter(event -> !text(event, "/item/type").equals("reasoning"))
                .map(event -> text(event, "/type") + " " + text(event, "/sequence_number"))
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void aResponseHasItsInputAndIsDeleted(HttpBinding binding) {
        script.on("writer").says("One.").then().says("Two.");
        ChargehandServer server = serve(binding);
        List<Object> two = List.of(user("First."), user(List.of(Map.of("type", "input_text", "text", "Second."))));
        String first = at(post(server, RESPONSES, response("writer", "input", two)), "/id");
        String second = at(post(server, RESPONSES, response("writer", "previous_response_id", first)), "/id");
        String items = RESPONSES + "/" + first + "/input_items";
        HttpResponse<String> all = get(server, items);
        assertThat(at(all, "/object")).isEqualTo("list");
        assertThat(at(all, "/data/0/content/0/text")).isEqualTo("Second.");
        assertThat(at(all, "/data/1/content/0/text")).isEqualTo("First.");
        assertThat(at(all, "/data/2")).isEmpty();
        assertThat(at(all, "/has_more")).isEqualTo("false");
        HttpResponse<String> page = get(server, items + "?order=asc&limit=1");
        assertThat(at(page, "/data/0/content/0/text")).isEqualTo("First.");
        assertThat(at(page, "/has_more")).isEqualTo("true");
        HttpResponse<String> next = get(server, items + "?order=asc&limit=1&after=" + at(page, "/last_id"));
        assertThat(at(next, "/data/0/content/0/text")).isEqualTo("Second.");
        assertThat(at(get(server, RESPONSES + "/" + second + "/input_items"), "/data/0/content/0/text"))
                .isEqualTo("Write.");
        for (String wrong : List.of("order=up", "limit=0", "limit=101", "after=x")) {
            HttpResponse<String> rejected = get(server, items + "?" + wrong);
            assertThat(rejected.statusCode()).isEqualTo(400);
            assertThat(at(rejected, "/error/param")).isEqualTo(wrong.replaceAll("=.*", ""));
        }
        HttpResponse<String> deleted =
                send(request(server, RESPONSES + "/" + first).DELETE().build());
        assertThat(at(deleted, "/id")).isEqualTo(first);
        assertThat(at(deleted, "/deleted")).isEqualTo("true");
        assertThat(get(server, RESPONSES + "/" + first).statusCode()).isEqualTo(404);
        assertThat(send(request(server, RESPONSES + "/" + first).DELETE().build())
                        .statusCode())
                .isEqualTo(404);
        assertThat(get(server, RESPONSES + "/" + second).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void aResponseThatHasNotEndedIsNotDeleted(HttpBinding binding) {
        script.on("writer").hangs();
        ChargehandServer server = serve(binding);
        String path = RESPONSES + "/" + at(post(server, RESPONSES, response("writer", "background", true)), "/id");
        HttpResponse<String> early = send(request(server, path).DELETE().build());
        assertThat(early.statusCode()).isEqualTo(409);
        assertThat(at(early, "/error/code")).isEqualTo("not-ended");
    }

    @ParameterizedTest
    @EnumSource
    void theInputOfAResponseNeedsTheScopesOfItsRunAndItsThread(HttpBinding binding) {
        script.on("writer").says("One.");
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, builder -> builder.binding(binding)
                .addPrincipals(token -> Optional.of(new Principal(
                        "ann",
                        Store.LOCAL,
                        Optional.of("ann"),
                        token.equals("all") ? EnumSet.allOf(Scope.class) : EnumSet.of(Scope.valueOf(token))))));
        String all = "Bearer all";
        String id = at(post(server, RESPONSES, response("writer"), "Authorization", all), "/id");
        Map<String, Integer> answers = Map.of("all", 200, "RUNS_READ", 403, "THREADS_READ", 403);
        answers.forEach((token, status) -> assertThat(send(request(server, RESPONSES + "/" + id + "/input_items")
                                .header("Authorization", "Bearer " + token)
                                .build())
                        .statusCode())
                .as(token)
                .isEqualTo(status));
    }
}
