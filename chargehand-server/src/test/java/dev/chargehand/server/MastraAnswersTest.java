package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.error.ModelException;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole answers and chunks have the fields that the types of Mastra's client require. */
@Timeout(120)
class MastraAnswersTest extends ServerFixture {

    private static final Map<String, Object> ASK = Map.of("messages", "Please.");

    private static List<Json> chunks(HttpResponse<String> stream) {
        return stream.body()
                .lines()
                .filter(line -> line.startsWith("data: {"))
                .map(line -> Json.parse(line.substring("data: ".length())))
                .toList();
    }

    private static Json only(List<Json> chunks, String type) {
        assertThat(chunks).isNotEmpty();
        return chunks.stream()
                .filter(chunk -> chunk.at("/type").flatMap(Json::string).equals(Optional.of(type)))
                .reduce((first, last) -> last)
                .orElseThrow(() -> new AssertionError("No " + type + " in " + chunks))
                .at("/payload")
                .orElseThrow();
    }

    private static String text(Json json, String pointer) {
        return json.at(pointer)
                .map(value -> value.string().orElse(value.text()))
                .orElse("");
    }

    @ParameterizedTest
    @EnumSource
    void aGeneratedAnswerHasItsStepsAndMessages(HttpBinding binding) {
        script.on("clerk")
                .says("I pay.")
                .and()
                .calls("pay", Map.of("amount", 7))
                .then()
                .says("Paid.");
        ChargehandServer server = serve(binding);
        HttpResponse<String> waiting = post(server, "/api/agents/clerk/generate", ASK);
        assertThat(at(waiting, "/finishReason")).isEqualTo("suspended");
        assertThat(at(waiting, "/steps/0/toolCalls/0/payload/toolName")).isEqualTo("pay");
        Json decision = Json.parse(at(waiting, "/suspendPayload/resumeSchema")); // it is a text
        assertThat(text(decision, "/properties/approved/type")).isEqualTo("boolean");
        assertThat(at(waiting, "/totalUsage/totalTokens")).isEqualTo(at(waiting, "/usage/totalTokens"));
        HttpResponse<String> answer = post(
                server,
                "/api/agents/clerk/approve-tool-call-generate",
                Map.of("runId", at(waiting, "/runId"), "toolCallId", at(waiting, "/suspendPayload/toolCallId")));
        assertThat(at(answer, "/text")).as(answer.body()).isEqualTo("Paid.");
        assertThat(at(answer, "/steps/0/text")).isEqualTo("I pay.");
        assertThat(at(answer, "/steps/0/stepType")).isEqualTo("initial");
        assertThat(at(answer, "/steps/0/finishReason")).isEqualTo("tool-calls");
        assertThat(at(answer, "/steps/0/toolResults/0/payload/result")).isEqualTo("paid 7");
        assertThat(at(answer, "/steps/0/toolResults/0/payload/args/amount")).isEqualTo("7");
        assertThat(at(answer, "/steps/1/text")).isEqualTo("Paid.");
        assertThat(at(answer, "/steps/1/response/messages/0/content/0/text")).isEqualTo("Paid.");
        assertThat(at(answer, "/toolResults/0/payload/result")).isEqualTo("paid 7");
        assertThat(at(answer, "/response/messages/0/content/1/type")).isEqualTo("tool-call");
        assertThat(at(answer, "/response/messages/1/role")).isEqualTo("tool");
        assertThat(at(answer, "/response/messages/2/content/0/text")).isEqualTo("Paid.");
        assertThat(at(answer, "/messages/0/content/parts/1/toolInvocation/result"))
                .isEqualTo("paid 7");
        for (String list : List.of("warnings", "sources", "files", "reasoning", "rememberedMessages")) {
            assertThat(at(answer, "/" + list)).as(list).isEqualTo("[]");
        }
    }

