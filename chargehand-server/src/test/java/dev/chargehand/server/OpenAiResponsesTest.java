package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Responses as OpenAI's clients send and read them. A stream that does not end as it must fails the test by its time. */
@Timeout(120)
class OpenAiResponsesTest extends ServerFixture {

    private static final String RESPONSES = "/v1/responses";

    private static Map<String, Object> response(String model, Object... more) {
        Map<String, Object> body = new HashMap<>();
        body.put("model", model);
        body.put("input", "Write.");
        for (int i = 0; i < more.length; i += 2) {
            body.put((String) more[i], more[i + 1]);
        }
        return body;
    }

    private static List<Json> events(String stream) {
        return stream.lines()
                .filter(line -> line.startsWith("data: "))
                .map(line -> Json.parse(line.substring(6)))
                .toList();
    }

    private static List<String> types(List<Json> events) {
        return events.stream()
                .map(event -> event.at("/type").flatMap(Json::string).orElse(""))
                .toList();
    }

    private static long number(Json event) {
        return Long.parseLong(event.at("/sequence_number").orElseThrow().text());
    }

    @ParameterizedTest
    @EnumSource
    void aResponseIsARunThatIsReadAgainAndContinued(HttpBinding binding) {
        script.on("writer").says("One.").then().says("Two.");
        ChargehandServer server = serve(binding);
        HttpResponse<String> first = post(server, RESPONSES, response("writer"));
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(at(first, "/status")).isEqualTo("completed");
        assertThat(at(first, "/output/0/content/0/text")).isEqualTo("One.");
        String id = at(first, "/id");
        HttpResponse<String> again = get(server, RESPONSES + "/" + id);
        assertThat(at(again, "/output")).isEqualTo(at(first, "/output"));
        assertThat(at(again, "/usage")).isEqualTo(at(first, "/usage"));
        HttpResponse<String> second = post(
                server, RESPONSES, response("writer", "previous_response_id", id, "metadata", Map.of("order", "o-7")));
        assertThat(at(second, "/previous_response_id")).isEqualTo(id);
        assertThat(at(second, "/metadata/order")).isEqualTo("o-7");
        assertThat(at(second, "/output/0/content/0/text")).isEqualTo("Two.");
        HttpResponse<String> secondAgain = get(server, RESPONSES + "/" + at(second, "/id"));
        assertThat(at(secondAgain, "/previous_response_id")).isEqualTo(id);
        assertThat(at(secondAgain, "/metadata")).isEqualTo(at(second, "/metadata"));
        assertThat(at(again, "/metadata")).isEqualTo("{}");
        assertThat(script.requests().getLast().messages())
                .extracting(m -> m.text())
                .contains("One.");
    }

    @ParameterizedTest
    @EnumSource
    void aReaderContinuesAfterEveryEvent(HttpBinding binding) {
        script.on("clerk")
                .streams("I ", "ask.")
                .and()
                .delegates("writer", "Write.")
                .then()
                .streams("All ", "done.")
                .on("writer")
                .says("Secret.");
        ChargehandServer server = serve(binding);
        List<Json> live = events(
                post(server, RESPONSES, response("clerk", "stream", true)).body());
        assertThat(types(live)).startsWith("response.created", "response.in_progress", "response.output_item.added");
        assertThat(types(live)).endsWith("response.output_item.done", "response.completed");
        List<Long> numbers = live.stream().map(OpenAiResponsesTest::number).toList();
        assertThat(numbers).isSorted().doesNotHaveDuplicates();
        String id = live.getFirst().at("/response/id").flatMap(Json::string).orElseThrow();
        for (int i = 0; i < live.size(); i++) {
            String path = RESPONSES + "/" + id + "?stream=true&starting_after=" + numbers.get(i);
            List<Json> rest = events(get(server, path).body());
            List<Json> expected = new ArrayList<>(live.subList(i + 1, live.size()));
            expected.removeIf(event -> types(List.of(event)).getFirst().endsWith(".delta"));
            rest = new ArrayList<>(rest);
            rest.removeIf(event -> types(List.of(event)).getFirst().endsWith(".delta"));
            assertThat(types(rest)).as("after " + i).isEqualTo(types(expected));
            assertThat(rest.stream().map(OpenAiResponsesTest::number))
                    .isEqualTo(
                            expected.stream().map(OpenAiResponsesTest::number).toList());
        }
        HttpResponse<String> bad = get(server, RESPONSES + "/" + id + "?stream=true&starting_after=x");
        assertThat(at(bad, "/error/code")).isEqualTo("bad-cursor");
    }

