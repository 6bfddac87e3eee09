package dev.chargehand.testkit.store;

import static dev.chargehand.error.StoreException.Kind.DELIVERED;
import static dev.chargehand.error.StoreException.Kind.FENCED;
import static dev.chargehand.testkit.store.Samples.START;
import static dev.chargehand.testkit.store.Samples.assertRefused;
import static dev.chargehand.testkit.store.Samples.child;
import static dev.chargehand.testkit.store.Samples.facts;
import static dev.chargehand.testkit.store.Samples.id;
import static dev.chargehand.testkit.store.Samples.more;
import static dev.chargehand.testkit.store.Samples.start;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.chargehand.approval.WaitKind;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.Delivery.Delivered;
import dev.chargehand.store.Delivery.Kind;
import dev.chargehand.store.WaitingCall;
import dev.chargehand.testkit.store.Samples.HasStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What others send to a run, and when the run must have read it. */
interface InboxRules extends HasStore {

    @Test
    default void aDeliveryIsKeptUntilTheRunReadsIt() {
        store().append(start("r", facts(1)));
        Delivery odd =
                new Delivery(id("r"), "m1", Kind.MESSAGE, Json.of(Map.of("text", "a\u0000b \uD83D\uDE00")), START);
        assertEquals(new Delivered.Accepted(), store().deliver(odd));
        assertEquals(new Delivered.Accepted(), store().deliver(message("r", "m2")));

        assertEquals(List.of(odd, message("r", "m2")), store().undrained(id("r")));
        assertEquals(new Appended(2, 2, 0), store().append(more("r", 1, 1, facts(1))));
        assertEquals(
                new Appended(3, 1, 0), store().append(more("r", 1, 2, facts(1)).drains(List.of("m1"))));
        assertEquals(List.of(message("r", "m2")), store().undrained(id("r")));
        assertEquals(new Appended(3, 0, 0), store().append(more("r", 1, 3).drains(List.of("m2"))));
        assertEquals(List.of(), store().undrained(id("r")));
    }

    @Test
    default void whatIsDeliveredTwiceIsStoredOnceAlsoAfterItWasRead() {
        store().append(start("r", facts(1)));
        Delivery first = message("r", "m");
        store().deliver(first);

        Delivery other = new Delivery(id("r"), "m", Kind.MESSAGE, Json.of("other"), START);
        assertEquals(new Delivered.Duplicate(first.digest()), store().deliver(other));
        store().append(more("r", 1, 1).drains(List.of("m")));
        assertEquals(new Delivered.Duplicate(first.digest()), store().deliver(first));
        assertEquals(List.of(), store().undrained(id("r")));
    }

    @Test
    default void nothingIsDeliveredToARunThatIsMissingOrHasEnded() {
        assertEquals(new Delivered.NotWaiting(), store().deliver(message("c", "m")));
        store().append(start("r", facts(1)));
        store().append(start(child("c", "r"), facts(1)));
        store().deliver(message("c", "unread"));
        assertEquals(new Appended(3, 0, 0), store().append(nested(1, RunStatus.COMPLETED)));

        assertEquals(new Delivered.NotWaiting(), store().deliver(message("c", "m")));
        assertEquals(List.of(), store().undrained(id("r")));
    }

    @Test
    default void aMessageThatIsSentAgainAfterItsRunHasEndedIsADuplicate() {
        store().append(start("r", facts(1)));
        store().append(start(child("c", "r"), facts(1)));
        Delivery read = message("c", "read");
        store().deliver(read);
        store().append(nested(1, RunStatus.RUNNING).drains(List.of("read")));
        store().deliver(message("c", "unread"));
        Delivery cancel = new Delivery(id("c"), "cancel", Kind.CANCEL, Json.of("cancel"), START);
        store().deliver(cancel);
        store().append(nested(2, RunStatus.COMPLETED));

        assertEquals(new Delivered.Duplicate(read.digest()), store().deliver(read));
        assertEquals(new Delivered.Duplicate(message("c", "unread").digest()), store().deliver(message("c", "unread")));
        assertEquals(new Delivered.NotWaiting(), store().deliver(cancel));
        assertEquals(List.of(), store().undrained(id("r")));
    }