    @ParameterizedTest
    @EnumSource
    void theMessagesOfAnAnswerCanBeSentAgain(HttpBinding binding) {
        script.on("clerk")
                .reasons("Hm.")
                .and()
                .says("I pay.")
                .and()
                .calls("pay", Map.of("amount", 7))
                .then()
                .says("Paid.")
                .then()
                .says("Yes.")
                .forever();
        ChargehandServer server = serve(binding);
        HttpResponse<String> waiting = post(server, "/api/agents/clerk/generate", ASK);
        HttpResponse<String> answer =
                post(server, "/api/agents/clerk/approve-tool-call-generate", Map.of("runId", at(waiting, "/runId")));
        for (String form : List.of("/response/messages", "/messages")) {
            List<Object> messages = new ArrayList<>(
                    List.of(Json.parse(answer.body()).at(form).orElseThrow().as(Object[].class)));
            messages.addFirst(Map.of("role", "user", "content", "Pay."));
            messages.add(Map.of("role", "user", "content", "Sure?"));
            HttpResponse<String> again = post(server, "/api/agents/clerk/generate", Map.of("messages", messages));
            assertThat(at(again, "/text")).as(form + again.body()).isEqualTo("Yes.");
            String said = script.requestsOf("clerk").getLast().messages().stream()
                    .map(Message::text)
                    .collect(Collectors.joining());
            assertThat(said).as(form).endsWith("I pay.Paid.Sure?");
        }
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerHasTheMessageOfItsRequest(HttpBinding binding) {
        script.on("writer").says("Done.").forever();
        ChargehandServer server = serve(binding);
        HttpResponse<String> answer = post(server, "/api/agents/writer/generate", ASK);
        assertThat(at(answer, "/messages/0/content/parts/0/text")).isEqualTo("Please.");
        assertThat(at(answer, "/messages/1/content/parts/0/text")).isEqualTo("Done.");
        Json finish = only(chunks(post(server, "/api/agents/writer/stream", ASK)), "finish");
        assertThat(text(finish, "/messages/user/0/content")).isEqualTo("Please.");
        assertThat(text(finish, "/messages/all/1/content/0/text")).isEqualTo("Done.");
        assertThat(text(finish, "/messages/nonUser/0/role")).isEqualTo("assistant");
    }

    @ParameterizedTest
    @EnumSource
    void aRunThatFailsHasAWholeFinish(HttpBinding binding) {
        script.on("writer").failsWith(new ModelException(ModelException.Kind.AUTHENTICATION, "No.", null));
        List<Json> chunks = chunks(post(serve(binding), "/api/agents/writer/stream", ASK));
        assertThat(text(only(chunks, "error"), "/error/code")).isEqualTo("model-authentication");
        Json finish = only(chunks, "finish");
        assertThat(text(finish, "/stepResult/reason")).isEqualTo("error");
        assertThat(finish.at("/output/usage/totalTokens")).isPresent();
        assertThat(finish.at("/messages/nonUser")).isPresent();
    }

    @ParameterizedTest
    @EnumSource
    void aDeniedCallHasItsArgumentsAndTheAnswer(HttpBinding binding) {
        script.on("clerk").calls("pay", Map.of("amount", 7)).then().says("Not paid.");
        ChargehandServer server = serve(binding);
        HttpResponse<String> waiting = post(server, "/api/agents/clerk/generate", ASK);
        List<Json> chunks = chunks(post(
                server,
                "/api/agents/clerk/decline-tool-call",
                Map.of("runId", at(waiting, "/runId"), "reason", "Too much.")));
        Json denied = only(chunks, "tool-output-denied");
        assertThat(text(denied, "/approval/approved")).isEqualTo("false");
        assertThat(text(denied, "/approval/reason")).contains("Too much.");
        assertThat(text(denied, "/args/amount")).isEqualTo("7");
    }

    @ParameterizedTest
    @EnumSource
    void runsThatWaitAreListedByThreadTimeAndPage(HttpBinding binding) {
        script.on("clerk").calls("pay", Map.of("amount", 7)).forever();
        ChargehandServer server = serve(binding);
        for (String thread : List.of("a", "b")) {
            post(
                    server,
                    "/api/agents/clerk/generate",
                    Map.of("messages", "Pay.", "memory", Map.of("thread", thread, "resource", "ann")));
        }
        String list = "/api/agents/clerk/suspended-runs";
        HttpResponse<String> of = get(server, list + "?threadId=a&resourceId=ann");
        assertThat(at(of, "/total")).as(of.body()).isEqualTo("1");
        assertThat(at(of, "/runs/0/threadId")).isEqualTo("a");
        assertThat(at(of, "/runs/0/status")).isEqualTo("suspended");
        assertThat(at(of, "/runs/0/toolCalls/0/requiresApproval")).isEqualTo("true");
        assertThat(at(get(server, list + "?perPage=1&page=1"), "/total")).isEqualTo("2");
        assertThat(at(get(server, list + "?perPage=1&page=2"), "/runs")).isEqualTo("[]");
        assertThat(at(get(server, list + "?toDate=2020-01-01T00:00:00Z"), "/total"))
                .isEqualTo("0");
        assertThat(get(server, list + "?fromDate=never").statusCode()).isEqualTo(400);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsNotKeptIsAnEmptyList(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        assertThat(get(server, "/api/agents/writer/voice/speakers").body()).isEqualTo("[]");
        assertThat(at(get(server, "/api/agents/writer/voice/listener"), "/enabled"))
                .isEqualTo("false");
        assertThat(get(server, "/api/agents/nobody/voice/speakers").statusCode())
                .isEqualTo(404);
        assertThat(at(get(server, "/api/logs?transportId=t"), "/hasMore")).isEqualTo("false");
        assertThat(at(get(server, "/api/observability/traces"), "/pagination/total"))
                .isEqualTo("0");
        assertThat(at(get(server, "/api/scores/run/r?page=0&perPage=5"), "/pagination/perPage"))
                .isEqualTo("5");
        assertThat(get(server, "/api/scores/scorers").body()).isEqualTo("{}");
        for (String list : List.of("logs", "branches", "feedback", "traces/t/s/scores")) {
            assertThat(at(get(server, "/api/observability/" + list + "?page=1"), "/pagination/page"))
                    .as(list)
                    .isEqualTo("1");
        }
        assertThat(get(server, "/api/observability/discovery/service-names").body())
                .isEqualTo("{\"serviceNames\":[]}");
        assertThat(get(server, "/api/observability/traces/t").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @EnumSource
    void aQueryOfTracesHasThePageThatItAsksFor(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        String path = "/api/observability/traces/query";
        assertThat(post(server, path, Map.of()).body()).contains("\"page\":{\"next\":null}", "\"traces\":[]");
        HttpResponse<String> page = post(server, path, Map.of("pagination", Map.of("page", 2, "perPage", 5)));
        assertThat(at(page, "/pagination/page")).isEqualTo("2");
        assertThat(at(page, "/pagination/perPage")).isEqualTo("5");
        HttpResponse<String> delta = post(server, path, Map.of("mode", "delta", "limit", 3, "after", "c"));
        assertThat(at(delta, "/delta/limit")).isEqualTo("3");
        assertThat(at(delta, "/deltaCursor")).isEqualTo("c");
        assertThat(post(server, path, Map.of("pagination", 1)).statusCode()).isEqualTo(400);
        assertThat(at(post(server, path + "/values", Map.of("path", "p")), "/valuesTruncated"))
                .isEqualTo("false");
        assertThat(at(post(server, path + "/fields", Map.of()), "/observedFieldsTruncated"))
                .isEqualTo("false");
        assertThat(post(server, "/api/observability/threads/query", Map.of()).body())
                .contains("\"threads\":[]", "\"page\":{\"next\":null}");
    }

    @ParameterizedTest
    @EnumSource
    void aRunThatWaitsIsStreamedIfItIsToBeRecovered(HttpBinding binding) {
        script.on("clerk").calls("pay", Map.of("amount", 7));
        script.on("writer").says("One.");
        ChargehandServer server = serve(binding);
        String run = at(post(server, "/api/agents/clerk/generate", Map.of("messages", "Pay.")), "/runId");
        HttpResponse<String> stream = post(server, "/api/agents/clerk/recover", Map.of("runId", run));
        assertThat(stream.body()).contains("\"type\":\"start\"", "\"type\":\"tool-call-approval\"", "[DONE]");
        String ended = at(post(server, "/api/agents/writer/generate", Map.of("messages", "Write.")), "/runId");
        assertThat(post(server, "/api/agents/writer/recover", Map.of("runId", ended))
                        .statusCode())
                .isEqualTo(409);
        assertThat(post(server, "/api/agents/writer/recover", Map.of("runId", run))
                        .statusCode())
                .isEqualTo(404);
    }
}
