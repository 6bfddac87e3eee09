package dev.chargehand.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.error.ModelException;
import dev.chargehand.error.ModelException.Kind;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.reply.Framing;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.reply.WireReply;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class FaultTest {

    private static final String PROMPT_ECHO = "You wrote: my diary";

    @AutoClose
    private final Loopback wire = new Loopback();

    @ParameterizedTest
    @CsvSource({
        "400, INVALID_REQUEST, false", "401, AUTHENTICATION, false", "402, INVALID_REQUEST, false",
        "403, AUTHENTICATION, false", "404, INVALID_REQUEST, false", "408, OVERLOADED, true",
        "409, OVERLOADED, true", "413, TOO_LARGE, false", "422, INVALID_REQUEST, false",
        "429, RATE_LIMIT, true", "500, OVERLOADED, true", "502, OVERLOADED, true",
        "503, OVERLOADED, true", "529, OVERLOADED, true"
    })
    void eachStatusHasItsKindAndOneRequest(int status, Kind kind, boolean retryable) {
        ModelException e = wire.fail(Reply.error(status, PROMPT_ECHO));
        assertThat(e.kind()).isEqualTo(kind);
        assertThat(e.retryable()).isEqualTo(retryable);
        assertThat(e).hasMessageContaining(String.valueOf(status));
        assertThat(e.providerMessage()).contains(PROMPT_ECHO);
        assertThat(e.publicMessage()).doesNotContain("diary");
        assertThat(wire.provider.requestCount()).isEqualTo(1);
    }

    @Test
    void retryAfterIsHandedOnInWhateverFormItComes() {
        assertThat(wire.fail(Reply.error(429, "x").header("Retry-After", "2")).retryAfter())
                .contains(Duration.ofSeconds(2));
        assertThat(wire.fail(Reply.error(429, "x").header("Retry-After", "3600"))
                        .retryAfter())
                .contains(Duration.ofHours(1));
        assertThat(wire.fail(Reply.error(503, "x").header("retry-after-ms", "250"))
                        .retryAfter())
                .contains(Duration.ofMillis(250));
        assertThat(wire.fail(Reply.error(429, "x")
                                .header("Date", "Sun, 01 Mar 2026 13:00:00 GMT")
                                .header("Retry-After", "Sun, 01 Mar 2026 13:00:30 GMT"))
                        .retryAfter())
                .contains(Duration.ofSeconds(30));
        assertThat(wire.fail(Reply.error(500, "x")).retryAfter()).isEmpty();
    }

    @Test
    void aSpentQuotaIsNotRetried() {
        ModelException e = wire.fail(Reply.status(429).body("{\"error\":{\"code\":\"insufficient_quota\"}}"));
        assertThat(e.kind()).isEqualTo(Kind.RATE_LIMIT);
        assertThat(e.retryable()).isFalse();
        assertThat(e).hasMessageContaining("insufficient_quota");
    }

    @Test
    void aRefusedKeyIsInNoMessageEvenIfTheProviderRepeatsIt() {
        ModelException e = wire.fail(Reply.status(401)
                .body("{\"error\":{\"message\":\"Incorrect API key: " + Loopback.KEY + "\",\"code\":\"" + Loopback.KEY
                        + "\",\"type\":\"invalid_request_error\"}}"));
        assertThat(e.kind()).isEqualTo(Kind.AUTHENTICATION);
        assertThat(everythingIn(e)).doesNotContain(Loopback.KEY).contains("401 (invalid_request_error)");
        assertThat(wire.provider.requestCount()).isEqualTo(1);
    }

    @Test
    void anErrorBodyIsReadAsFarAsItIsSmallAndComes() {
        WireReply endless = Reply.status(500).framing(Framing.CHUNKED);
        byte[] kilobyte = "x".repeat(1024).getBytes(StandardCharsets.UTF_8);
        assertThat(wire.fail(endless.body(kilobyte, 500).stall()).kind()).isEqualTo(Kind.OVERLOADED);
        assertThat(wire.fail(Reply.status(404).body("<html>" + PROMPT_ECHO)).kind())
                .isEqualTo(Kind.INVALID_REQUEST);
        assertThat(wire.fail(Reply.status(503)).kind()).isEqualTo(Kind.OVERLOADED);
        assertThat(wire.fail(Reply.status(500).body("{\"error\":{\"code\":").hangUp())
                        .kind())
                .isEqualTo(Kind.OVERLOADED);
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 301, 302, 303, 307, 308})
    void aRedirectIsRefusedAndItsTargetHearsNothing(int status) {
        try (LoopbackProvider elsewhere = LoopbackProvider.start()) {
            String target = "http://127.0.0.1:" + elsewhere.port();
            ModelException e = wire.fail(Reply.redirect(status, target + "/secret/path?token=abc"));
            assertThat(e.kind()).isEqualTo(Kind.PROTOCOL);
            assertThat(e.retryable()).isFalse();
            assertThat(e).hasMessageContaining("redirect (" + status + ") to " + target + " was not followed");
            assertThat(everythingIn(e)).doesNotContain("secret").doesNotContain("token");
            assertThat(elsewhere.requestCount()).isZero();
            assertThat(elsewhere.openConnections()).isZero();
        }
    }

    @Test
    void aRedirectToNowhereInParticularIsRefusedToo() {
        assertThat(wire.fail(Reply.redirect(302, "/login?next=x"))).hasMessageContaining("another place");
        assertThat(wire.fail(Reply.redirect(302, "%%%"))).hasMessageContaining("another place");
        assertThat(wire.fail(Reply.status(304))).hasMessageContaining("another place");
        assertThat(wire.fail(Reply.redirect(307, "https://user:pw@h.example/x")))
                .hasMessageContaining("https://h.example was");
    }

    @Test
    void aWebPageIsNoAnswerAndItsTypeIsNamed() {
        ModelException e = wire.fail(Reply.html("<html>" + PROMPT_ECHO));
        assertThat(e.kind()).isEqualTo(Kind.PROTOCOL);
        assertThat(everythingIn(e)).contains("text/html").doesNotContain("diary");
    }

    @Test
    void anErrorInTheStreamIsTypedByItsCode() {
        assertReported(529, Kind.OVERLOADED, true);
        assertReported(429, Kind.RATE_LIMIT, true);
        assertReported(500, Kind.OVERLOADED, true);
        assertReported(401, Kind.AUTHENTICATION, false);
        assertReported(400, Kind.INVALID_REQUEST, false);
    }

    private void assertReported(int code, Kind kind, boolean retryable) {
        ModelException e = wire.fail(
                Reply.sse().role().text("partial").error(PROMPT_ECHO, code).done());
        assertThat(e.kind()).isEqualTo(kind);
        assertThat(e.retryable()).isEqualTo(retryable);
        assertThat(e.providerMessage()).contains(PROMPT_ECHO);
        assertThat(e.publicMessage()).doesNotContain("diary");
    }

    @ParameterizedTest
    @CsvSource({
        "overloaded_error, OVERLOADED, true", "rate_limit_exceeded, RATE_LIMIT, true",
        "invalid_request_error, INVALID_REQUEST, false", "authentication_error, AUTHENTICATION, false",
        "context_length_exceeded, INVALID_REQUEST, false", "server_error, OVERLOADED, true",
        "something_new, OVERLOADED, true"
    })
    void anErrorInTheStreamIsTypedByItsWords(String type, Kind kind, boolean retryable) {
        ModelException e = wire.fail(Reply.sse().event("{\"error\":{\"message\":\"x\",\"type\":\"" + type + "\"}}"));
        assertThat(e.kind()).isEqualTo(kind);
        assertThat(e.retryable()).isEqualTo(retryable);
        assertThat(e).hasMessageContaining(type);
    }

    @Test
    void anEventOfTypeErrorIsOne() {
        ModelException e = wire.fail(Reply.sse()
                .line("event: error")
                .event("{\"code\":529,\"message\":\"x\"}")
                .done());
        assertThat(e.kind()).isEqualTo(Kind.OVERLOADED);
    }

    @Test
    void anErrorInADocumentIsTypedToo() {
        assertThat(wire.fail(Reply.status(200).body("{\"error\":{\"code\":429}}"))
                        .kind())
                .isEqualTo(Kind.RATE_LIMIT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{not json}", "[1]", "ping", "{} {}", "{\"a\":"})
    void anEventThatIsNoJsonObjectIsAProtocolFault(String data) {
        ModelException e = wire.fail(
                Reply.sse().text("a").event(data).text("b").finish("stop").done());
        assertThat(e.kind()).isEqualTo(Kind.PROTOCOL);
        assertThat(e.retryable()).isFalse();
        assertThat(e.getCause()).isNull();
        assertThat(wire.call.text()).isEqualTo("a");
    }

    @Test
    void anAnswerWithoutAnythingIsEmpty() {
        assertEmpty(Reply.sse().done());
        assertEmpty(Reply.sse());
        assertEmpty(Reply.sse().emptyChoices().emptyChoices().done());
        assertEmpty(Reply.status(200).header("Content-Type", "text/event-stream"));
        assertEmpty(Reply.status(204));
        assertEmpty(Reply.status(200).body("{\"choices\":[]}"));
    }

    private void assertEmpty(Reply reply) {
        ModelException e = wire.fail(reply);
        assertThat(e.kind()).isEqualTo(Kind.EMPTY);
        assertThat(e.retryable()).isFalse();
    }

    @Test
    void aConnectionThatBreaksIsRetryable() throws InterruptedException {
        assertConnection(Reply.connection().reset());
        assertConnection(Reply.connection().hangUp());
        assertConnection(Reply.sse().text("a").hangUp());
        assertConnection(
                Reply.sse().role().text("a").badChunk().text("b").finish("stop").done());
        assertConnection(Reply.status(200)
                .header("Content-Length", "5000")
                .header("Content-Type", "text/event-stream")
                .body("data: {}\n\n")
                .hangUp());
        CountDownLatch read = new CountDownLatch(3);
        Recorder call = new Recorder(delta -> read.countDown());
        wire.provider.enqueue(Reply.sse().text("a", "b", "c").hold(read).reset());
        ModelException e =
                catchThrowableOfType(ModelException.class, () -> wire.model.ask(Loopback.request("Hi"), call));
        assertThat(e.kind()).isEqualTo(Kind.CONNECTION);
        assertThat(e.retryable()).isTrue();
    }

    private void assertConnection(Reply reply) {
        ModelException e = wire.fail(reply);
        assertThat(e.kind()).as(e.getMessage()).isEqualTo(Kind.CONNECTION);
        assertThat(e.retryable()).isTrue();
        assertThat(everythingIn(e)).doesNotContain("ZZZ");
    }

    @Test
    void aServerThatIsNotThereIsAConnectionFault() {
        wire.provider.close();
        ModelException e = wire.fail();
        assertThat(e.kind()).isEqualTo(Kind.CONNECTION);
        assertThat(e.retryable()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"garbage\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/9.9 200 OK\r\n\r\n", "HTTP/1.1 abc\r\n\r\n"})
    void whatIsNotHttpIsAFaultAndIsNotQuoted(String bytes) {
        ModelException e = wire.fail(Reply.connection().raw(bytes));
        assertThat(e.kind()).as(e.getMessage()).isIn(Kind.PROTOCOL, Kind.CONNECTION);
        assertThat(everythingIn(e)).doesNotContain("garbage").doesNotContain("OpenSSH");
    }

    @Test
    void aHeadThatIsTooLongIsRefused() {
        assertThat(wire.fail(Reply.text("x").header("X-Long", "y".repeat(20_000)))
                        .kind())
                .isEqualTo(Kind.PROTOCOL);
    }

    @Test
    void anEncodingNobodyAskedForIsRefused() {
        assertThat(wire.fail(Reply.text("x").header("Content-Encoding", "br")).kind())
                .isEqualTo(Kind.PROTOCOL);
        assertThat(wire.fail(Reply.text("x").header("Content-Encoding", "gzip")).kind())
                .isEqualTo(Kind.PROTOCOL);
    }

    @Test
    void aBombIsRefusedBeforeItFillsTheHeap() {
        String line = "data: " + "x".repeat(1 << 20);
        assertThat(wire.fail(Reply.sse()
                                .body(line.getBytes(StandardCharsets.UTF_8), 100)
                                .gzip())
                        .kind())
                .isEqualTo(Kind.TOO_LARGE);
    }

    @Test
    void afterAFaultTheNextCallWorks() throws InterruptedException {
        wire.fail(Reply.sse().text("a").hangUp());
        wire.fail(Reply.error(500, "x"));
        assertThat(wire.ask(Reply.text("ok")).text()).isEqualTo("ok");
    }

    private static String everythingIn(Throwable e) {
        StringWriter all = new StringWriter();
        e.printStackTrace(new PrintWriter(all));
        return all.toString();
    }
}
