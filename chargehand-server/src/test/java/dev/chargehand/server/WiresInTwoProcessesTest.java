package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs that start at one server and are answered and read at another one, on the same database. */
@Timeout(120)
class WiresInTwoProcessesTest extends ServerFixture {

    @TempDir
    private Path folder;

    private ChargehandServer server(HttpBinding binding) {
        return serve(runtime(JdbcStore.sqlite(folder.resolve(binding + ".db"))), builder -> builder.binding(binding));
    }

    private static List<String> data(HttpResponse<String> stream) {
        return stream.body()
                .lines()
                .filter(line -> line.startsWith("data: "))
                .map(line -> line.substring(6))
                .toList();
    }

    private static Json first(List<String> data, String type) {
        return data.stream()
                .filter(line -> line.contains("\"type\":\"" + type + "\""))
                .map(Json::parse)
                .findFirst()
                .orElseThrow(() -> new AssertionError("No " + type + " in " + data));
    }

    private static String text(Json json, String pointer) {
        return json.at(pointer).flatMap(Json::string).orElseThrow(() -> new AssertionError(pointer + " " + json));
    }

    /** Leave out parts of texts, which arrive together from the store. */
    private static List<String> withoutParts(List<String> data) {
        return data.stream()
                .filter(line -> !line.contains("\"type\":\"response.output_text.delta\""))
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void aChatOfTheAiSdkIsApprovedAtAnotherServer(HttpBinding binding) {
        script.on("clerk").calls("pay", Map.of("amount", 7)).then().says("Paid.");
        ChargehandServer one = server(binding);
        ChargehandServer two = server(binding);
        Map<String, Object> said = Map.of("role", "user", "parts", List.of(Map.of("type", "text", "text", "Pay.")));
        List<String> asked = data(post(one, "/ai-sdk/clerk", Map.of("id", "c", "messages", List.of(said))));
        Json request = first(asked, "tool-approval-request");
        Map<String, Object> part = Map.of(
                "state",
                "approval-responded",
                "approval",
                Map.of("id", text(request, "/approvalId"), "approved", true));
        Map<String, Object> answer = Map.of("role", "assistant", "parts", List.of(part));
        List<String> rest = data(post(two, "/ai-sdk/clerk", Map.of("id", "c", "messages", List.of(said, answer))));
        assertThat(text(first(rest, "start"), "/messageId")).isEqualTo(text(first(asked, "start"), "/messageId"));
        assertThat(text(first(rest, "tool-output-available"), "/output")).isEqualTo("paid 7");
        assertThat(text(first(rest, "text-delta"), "/delta")).isEqualTo("Paid.");
        assertThat(rest).last().isEqualTo("[DONE]");
        assertThat(paid).containsExactly(7);
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptOfAgUiIsResolvedAtAnotherServer(HttpBinding binding) {
        script.on("clerk").calls("pay", Map.of("amount", 7)).then().says("Paid.");
        ChargehandServer one = server(binding);
        ChargehandServer two = server(binding);
        Map<String, Object> said = Map.of("role", "user", "content", "Pay.");
        Map<String, Object> body = Map.of("threadId", "t", "runId", "r1", "messages", List.of(said));
        List<String> asked = data(post(one, "/ag-ui/clerk", body));
        assertThat(data(post(two, "/ag-ui/clerk", body)))
                .as("the same run by its id, read by another process")
                .last()
                .asString()
                .contains("interrupt");
        String id = text(first(asked, "RUN_FINISHED"), "/outcome/interrupts/0/id");
        Map<String, Object> entry =
                Map.of("interruptId", id, "status", "resolved", "payload", Map.of("approved", true));
        List<String> rest = data(post(
                two,
                "/ag-ui/clerk",
                Map.of("threadId", "t", "runId", "r2", "messages", List.of(said), "resume", List.of(entry))));
        assertThat(text(Json.parse(rest.getFirst()), "/type")).isEqualTo("RUN_STARTED");
        assertThat(text(first(rest, "TOOL_CALL_RESULT"), "/content")).isEqualTo("paid 7");
        assertThat(text(first(rest, "RUN_FINISHED"), "/outcome/type")).isEqualTo("success");
        assertThat(paid).containsExactly(7);
    }

    @ParameterizedTest
    @EnumSource
    void aResponseIsStreamedAtAnotherServerAfterAnyEvent(HttpBinding binding) {
        CountDownLatch end = new CountDownLatch(1);
        script.on("clerk")
                .streams("I ", "ask.")
                .and()
                .delegates("writer", "Write.")
                .then()
                .streams("All ", "done.");
        script.on("writer").waitsFor(end).and().says("A letter.");
        ChargehandServer one = server(binding);
        ChargehandServer two = server(binding);
        HttpResponse<String> queued =
                post(one, "/v1/responses", Map.of("model", "clerk", "input", "Write.", "background", true));
        end.countDown();
        String path = "/v1/responses/" + at(queued, "/id") + "?stream=true";
        List<String> whole = data(get(two, path));
        assertThat(text(Json.parse(whole.getLast()), "/type")).isEqualTo("response.completed");
        assertThat(Json.parse(whole.getLast())
                        .at("/response/usage/total_tokens")
                        .map(Json::text))
                .contains("45");
        for (int i = 0; i < whole.size(); i++) {
            String number = Json.parse(whole.get(i))
                    .at("/sequence_number")
                    .orElseThrow()
                    .text();
            List<String> rest = data(get(i % 2 == 0 ? one : two, path + "&starting_after=" + number));
            assertThat(withoutParts(rest)).as("after " + i).isEqualTo(withoutParts(whole.subList(i + 1, whole.size())));
        }
    }
}
