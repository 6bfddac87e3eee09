package dev.chargehand.testkit.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.error.ModelException;
import dev.chargehand.error.ModelException.Kind;
import dev.chargehand.message.Message;
import dev.chargehand.testkit.model.ModelWire.Trouble;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.reply.WireReply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a provider that fails becomes: an error that says of what kind, and whether another attempt may help. */
interface FaultRules extends HasModel {

    @Test
    default void aStatusBecomesAnErrorOfItsKindAfterOneAttempt() {
        assertStatus(401, Trouble.AUTHENTICATION, Kind.AUTHENTICATION, false);
        assertStatus(403, Trouble.AUTHENTICATION, Kind.AUTHENTICATION, false);
        assertStatus(400, Trouble.INVALID_REQUEST, Kind.INVALID_REQUEST, false);
        assertStatus(404, Trouble.INVALID_REQUEST, Kind.INVALID_REQUEST, false);
        assertStatus(413, Trouble.INVALID_REQUEST, Kind.TOO_LARGE, false);
        assertStatus(429, Trouble.RATE_LIMIT, Kind.RATE_LIMIT, true);
        assertStatus(500, Trouble.OVERLOADED, Kind.OVERLOADED, true);
        assertStatus(503, Trouble.OVERLOADED, Kind.OVERLOADED, true);
        assertStatus(529, Trouble.OVERLOADED, Kind.OVERLOADED, true);
        assertEquals(9, theProvider().requestCount(), "one attempt each: retries are the loop's");
    }

    private void assertStatus(int status, Trouble trouble, Kind kind, boolean retryable) {
        ModelException e = fail(theWire().failure(status, trouble, SECRET + " " + KEY));
        assertEquals(kind, e.kind(), "status " + status);
        assertEquals(retryable, e.retryable(), "status " + status);
        assertTrue(e.getMessage().contains(String.valueOf(status)), e.getMessage());
        assertTrue(e.getMessage().contains(theModel().name()), e.getMessage());
        String words = e.providerMessage().orElse("");
        assertTrue(words.contains(SECRET), "status " + status + ": what the provider says: " + words);
        assertTrue(e.getMessage().contains(words), e.getMessage());
    }

    @Test
    default void retryAfterIsHandedOn() {
        WireReply limited = theWire().failure(429, Trouble.RATE_LIMIT, "x");
        assertEquals(
                Optional.of(Duration.ofSeconds(7)),
                fail(limited.header("Retry-After", "7")).retryAfter());
        assertEquals(
                Optional.of(Duration.ofSeconds(30)),
                fail(limited.header("Date", "Sun, 01 Mar 2026 13:00:00 GMT")
                                .header("Retry-After", "Sun, 01 Mar 2026 13:00:30 GMT"))
                        .retryAfter());
        assertEquals(
                Optional.of(Duration.ofSeconds(3)),
                fail(theWire().failure(529, Trouble.OVERLOADED, "x").header("Retry-After", "3"))
                        .retryAfter());
        assertEquals(Optional.empty(), fail(limited).retryAfter());
    }

    @Test
    default void aFailureWithoutAReadableBodyIsStillOne() {
        assertEquals(Kind.OVERLOADED, fail(Reply.status(503)).kind());
        assertEquals(
                Kind.OVERLOADED, fail(Reply.status(500).body("<html>" + SECRET)).kind());
        assertEquals(
                Kind.RATE_LIMIT,
                fail(Reply.status(429).body("{\"error\":").hangUp()).kind());
    }

    @Test
    default void aRedirectIsRefusedAndItsTargetHearsNothing() {
        try (LoopbackProvider elsewhere = LoopbackProvider.start()) {
            for (int status : new int[] {301, 302, 307, 308}) {
                ModelException e = fail(Reply.redirect(
                        status, "http://127.0.0.1:" + elsewhere.port() + "/path?token=" + SECRET.length()));
                assertEquals(Kind.PROTOCOL, e.kind());
                assertFalse(e.retryable());
            }
            assertEquals(0, elsewhere.requestCount());
        }
    }

    @Test
    default void aWebPageIsNoAnswer() {
        ModelException e = fail(Reply.html("<html>" + SECRET));
        assertEquals(Kind.PROTOCOL, e.kind());
        assertTrue(e.getMessage().contains("text/html"), e.getMessage());
    }