    @Test
    default void aCallIsAnsweredOnceAndOnlyWhileItWaits() {
        store().append(start("r", facts(1)));
        assertEquals(new Delivered.NotWaiting(), store().deliver(answer("r", "call", 1)));
        WaitingCall waiting = waiting("r", "call", 1);
        store().append(more("r", 1, 1, facts(1)).waits(List.of(waiting)));

        assertEquals(List.of(waiting), store().waiting(id("r")));
        assertEquals(new Delivered.NotWaiting(), store().deliver(answer("r", "call", 2)));
        assertEquals(new Delivered.Accepted(), store().deliver(answer("r", "call", 1)));
        assertEquals(List.of(), store().waiting(id("r")));
        Delivery expiry = new Delivery(id("r"), Delivery.idOf("call", 1), Kind.EXPIRY, Json.of(null), START);
        assertEquals(new Delivered.Duplicate(answer("r", "call", 1).digest()), store().deliver(expiry));

        store().append(more("r", 1, 2, facts(1)).drains(List.of("call.1")).waitsOver(List.of("call")));
        store().append(more("r", 1, 3, facts(1)).waits(List.of(waiting("r", "call", 2))));
        assertEquals(new Delivered.Accepted(), store().deliver(answer("r", "call", 2)));
    }

    @Test
    default void aCallThatDoesNotWaitAnyMoreCannotBeAnswered() {
        store().append(start("r", facts(1)).waits(List.of(waiting("r", "a", 1), waiting("r", "b", 1))));
        store().append(more("r", 1, 1, facts(1)).waitsOver(List.of("a")));

        assertEquals(List.of(waiting("r", "b", 1)), store().waiting(id("r")));
        assertEquals(new Delivered.NotWaiting(), store().deliver(answer("r", "a", 1)));
    }

    @Test
    default void theWaitingCallsOfATreeAreListedTheFirstToExpireFirst() {
        store().append(start("r", facts(1)).waits(List.of(waiting("r", "late", 9), waiting("r", "soon", 1))));
        store().append(start(child("c", "r"), facts(1)).waits(List.of(waiting("c", "next", 5))));
        store().append(start("other", facts(1)).waits(List.of(waiting("other", "x", 1))));

        assertEquals(
                List.of("soon", "next", "late"),
                store().waiting(id("r")).stream().map(WaitingCall::callId).toList());
    }

    @Test
    default void aRunReadsWhatIsTheirsAndNotReadYet() {
        store().append(start("r", facts(1)));
        store().append(start(child("c", "r"), facts(1)));
        store().deliver(message("c", "m"));

        assertRefused(FENCED, () -> store().append(more("r", 1, 1, facts(1)).drains(List.of("m"))));
        assertRefused(FENCED, () -> store().append(more("r", 1, 1, facts(1)).drains(List.of("missing"))));
        store().append(nested(1, RunStatus.RUNNING).drains(List.of("m")));
        assertRefused(FENCED, () -> store().append(nested(2, RunStatus.RUNNING).drains(List.of("m"))));
        assertEquals(1, store().read(id("r"), 0).size());
        assertEquals(2, store().read(id("c"), 0).size());
    }

    @Test
    default void aRootRunDoesNotSuspendWhileItsTreeHasToWake() {
        store().append(start("r", facts(1)));
        store().append(start(child("c", "r"), facts(1)).waits(List.of(waiting("c", "call", 1))));
        store().deliver(message("r", "m"));
        store().append(suspended("r", 1));
        store().append(more("r", 1, 2, facts(1)));
        store().deliver(answer("c", "call", 1));

        assertRefused(DELIVERED, () -> store().append(suspended("r", 3)));
        assertRefused(DELIVERED, () -> store().append(nested(1, RunStatus.SUSPENDED)));
        assertEquals(3, store().read(id("r"), 0).size());

        store().append(nested(1, RunStatus.SUSPENDED).drains(List.of("call.1")).waitsOver(List.of("call")));
        store().append(suspended("r", 3));
    }