    @ParameterizedTest
    @EnumSource
    void aBackgroundResponseIsReadLater(HttpBinding binding) {
        CountDownLatch end = new CountDownLatch(1);
        script.on("writer").waitsFor(end).and().says("Late.");
        ChargehandServer server = serve(binding);
        HttpResponse<String> queued = post(server, RESPONSES, response("writer", "background", true));
        assertThat(at(queued, "/status")).isEqualTo("queued");
        String id = at(queued, "/id");
        assertThat(at(get(server, RESPONSES + "/" + id), "/status")).isIn("queued", "in_progress");
        end.countDown();
        List<Json> events =
                events(get(server, RESPONSES + "/" + id + "?stream=true").body());
        assertThat(types(events)).endsWith("response.completed");
        assertThat(at(get(server, RESPONSES + "/" + id), "/output/0/content/0/text"))
                .isEqualTo("Late.");
    }

    @ParameterizedTest
    @EnumSource
    void aResponseIsCancelled(HttpBinding binding) {
        script.on("writer").hangs();
        ChargehandServer server = serve(binding);
        String id = at(post(server, RESPONSES, response("writer", "background", true)), "/id");
        HttpResponse<String> cancelled = post(server, RESPONSES + "/" + id + "/cancel", Map.of());
        assertThat(at(cancelled, "/status")).isEqualTo("cancelled");
        List<Json> events =
                events(get(server, RESPONSES + "/" + id + "?stream=true").body());
        assertThat(types(events)).endsWith("response.failed");
        assertThat(at(get(server, RESPONSES + "/" + id), "/status")).isEqualTo("cancelled");
    }

