package dev.chargehand.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.error.ModelException;
import dev.chargehand.error.ModelException.Kind;
import dev.chargehand.model.EmbeddingRequest;
import dev.chargehand.testkit.provider.Exchange;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.Side;
import dev.chargehand.testkit.provider.reply.Reply;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class EmbeddingFaultTest {

    @AutoClose
    private final LoopbackEmbeddings wire = new LoopbackEmbeddings();

    @ParameterizedTest
    @CsvSource({
        "400, INVALID_REQUEST, false", "401, AUTHENTICATION, false", "402, INVALID_REQUEST, false",
        "403, AUTHENTICATION, false", "404, INVALID_REQUEST, false", "413, TOO_LARGE, false",
        "429, RATE_LIMIT, true", "500, OVERLOADED, true", "503, OVERLOADED, true"
    })
    void eachStatusHasItsKindAndOneRequest(int status, Kind kind, boolean retryable) {
        ModelException e = wire.fail(Reply.error(status, "You wrote: my diary"));
        assertThat(e.kind()).isEqualTo(kind);
        assertThat(e.retryable()).isEqualTo(retryable);
        assertThat(e.providerMessage()).contains("You wrote: my diary");
        assertThat(e.publicMessage()).contains(String.valueOf(status)).doesNotContain("diary");
        assertThat(wire.provider.requestCount()).isEqualTo(1);
    }

    @Test
    void retryAfterIsPassedOn() {
        ModelException e = wire.fail(Reply.error(429, "x").header("Retry-After", "2"));
        assertThat(e.retryAfter()).contains(Duration.ofSeconds(2));
        assertThat(e.retryable()).isTrue();
    }

    @Test
    void aRejectedKeyIsInNoMessageEvenIfTheProviderRepeatsIt() {
        ModelException e = wire.fail(Reply.status(401)
                .body("{\"error\":{\"message\":\"Incorrect API key: " + Loopback.KEY + "\",\"code\":\"" + Loopback.KEY
                        + "\"}}"));
        assertThat(everythingIn(e)).doesNotContain(Loopback.KEY);
        assertThat(everythingIn(wire.fail(
                        Reply.status(200).body("{\"error\":{\"code\":401,\"message\":\"key " + Loopback.KEY + "\"}}"))))
                .doesNotContain(Loopback.KEY)
                .contains("key [redacted]");
    }

    @Test
    void theValueOfAHeaderIsInNoMessageEither() {
        wire.provider.enqueueEmbeddings(Reply.error(403, "the token t-secret-4711 is not allowed"));
        try (OpenAiEmbeddings model = OpenAiEmbeddings.builder()
                .baseUrl(wire.provider.baseUrl())
                .model("e")
                .header("X-Token", "t-secret-4711")
                .build()) {
            ModelException e =
                    catchThrowableOfType(ModelException.class, () -> model.embed(LoopbackEmbeddings.request("a")));
            assertThat(everythingIn(e)).doesNotContain("4711").contains("the token [redacted]");
            assertThat(model.secrets()).containsExactly("t-secret-4711");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 307, 308})
    void aRedirectIsRejectedAndItsTargetReceivesNothing(int status) {
        try (LoopbackProvider elsewhere = LoopbackProvider.start()) {
            String target = "http://127.0.0.1:" + elsewhere.port();
            ModelException e = wire.fail(Reply.redirect(status, target + "/secret/path?token=abc"));
            assertThat(e.kind()).isEqualTo(Kind.PROTOCOL);
            assertThat(e).hasMessageContaining("redirect (" + status + ") to " + target + " was not followed");
            assertThat(everythingIn(e)).doesNotContain("secret").doesNotContain("token");
            assertThat(elsewhere.openConnections()).isZero();
        }
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = ';',
            value = {
                "one vector for two texts; {'data':[{'index':0,'embedding':[1]}]}; 1 vectors for 2 texts",
                "none; {'data':[]}; 0 vectors for 2 texts",
                "three; {'data':[{'embedding':[1]},{'embedding':[2]},{'embedding':[3]}]}; for none of the 2 texts",
                "another index; {'data':[{'index':-1,'embedding':[1]}]}; for none of the 2 texts",
                "twice; {'data':[{'index':1,'embedding':[1]},{'index':1,'embedding':[1]}]}; two vectors for text 2",
                "no index; {'data':[{'index':'1','embedding':[1]}]}; index of a vector is not a number",
                "NaN as text; {'data':[{'embedding':[1,'NaN']},{'embedding':[1,2]}]}; not a number",
                "NaN; {'data':[{'embedding':[1,NaN]},{'embedding':[1,2]}]}; not the JSON it should be",
                "null; {'data':[{'embedding':[null]},{'embedding':[1]}]}; not a number",
                "a list in it; {'data':[{'embedding':[[1]]},{'embedding':[1]}]}; not a number",
                "too large; {'data':[{'embedding':[1e999]},{'embedding':[1]}]}; not a finite number",
                "base64; {'data':[{'embedding':'AACAPw=='},{'embedding':'AACAPw=='}]}; not a list of numbers",
                "no vector; {'data':[{'index':0},{'index':1}]}; has no numbers",
                "empty; {'data':[{'embedding':[]},{'embedding':[]}]}; has no numbers",
                "other length; {'data':[{'embedding':[1,2]},{'embedding':[1]}]}; dimensions, 2 and 1",
                "no objects; {'data':[[1],[2]]}; not an object",
                "no list; {'data':{'embedding':[1]}}; no list of vectors",
                "another document; {'choices':[{'message':{'content':'my diary'}}]}; no list of vectors",
                "a list; [1]; not the JSON it should be",
                "a text; my diary; not the JSON it should be",
                "broken JSON; {'data':[{'embedding':[1]},{'embedding':[2; not the JSON it should be",
                "more after it; {'data':[{'embedding':[1]},{'embedding':[2]}]} {}; not one JSON document"
            })
    void anAnswerThatIsNoneBreaksTheProtocol(String what, String body, String message) {
        ModelException e = wire.fail(Reply.status(200).body(body.replace('\'', '"')));
        assertThat(e.kind()).as(what).isEqualTo(Kind.PROTOCOL);
        assertThat(e.retryable()).isFalse();
        assertThat(e).hasMessageContaining(message);
        assertThat(e.getCause()).isNull();
        assertThat(everythingIn(e)).doesNotContain("diary");
        assertThat(wire.provider.requestCount()).isEqualTo(1);
    }

    @Test
    void vectorsOfOneCallHaveTheSameLengthAlsoOverSeveralRequests() {
        String[] texts = new String[65];
        Arrays.fill(texts, "a");
        wire.provider.enqueueEmbeddings(
                Reply.vectors(Collections.nCopies(64, new float[] {1, 2})), Reply.vectors(List.of(new float[] {1})));
        ModelException e = wire.fail(LoopbackEmbeddings.request(texts));
        assertThat(e.kind()).isEqualTo(Kind.PROTOCOL);
        assertThat(e).hasMessageContaining("2 and 1");
    }

    @Test
    void aLaterRequestThatFailsFailsTheCall() {
        String[] texts = new String[65];
        Arrays.fill(texts, "a");
        wire.provider.enqueueEmbeddings(Reply.vectors(Collections.nCopies(64, new float[] {1})), Reply.error(503, "x"));
        assertThat(wire.fail(LoopbackEmbeddings.request(texts)).kind()).isEqualTo(Kind.OVERLOADED);
        assertThat(wire.provider.requestCount()).isEqualTo(2);
    }

    @Test
    void anErrorInADocumentIsTypedByItsWords() {
        assertThat(wire.fail(Reply.status(200).body("{\"error\":{\"code\":429}}"))
                        .kind())
                .isEqualTo(Kind.RATE_LIMIT);
        assertThat(wire.fail(Reply.status(200)
                                .body("{\"data\":[{\"embedding\":[1]},{\"embedding\":[2]}],\"error\":{\"code\":503}}"))
                        .kind())
                .isEqualTo(Kind.OVERLOADED);
        assertThat(wire.fail(Reply.status(200).body("{\"object\":\"error\",\"type\":\"invalid_request_error\"}"))
                        .kind())
                .isEqualTo(Kind.INVALID_REQUEST);
    }

    @Test
    void aWebPageAndNothingAreNoAnswer() {
        assertThat(wire.fail(Reply.html("<html>my diary"))).satisfies(e -> {
            assertThat(e.kind()).isEqualTo(Kind.PROTOCOL);
            assertThat(everythingIn(e)).contains("text/html").doesNotContain("diary");
        });
        assertThat(wire.fail(Reply.sse().text("a")).kind()).isEqualTo(Kind.PROTOCOL);
        assertThat(wire.fail(Reply.status(200)).kind()).isEqualTo(Kind.EMPTY);
        assertThat(wire.fail(Reply.status(204)).kind()).isEqualTo(Kind.EMPTY);
    }

    @Test
    void aConnectionThatBreaksIsRetryable() {
        assertConnection(Reply.connection().hangUp());
        assertConnection(Reply.connection().reset());
        assertConnection(Reply.status(200)
                .header("Content-Length", "5000")
                .body("{\"data\":[{\"embedding\":[1")
                .hangUp());
    }

    private void assertConnection(Reply reply) {
        ModelException e = wire.fail(reply);
        assertThat(e.kind()).as(e.getMessage()).isEqualTo(Kind.CONNECTION);
        assertThat(e.retryable()).isTrue();
    }

    @Test
    void aServerThatIsNotThereIsAConnectionFault() {
        wire.provider.close();
        ModelException e = wire.fail(LoopbackEmbeddings.request("a"));
        assertThat(e.kind()).isEqualTo(Kind.CONNECTION);
        assertThat(e.retryable()).isTrue();
        assertThat(e).hasMessageContaining("127.0.0.1");
    }

    @Test
    void aBombIsRejectedBeforeItFillsTheHeap() {
        byte[] megabyte = " ".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
        assertThat(wire.fail(Reply.status(200)
                                .header("Content-Type", "application/json")
                                .body(megabyte, 70)
                                .gzip())
                        .kind())
                .isEqualTo(Kind.TOO_LARGE);
    }

    @Test
    void theLimitEndsASlowAnswerAndItsSocketIsClosed() {
        wire.provider.onEmbeddings(request -> Reply.hashedWords(request).delay(Duration.ofSeconds(30)));
        assertTimeout(request(Duration.ofMillis(200), "a"));
        assertClosedByClient(0);
    }

    @Test
    void theLimitEndsAnAnswerThatStalls() {
        wire.provider.enqueueEmbeddings(Reply.status(200)
                .header("Content-Length", "5000")
                .body("{\"data\":[")
                .stall());
        assertTimeout(request(Duration.ofMillis(200), "a"));
        assertClosedByClient(0);
    }

    @Test
    void theLimitIsOfAllRequestsOfACallTogether() {
        String[] texts = new String[65];
        Arrays.fill(texts, "a");
        wire.provider.enqueueEmbeddings(Reply.vectors(Collections.nCopies(64, new float[] {1})), Reply.silence());
        assertTimeout(request(Duration.ofMillis(500), texts));
        assertThat(wire.provider.requestCount()).isEqualTo(2);
        assertClosedByClient(1);
    }

    @Test
    void aServerThatAcceptsNothingEndsAtTheLimit() throws IOException {
        try (ServerSocket deaf = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                OpenAiEmbeddings model = OpenAiEmbeddings.builder()
                        .baseUrl("http://127.0.0.1:" + deaf.getLocalPort() + "/v1")
                        .model("e")
                        .build()) {
            ModelException e =
                    catchThrowableOfType(ModelException.class, () -> model.embed(request(Duration.ofMillis(200), "a")));
            assertThat(e.kind()).isEqualTo(Kind.TIMEOUT);
            assertThat(e.retryable()).isTrue();
        }
    }

    @Test
    void afterAnAnswerTheLimitTouchesNothing() throws InterruptedException {
        assertThat(wire.model.embed(request(Duration.ofMillis(1 << 20), "a")).vectors())
                .hasSize(1);
        assertThat(wire.embed("b").vectors()).hasSize(1);
        assertThat(wire.provider.log())
                .extracting(e -> e.request().connection())
                .containsExactly(1L, 1L);
    }

    @Test
    void anInterruptEndsACallAndClosesItsSocket() throws Exception {
        wire.provider.enqueueEmbeddings(Reply.silence());
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Thread thread = Thread.ofVirtual().start(() -> {
            try {
                wire.embed("a");
                failure.complete(new AssertionError("the call was answered"));
            } catch (Throwable e) {
                failure.complete(e);
            }
        });
        Exchange exchange = wire.provider.awaitRequests(1, Loopback.PATIENCE).getFirst();
        thread.interrupt();
        assertThat(failure.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        assertThat(wire.provider.awaitClosed(exchange, Loopback.PATIENCE)).isEqualTo(Side.CLIENT);
    }

    @Test
    void aThreadThatIsInterruptedAlreadySendsNothing() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> wire.embed("a")).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(wire.provider.requestCount()).isZero();
    }

    @Test
    void afterAFaultTheNextCallWorks() throws InterruptedException {
        wire.fail(Reply.status(200).body("{"));
        wire.fail(Reply.error(500, "x"));
        assertThat(wire.embed("a").vectors()).hasSize(1);
    }

    private void assertTimeout(EmbeddingRequest request) {
        ModelException e = wire.fail(request);
        assertThat(e.kind()).isEqualTo(Kind.TIMEOUT);
        assertThat(e.retryable()).isTrue();
        assertThat(e).hasMessageContaining("no answer within " + request.limit().toMillis() + " ms");
    }

    private void assertClosedByClient(int exchange) {
        assertThat(wire.provider.awaitClosed(wire.provider.log().get(exchange), Loopback.PATIENCE))
                .isEqualTo(Side.CLIENT);
    }

    private static EmbeddingRequest request(Duration limit, String... texts) {
        return new EmbeddingRequest(List.of(texts), EmbeddingRequest.Kind.QUERY, limit);
    }

    private static String everythingIn(Throwable e) {
        StringWriter all = new StringWriter();
        e.printStackTrace(new PrintWriter(all));
        return all.toString();
    }
}