    @Test
    default void aNestedRunSuspendsWhileAnotherRunOfItsTreeHasToWake() {
        store().append(start("r", facts(1)).waits(List.of(waiting("r", "call", 1))));
        store().append(start(child("c", "r"), facts(1)));
        store().deliver(answer("r", "call", 1));

        store().append(nested(1, RunStatus.SUSPENDED));
    }

    @Test
    default void aRunMayEndOnlyAfterItHasReadItsMessages() {
        store().append(start("r", facts(1)));
        store().append(start(child("c", "r"), facts(1)));
        store().deliver(message("r", "m"));

        store().append(nested(1, RunStatus.COMPLETED).readsAllMessages(true));
        Append end = Append.to(id("r"), 1, 1, List.of(facts(1)), RunStatus.COMPLETED, START);
        assertRefused(DELIVERED, () -> store().append(end.readsAllMessages(true)));
        assertEquals(1, store().read(id("r"), 0).size());
        assertEquals(new Appended(4, 0, 0), store().append(end));
    }

    @Test
    default void ofManyAnswersAtOnceOneIsAccepted() throws InterruptedException {
        store().append(start("r", facts(1)).waits(List.of(waiting("r", "call", 1))));
        Queue<Delivered> answers = new ConcurrentLinkedQueue<>();
        CountDownLatch ready = new CountDownLatch(8);
        List<Thread> approvers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Delivery mine =
                    new Delivery(id("r"), Delivery.idOf("call", 1), Kind.APPROVAL, Json.of("approver " + i), START);
            approvers.add(Thread.ofVirtual().start(() -> {
                ready.countDown();
                answers.add(store().deliver(mine));
            }));
        }
        ready.await();
        for (Thread approver : approvers) {
            approver.join();
        }

        String stored = store().undrained(id("r")).getFirst().digest();
        assertEquals(
                1, answers.stream().filter(new Delivered.Accepted()::equals).count());
        assertEquals(
                7,
                answers.stream().filter(new Delivered.Duplicate(stored)::equals).count());
    }

    @Test
    default void deliveriesAreNotLostWhileTheTreeIsWritten() throws InterruptedException {
        store().append(start("r", facts(1)));
        Thread teller = Thread.ofVirtual()
                .start(() -> IntStream.range(0, 50).forEach(i -> store().deliver(message("r", "m" + i))));
        List<String> read = new ArrayList<>();
        long length = 1;
        while (read.size() < 50) {
            List<String> ids =
                    store().undrained(id("r")).stream().map(Delivery::id).toList();
            store().append(more("r", 1, length++, facts(1)).drains(ids));
            read.addAll(ids);
        }
        teller.join();

        assertEquals(IntStream.range(0, 50).mapToObj(i -> "m" + i).toList(), read);
        assertEquals(0, store().append(more("r", 1, length, facts(1))).undrained());
    }

    private static Delivery message(String run, String id) {
        return new Delivery(id(run), id, Kind.MESSAGE, Json.of("text of " + id), START);
    }

    private static Delivery answer(String run, String call, int wait) {
        return new Delivery(id(run), Delivery.idOf(call, wait), Kind.APPROVAL, Json.of("yes"), START);
    }

    private static WaitingCall waiting(String run, String call, int wait) {
        return new WaitingCall(
                new RunId(run),
                call,
                new WaitingCall.Waiting(WaitKind.APPROVAL, wait, START, START.plusSeconds(wait)),
                "tool",
                null,
                null);
    }

    private static Append suspended(String run, long length) {
        return Append.to(id(run), 1, length, List.of(facts(1)), RunStatus.SUSPENDED, START);
    }

    private static Append nested(long length, RunStatus status) {
        return Append.to(id("c"), 1, length, List.of(facts(1)), status, START).rootRunId(id("r"));
    }
}
