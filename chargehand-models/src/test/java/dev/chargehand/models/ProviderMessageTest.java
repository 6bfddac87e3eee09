package dev.chargehand.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.error.ModelException;
import dev.chargehand.error.ModelException.Kind;
import dev.chargehand.model.Model;
import dev.chargehand.testkit.provider.reply.Reply;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A provider's explanation of a fault is kept, marked as its words, bounded and without secrets. */
@Timeout(60)
class ProviderMessageTest {

    @AutoClose
    private final Loopback wire = new Loopback();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{\"error\":{\"message\":\"use max_completion_tokens\",\"code\":\"unsupported_parameter\"}}",
                "{\"error\":\"use max_completion_tokens\"}",
                "[{\"error\":{\"code\":400,\"message\":\"use max_completion_tokens\"}}]",
                "{\"object\":\"error\",\"message\":\"use max_completion_tokens\"}",
                "{\"message\":\"use max_completion_tokens\",\"request_id\":\"r\"}",
                "{\"Message\":\"use max_completion_tokens\"}",
                "{\"detail\":\"use max_completion_tokens\"}",
                "{\"detail\":[{\"loc\":[\"body\"],\"msg\":\"use max_completion_tokens\"}]}",
                "{\"errors\":[{\"message\":\"use max_completion_tokens\"}]}",
                "use max_completion_tokens",
                "<html><head><style>p{}</style></head><body><p>use max_completion_tokens</p></body></html>"
            })
    void itIsFoundInEveryUsualBody(String body) {
        ModelException e = wire.fail(Reply.status(400).body(body));
        assertThat(e.providerMessage()).contains("use max_completion_tokens");
        assertThat(e)
                .hasMessageContaining("400")
                .hasMessageEndingWith("The provider says: \"use max_completion_tokens\"");
        assertThat(e.publicMessage()).contains("400").doesNotContain("max_completion_tokens");
    }

    @Test
    void itIsFoundInTheStream() {
        ModelException e = wire.fail(
                Reply.sse().role().text("a").error("The engine overheated", 500).done());
        assertThat(e.providerMessage()).contains("The engine overheated");
    }

    @Test
    void itIsOneBoundedLineWithoutControlCharacters() {
        ModelException e = wire.fail(Reply.status(400)
                .body("{\"error\":{\"message\":\"a\\r\\nb\\u001b[31m c\\u202ed" + "x".repeat(5_000) + "\"}}"));
        String words = e.providerMessage().orElseThrow();
        assertThat(words).startsWith("a b [31m c dxxx").hasSize(1_000).endsWith("\u2026");
    }

    @Test
    void aBodyWithoutWordsSaysNothing() {
        assertThat(wire.fail(Reply.status(500)).providerMessage()).isEmpty();
        assertThat(wire.fail(Reply.status(500).body("{}")).providerMessage()).isEmpty();
        assertThat(wire.fail(Reply.status(500).body("  \n ")).providerMessage()).isEmpty();
    }

    @Test
    void secretsThatAProviderRepeatsAreNotInIt() {
        try (OpenAiCompatibleProvider provider = OpenAiCompatibleProvider.builder()
                .provider("gw", wire.provider.baseUrl(), "sk-canary-key-1")
                .header("gw", "X-Gateway", "canary-gateway-2")
                .header("gw", "Proxy-Authorization", "Bearer canary-token-3")
                .build()) {
            Model model = provider.find("gw/m").orElseThrow();
            String echo = "Authorization: Bearer sk-canary-key-1, X-Gateway: canary-gateway-2, token canary-token-3; "
                    + "x".repeat(960) + " sk-canary-key-1";
            for (Reply reply : new Reply[] {
                Reply.error(401, echo),
                Reply.status(400).body(echo),
                Reply.status(502).body("<p>" + echo),
                Reply.sse().error(echo, 500)
            }) {
                wire.provider.enqueue(reply);
                ModelException e = catchThrowableOfType(
                        ModelException.class, () -> model.ask(Loopback.request("Hi"), new Recorder()));
                StringWriter all = new StringWriter();
                e.printStackTrace(new PrintWriter(all));
                assertThat(all.toString()).contains("[redacted]").doesNotContain("canary");
            }
            assertThat(model.secrets()).contains("sk-canary-key-1", "canary-gateway-2", "canary-token-3");
        }
    }

    @Test
    void valuesOfHeadersThatAuthoriseNothingAreNoSecrets() {
        try (OpenAiCompatibleProvider provider = OpenAiCompatibleProvider.builder()
                .provider("gw", wire.provider.baseUrl())
                .header("gw", "X-Title", "Weather agent")
                .header("gw", "User-Agent", "weather/1.0")
                .build()) {
            assertThat(provider.find("gw/m").orElseThrow().secrets()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "404, whatever, check the model's name and the base URL",
        "402, whatever, check the plan and billing",
        "429, insufficient_quota, check the plan and billing",
        "429, rate_limit_exceeded, try again later",
        "407, whatever, check the proxy"
    })
    void whatToDoIsSaid(int status, String code, String advice) {
        ModelException e =
                wire.fail(Reply.status(status).body("{\"error\":{\"code\":\"" + code + "\",\"message\":\"No.\"}}"));
        assertThat(e.publicMessage()).contains(advice);
        assertThat(e.retryable()).isEqualTo(code.equals("rate_limit_exceeded"));
    }

    @Test
    void aRefusedConnectionNamesHostAndPortAndWhatToCheck() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        ModelException e = failAt("http://127.0.0.1:" + port + "/v1");
        assertThat(e.kind()).isEqualTo(Kind.CONNECTION);
        assertThat(e)
                .hasMessageContaining("the connection was refused (127.0.0.1:" + port + "); check that the server");
    }

    @Test
    void anUnknownHostIsNamed() {
        assertThat(failAt("http://no-such-host.invalid/v1"))
                .hasMessageContaining("its host is not known (no-such-host.invalid:80); check the host");
    }

    @Test
    void aServerWithoutTlsIsNamed() throws IOException {
        try (ServerSocket plain = new ServerSocket(0)) {
            Thread.ofVirtual().start(() -> {
                try (Socket socket = plain.accept()) {
                    socket.getOutputStream().write("HTTP/1.1 400 Bad\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                } catch (IOException e) {
                    // The test is over.
                }
            });
            assertThat(failAt("https://127.0.0.1:" + plain.getLocalPort() + "/v1"))
                    .hasMessageContaining("127.0.0.1:" + plain.getLocalPort())
                    .hasMessageContaining("https");
        }
    }

    private static ModelException failAt(String baseUrl) {
        try (OpenAiModel model =
                OpenAiModel.builder().baseUrl(baseUrl).model("m").build()) {
            return catchThrowableOfType(ModelException.class, () -> model.ask(Loopback.request("Hi"), new Recorder()));
        }
    }
}