    @ParameterizedTest
    @EnumSource
    void aRunThatWaitsForAHumanIsAConflictOrAnIncompleteResponse(HttpBinding binding) {
        script.on("clerk").calls("pay", Map.of("amount", 7)).then().calls("pay", Map.of("amount", 8));
        ChargehandServer server = serve(binding);
        HttpResponse<String> whole = post(server, RESPONSES, response("clerk"));
        assertThat(whole.statusCode()).isEqualTo(409);
        assertThat(at(whole, "/error/code")).isEqualTo("suspended");
        List<Json> events = events(
                post(server, RESPONSES, response("clerk", "stream", true)).body());
        assertThat(types(events)).endsWith("response.incomplete");
        assertThat(events.getLast().at("/response/error/approvals/0")).isPresent();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsNotOfferedIsRejectedWithTheNameOfTheParameter(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        Map<String, Map<String, Object>> wrong = new HashMap<>();
        wrong.put("store", response("writer", "store", false));
        wrong.put("tools[0].type", response("writer", "tools", List.of(Map.of("type", "web_search"))));
        wrong.put("include", response("writer", "include", List.of("message.output_text.logprobs")));
        wrong.put("top_logprobs", response("writer", "top_logprobs", 2));
        wrong.put("prompt", response("writer", "prompt", Map.of("id", "pmpt_1")));
        wrong.put("max_tool_calls", response("writer", "max_tool_calls", 2));
        wrong.put(
                "context_management", response("writer", "context_management", List.of(Map.of("type", "compaction"))));
        wrong.put("input", response("writer", "input", List.of()));
        wrong.put("input[0].call_id", response("writer", "input", List.of(Map.of("type", "function_call_output"))));
        wrong.put("text.format.type", response("writer", "text", Map.of("format", Map.of("type", "grammar"))));
        wrong.put("metadata", response("writer", "metadata", Map.of("k", "x".repeat(513))));
        wrong.put("input[0].type", response("writer", "input", List.of(Map.of("type", "file"))));
        wrong.put("conversation", response("writer", "conversation", 7));
        wrong.forEach((param, body) -> {
            HttpResponse<String> answer = post(server, RESPONSES, body);
            assertThat(answer.statusCode()).as(param).isEqualTo(400);
            assertThat(at(answer, "/error/param")).isEqualTo(param);
        });
        HttpResponse<String> reserved =
                post(server, RESPONSES, response("writer", "metadata", Map.of("chargehand.previousResponse", "x")));
        assertThat(at(reserved, "/error/message")).contains("'chargehand.'");
        HttpResponse<String> previous =
                post(server, RESPONSES, response("writer", "previous_response_id", "resp_run_absent"));
        assertThat(previous.statusCode()).isEqualTo(404);
        assertThat(at(previous, "/error/param")).isEqualTo("previous_response_id");
        HttpResponse<String> both = post(
                server, RESPONSES, response("writer", "previous_response_id", "resp_run_absent", "conversation", "c"));
        assertThat(at(both, "/error/param")).isEqualTo("conversation");
        assertThat(get(server, RESPONSES + "/run_absent").statusCode()).isEqualTo(404);
        assertThat(script.requests()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void whatNoResponseHasMayBeIncluded(HttpBinding binding) {
        script.on("writer").says("One.");
        ChargehandServer server = serve(binding);
        HttpResponse<String> made = post(
                server,
                RESPONSES,
                response("writer", "include", List.of("reasoning.encrypted_content"), "top_logprobs", 0));
        assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
        String path = RESPONSES + "/" + at(made, "/id");
        assertThat(get(server, path + "?include=reasoning.encrypted_content").statusCode())
                .isEqualTo(200);
        assertThat(get(server, path + "?include=message.output_text.logprobs").statusCode())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerIsNamedByItsItem(HttpBinding binding) {
        script.on("writer").says("One.").then().says("Two.");
        ChargehandServer server = serve(binding);
        HttpResponse<String> made = post(server, RESPONSES, response("writer"));
        List<Map<String, Object>> input = List.of(
                Map.of("role", "user", "content", "Write."),
                Map.of("type", "item_reference", "id", "rs_run_1_1"),
                Map.of("id", at(made, "/output/0/id")),
                Map.of("role", "user", "content", "More."));
        HttpResponse<String> next = post(server, RESPONSES, response("writer", "input", input));
        assertThat(next.statusCode()).as(next.body()).isEqualTo(200);
        assertThat(script.requests().getLast().messages().stream().map(Message::text))
                .containsExactly("Write well.", "Write.", "One.", "More.");
        for (String id : List.of("msg_1", "msg_run_absent_1", at(made, "/output/0/id") + "1")) {
            HttpResponse<String> absent = post(
                    server,
                    RESPONSES,
                    response("writer", "input", List.of(Map.of("id", id), Map.of("role", "user", "content", "More."))));
            assertThat(absent.statusCode()).as(absent.body()).isEqualTo(404);
            assertThat(at(absent, "/error/param")).isEqualTo("input");
        }
        List<Map<String, Object>> many =
                Collections.nCopies(101, Map.of("type", "item_reference", "id", at(made, "/output/0/id")));
        HttpResponse<String> tooMany = post(server, RESPONSES, response("writer", "input", many));
        assertThat(tooMany.statusCode()).as(tooMany.body()).isEqualTo(400);
        assertThat(at(tooMany, "/error/message")).contains("at most 100 items");
    }
}