    @Test
    default void anErrorInTheStreamIsNoEndOfAnAnswer() {
        for (Trouble trouble : Trouble.values()) {
            List<byte[]> events = started();
            events.add(theWire().event(theWire().error(trouble, SECRET + KEY)));
            ModelException e = fail(theWire().reply(events));
            assertTrue(e.providerMessage().orElse("").contains(SECRET), "what the provider says: " + e.getMessage());
            if (can(Capability.ERROR_KINDS)) {
                assertEquals(kindOf(trouble), e.kind(), trouble.name());
            }
        }
    }

    @Test
    default void nothingAfterAnErrorInTheStreamCounts() {
        List<byte[]> events = started();
        events.add(theWire().event(theWire().error(Trouble.OVERLOADED, "x")));
        events.addAll(theWire().events(WireAnswer.text("and on as if nothing had been")));
        assertEquals(Kind.OVERLOADED, fail(theWire().reply(events)).kind());
    }

    private static Kind kindOf(Trouble trouble) {
        return switch (trouble) {
            case OVERLOADED -> Kind.OVERLOADED;
            case RATE_LIMIT -> Kind.RATE_LIMIT;
            case INVALID_REQUEST -> Kind.INVALID_REQUEST;
            case AUTHENTICATION -> Kind.AUTHENTICATION;
        };
    }

    @Test
    default void whatIsNotJsonIsNoEvent() {
        for (String wrong : new String[] {"{not json}", "[1]", "{} {}", "{\"a\":", "\"" + SECRET + "\""}) {
            List<byte[]> events = started();
            events.add(theWire().event(wrong));
            events.addAll(theWire().events(WireAnswer.text("and on")));
            ModelException e = fail(theWire().reply(events));
            assertEquals(Kind.PROTOCOL, e.kind(), wrong);
            assertFalse(e.retryable());
        }
    }

    @Test
    default void anAnswerWithoutAnythingIsEmpty() {
        assertEquals(Kind.EMPTY, fail(theWire().begin()).kind());
        assertEquals(Kind.EMPTY, fail(Reply.status(204)).kind());
    }

    @Test
    default void aConnectionThatBreaksIsNeverAnAnswer() {
        List<byte[]> whole = theWire()
                .events(WireAnswer.calls(Reply.call("c1", "pay", "{\"sum\":1}")).saying("I pay."));
        assertBroken(Reply.connection().reset());
        assertBroken(Reply.connection().hangUp());
        assertBroken(theWire().begin().hangUp());
        for (int events = 1; events <= started().size(); events++) {
            assertBroken(theWire().reply(whole.subList(0, events)).hangUp());
            assertBroken(theWire().reply(whole.subList(0, events)).badChunk());
        }
        byte[] first = whole.getFirst();
        assertBroken(theWire()
                .begin()
                .body(Arrays.copyOf(first, first.length / 2), 1)
                .hangUp());
    }

    private void assertBroken(Reply reply) {
        ModelException e = fail(reply);
        assertEquals(Kind.CONNECTION, e.kind(), e.getMessage());
        assertTrue(e.retryable());
    }

    @Test
    default void anEventThatIsTooLargeIsRefused() {
        byte[] megabyte = "x".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
        byte[] started = "{\"a\":\"".getBytes(StandardCharsets.UTF_8);
        WireReply endless = theWire().begin().body(theWire().endless(), 1).body(started, 1);
        assertEquals(Kind.TOO_LARGE, fail(endless.body(megabyte, 100).gzip()).kind());
    }

    @Test
    default void theNextCallAfterAFaultWorks() throws InterruptedException {
        fail(theWire().reply(started()).hangUp());
        fail(theWire().failure(500, Trouble.OVERLOADED, "x"));
        assertEquals("ok", ask(WireAnswer.text("ok")).text());
    }

    @Test
    default void aServerThatIsNotThereIsAConnectionFault() {
        theProvider().close();
        ModelException e = fail(Reply.status(200));
        assertEquals(Kind.CONNECTION, e.kind());
        assertTrue(e.retryable());
    }

    /** Return the events of an answer that has started and do not say that it is over. */
    private List<byte[]> started() {
        return new ArrayList<>(
                theWire().events(WireAnswer.text("Once ", "upon ").finish(null)));
    }

    @Test
    default void aConnectionThatTheServerLetGoOfIsReplaced() throws InterruptedException {
        assertEquals("one", ask(WireAnswer.text("one")).text());
        theProvider().disconnectAll();
        // Always: the request that the old connection lost may have been read, and is sent again all the same.
        theProvider().always(theWire().reply(WireAnswer.text("two")));
        assertEquals(
                "two",
                theModel()
                        .ask(HasModel.request(Message.user("Hi")), new CallRecord())
                        .text());
    }
}
