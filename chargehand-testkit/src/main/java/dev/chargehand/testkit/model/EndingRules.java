package dev.chargehand.testkit.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.error.ModelException;
import dev.chargehand.message.Message;
import dev.chargehand.testkit.provider.Exchange;
import dev.chargehand.testkit.provider.Side;
import dev.chargehand.testkit.provider.reply.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How a call ends whose answer does not come: it ends, and the connection with it. */
interface EndingRules extends HasModel {

    /** Long enough for a machine that is busy; nothing waits this long when all is well. */
    Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    default void aCancelledCallEndsAndClosesItsConnection() throws Exception {
        CallRecord call = new CallRecord(2);
        assertEnds(
                theWire().reply(WireAnswer.text("Once ", "upon ").finish(null)).stall(), call, () -> {
                    call.awaitDeltas();
                    call.cancel();
                });
        assertEquals("Once upon ", call.text());
    }

    @Test
    default void aCallIsCancelledBeforeTheFirstByte() throws Exception {
        CallRecord call = new CallRecord();
        assertEnds(Reply.silence(), call, () -> {
            theProvider().awaitRequests(1, PATIENCE);
            call.cancel();
        });
    }

    private void assertEnds(Reply reply, CallRecord call, Step cancel) throws Exception {
        theProvider().enqueue(reply);
        CompletableFuture<@Nullable Throwable> ended = new CompletableFuture<>();
        Thread asking = Thread.ofVirtual().start(() -> ended.complete(thrownBy(call)));

        cancel.run();

        asking.join(PATIENCE);
        Throwable thrown = ended.getNow(null);
        ModelException e = assertInstanceOf(ModelException.class, thrown);
        assertFalse(e.retryable(), "a cancelled call is not tried again");
        Exchange exchange = theProvider().log().getLast();
        assertEquals(Side.CLIENT, theProvider().awaitClosed(exchange, PATIENCE));
    }

    @Test
    default void anInterruptedCallEndsAsInterrupted() throws Exception {
        CallRecord call = new CallRecord(1);
        theProvider()
                .enqueue(theWire()
                        .reply(WireAnswer.text("Once ", "upon ").finish(null))
                        .hold(call.received())
                        .body(
                                theWire()
                                        .events(WireAnswer.text("a time").finish(null))
                                        .getLast(),
                                1)
                        .stall());
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread asking = Thread.ofVirtual().start(() -> {
            Throwable thrown = thrownBy(call);
            interrupted.set(thrown instanceof InterruptedException);
        });

        call.awaitDeltas();
        asking.interrupt();

        assertTrue(asking.join(PATIENCE), "the call has ended");
        assertTrue(interrupted.get());
    }

    private @Nullable Throwable thrownBy(CallRecord call) {
        try {
            theModel().ask(HasModel.request(Message.user("Hi")), call);
            return null;
        } catch (ModelException | InterruptedException e) {
            return e;
        }
    }

    @Test
    default void aServerThatKeepsTheConnectionOpenAfterTheLastEventIsNotWaitedFor() throws InterruptedException {
        assertEquals(
                "done",
                ask(theWire().reply(WireAnswer.text("done")).stall(), HasModel.request(Message.user("Hi")))
                        .text());
    }

    /** A step that may be interrupted. */
    interface Step {
        void run() throws Exception;
    }
}
