package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A part of a message that no agent reads is rejected in the words of the client's own protocol. */
class PartsOfWiresTest extends ServerFixture {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /v1/chat/completions | user      | file        | 'text' or 'image_url'
            /v1/chat/completions | assistant | image_url   | 'text' or 'refusal'
            /v1/responses        | user      | input_file  | 'input_text' or 'input_image'
            /v1/responses        | system    | input_file  | 'input_text'
            /v1/responses        | assistant | input_image | 'output_text' or 'refusal'
            /ag-ui/writer        | user      | audio       | 'text' or 'image'
            /api/agents/writer/generate | user | audio     | 'text' or 'image' or 'file'
            """)
    void aPartOfAnotherKindIsRejectedWithTheKindsOfTheWire(String path, String role, String type, String allowed) {
        Store store = InMemoryStore.keepingEndedRuns();
        ChargehandServer server = serve(runtime(store), builder -> builder);
        String messages = "[{\"role\":\"" + role + "\",\"id\":\"m\",\"content\":[{\"type\":\"" + type + "\"}]},"
                + "{\"role\":\"user\",\"id\":\"n\",\"content\":\"Write.\"}]";
        String field = path.equals("/v1/responses") ? "input" : "messages";
        HttpResponse<String> answer = send(request(server, path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{" + (path.startsWith("/v1") ? "\"model\":\"writer\"," : "")
                        + (path.startsWith("/ag-ui") ? "\"threadId\":\"t\",\"runId\":\"r\"," : "") + "\"" + field
                        + "\":" + messages + "}"))
                .build());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains("must be " + allowed + ": other parts are not offered");
        assertThat(store.list(RunFilter.ALL)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /v1/chat/completions | messages | text
            /v1/chat/completions | messages | input_text
            /v1/responses        | input    | text
            /v1/responses        | input    | input_text
            """)
    void theNamesOfTextsOfBothProtocolsAreRead(String path, String field, String type) {
        script.on("writer").says("Done.");
        ChargehandServer server = serve(HttpBinding.HELIDON);
        HttpResponse<String> answer = send(request(server, path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"model\":\"writer\",\"" + field
                        + "\":[{\"role\":\"user\",\"content\":[{\"type\":\"" + type + "\",\"text\":\"Write.\"}]}]}"))
                .build());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(script.requests().getFirst().messages().getLast().text()).isEqualTo("Write.");
    }
}
