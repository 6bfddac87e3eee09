package dev.chargehand.testkit.store.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.approval.WaitKind;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.Delivery.Delivered;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.RunSummary;
import dev.chargehand.store.Store;
import dev.chargehand.store.WaitingCall;
import dev.chargehand.store.WaitingCall.WaitingFilter;
import dev.chargehand.store.WaitingCall.WaitingFilter.Listed;
import dev.chargehand.store.deletion.Deletion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The list of all calls that wait for an answer. */
public interface WaitingRules {

    /** When runs start. */
    Instant START = Instant.parse("2026-01-02T03:04:05.006Z");

    /** Return the store that the running test is about. */
    Store store();

    @Test
    default void theCallThatWaitsLongestIsListedFirst() {
        store().append(start("b", fact()).waits(List.of(call("b", "y", 2), call("b", "z", 1), call("b", "x", 2))));
        store().append(start("a", fact()).waits(List.of(call("a", "w", 2), call("a", "v", 3))));

        assertEquals(List.of("b z", "a w", "b x", "b y", "a v"), names(WaitingFilter.ALL));
        for (int limit = 1; limit <= 6; limit++) {
            assertEquals(List.of("b z", "a w", "b x", "b y", "a v"), allPages(limit), "pages of " + limit);
        }
    }

    @Test
    default void aListedCallIsAsItWasStored() {
        Json odd = Json.of(Map.of("text", "a\u0000b \uD83D\uDE00", "long", "x".repeat(100_000)));
        WaitingCall call = new WaitingCall(
                id("r"),
                "a\u0000b",
                new WaitingCall.Waiting(WaitKind.DATA, 3, START, START.plusSeconds(9)),
                "tool",
                "ann",
                odd);
        store().append(start("top", fact()));
        store().append(start(child("r", "top"), fact()).waits(List.of(call)));

        assertEquals(List.of(new Listed(call, id("top"), null)), store().waiting(WaitingFilter.ALL));
        assertEquals(List.of(call), store().waiting(id("top")));
    }

    @Test
    default void onlyCallsThatWaitForAnAnswerAreListed() {
        WaitingCall timer = new WaitingCall(
                id("r"), "timer", new WaitingCall.Waiting(WaitKind.TIMER, 1, START, START), "sleep", null, null);
        store().append(start("r", fact())
                .waits(List.of(timer, call("r", "answered", 1), call("r", "over", 1), call("r", "waits", 1))));
        assertEquals(new Delivered.Accepted(), answer(store(), "r", "answered"));
        store().append(more("r", 1, 1, fact()).waitsOver(List.of("over")));

        assertEquals(List.of("r waits"), names(WaitingFilter.ALL));
    }

    /** An earlier version ended a root run before its nested runs. */
    @Test
    default void theCallsOfRunsThatHaveEndedAreNotListed() {
        store().append(start("r", fact()).waits(List.of(call("r", "root", 1))));
        store().append(start(child("c", "r"), fact()).waits(List.of(call("c", "nested", 1))));
        store().append(start(child("d", "r"), fact()).waits(List.of(call("d", "other", 2))));
        store().append(more("d", 1, 1, fact()).rootRunId(id("r")).status(RunStatus.ABORTED));
        assertEquals(List.of("c nested", "r root"), names(WaitingFilter.ALL));

        store().append(more("r", 1, 1, fact()).status(RunStatus.ABORTED));

        assertEquals(List.of(), names(WaitingFilter.ALL));
    }

    @Test
    default void callsAreListedByResourceAgentAndTool() {
        String wide = "ann".repeat(300);
        String wider = wide + "!";
        for (String resource : List.of("ann", "bob", wide, wider)) {
            String run = "of " + resource;
            RunRecord record = RunRecord.builder(id(run), "boss", "process-1", START)
                    .threadId("t-" + resource)
                    .resourceId(resource)
                    .build();
            store().append(start(record, fact()).waits(List.of(call(run, "1", 1), call(run, "2", 2, "mail"))));
        }
        store().append(start(child("nested", "of bob"), fact()).waits(List.of(call("nested", "3", 3))));
        store().append(start("of nobody", fact()).waits(List.of(call("of nobody", "4", 4, "mail"))));

        assertEquals(List.of("of ann 1", "of ann 2"), names(WaitingFilter.ALL.resource("ann")));
        assertEquals(
                List.of("of bob 1", "of bob 2", "nested 3"),
                names(WaitingFilter.ALL.resource("bob")),
                "of the root run");
        assertEquals(List.of("of " + wide + " 1", "of " + wide + " 2"), names(WaitingFilter.ALL.resource(wide)));
        assertEquals(
                List.of("of bob 2"),
                names(WaitingFilter.ALL.resource("bob").agent("boss").tool("mail")));
        assertEquals(List.of("nested 3"), names(WaitingFilter.ALL.agent("writer")));
        assertEquals(List.of(), names(WaitingFilter.ALL.agent("riter")));
        assertEquals(List.of(), names(WaitingFilter.ALL.agent("a longer name than the paths have")));
        assertEquals(List.of(), names(WaitingFilter.ALL.agent("Writer").tool("tool")));
        assertEquals(9, names(WaitingFilter.ALL.agent("boss")).size());
        assertEquals(
                List.of("of nobody 4"),
                names(WaitingFilter.ALL.tool("mail").after(place("of bob", "2", 3)))); // what no call need have
    }

    @Test
    default void callsAreListedThatExpireBeforeATime() {
        store().append(start("r", fact())
                .waits(List.of(expiring("soon", 5), expiring("late", 7), expiring("next", 6))));

        assertEquals(List.of("r next", "r soon"), names(WaitingFilter.ALL.expiresBefore(START.plusMillis(7))));
        assertEquals(List.of("r next", "r soon"), names(WaitingFilter.ALL.expiresBefore(START.plusNanos(7_999_999))));
        assertEquals(
                List.of("r soon"),
                names(WaitingFilter.ALL
                        .expiresBefore(START.plusMillis(7))
                        .tool("tool")
                        .after(place("r", "next", 0))));
        assertEquals(List.of(), names(WaitingFilter.ALL.expiresBefore(Instant.MIN)));
        assertEquals(3, names(WaitingFilter.ALL.expiresBefore(Instant.MAX)).size());
    }

    private static WaitingCall expiring(String call, int millis) {
        WaitingCall.Waiting waiting = new WaitingCall.Waiting(WaitKind.APPROVAL, 1, START, START.plusMillis(millis));
        return new WaitingCall(id("r"), call, waiting, "tool", null, null);
    }

    @Test
    default void aTenantSeesItsOwnCalls() {
        Store acme = store().forTenant("acme");
        store().append(start("r", fact()).waits(List.of(call("r", "call", 1))));
        acme.append(start("a", fact()).waits(List.of(call("a", "call", 1))));

        assertEquals(List.of("r call"), names(WaitingFilter.ALL));
        assertEquals(List.of("a call"), names(acme.waiting(WaitingFilter.ALL)));
        assertEquals(List.of(), store().forTenant("other").waiting(WaitingFilter.ALL));
    }

    /** No call is left out or listed twice because of what happens to others before the next page is read. */
    @Test
    default void callsMayBeAnsweredEndAndBeDeletedBetweenTwoPages() {
        for (String run : List.of("a", "b", "c", "d", "e")) {
            store().append(start(run, fact()).waits(List.of(call(run, "1", 1), call(run, "2", 1))));
        }
        List<Listed> first = store().waiting(WaitingFilter.ALL.limit(3));
        assertEquals(List.of("a 1", "a 2", "b 1"), names(first));
        answer(store(), "b", "1"); // the last of the page
        answer(store(), "b", "2"); // the first of the next
        store().append(start("aa", fact()).waits(List.of(call("aa", "late", 1)))); // before the place

        WaitingFilter next = WaitingFilter.ALL.limit(3).after(first.getLast().position());
        List<Listed> second = store().waiting(next);
        assertEquals(List.of("c 1", "c 2", "d 1"), names(second));
        store().append(more("d", 1, 1, fact()).status(RunStatus.FAILED));
        assertEquals(1, store().delete(new Deletion.EndedRuns(Instant.MAX, 9)));

        assertEquals(
                List.of("e 1", "e 2"),
                names(store().waiting(next.after(second.getLast().position()))));
    }

    /** An earlier version stored calls without what a list shows of them. */
    @Test
    default void callsWithoutADescriptionAreDescribedWhenTheirRunIsIndexed() {
        WaitingCall before = new WaitingCall(
                id("r"),
                "call",
                new WaitingCall.Waiting(WaitKind.APPROVAL, 1, Instant.EPOCH, START),
                "tool",
                null,
                null);
        WaitingCall answered = new WaitingCall(
                id("r"),
                "answered",
                new WaitingCall.Waiting(WaitKind.APPROVAL, 1, Instant.EPOCH, START),
                "tool",
                null,
                null);
        store().append(start("r", fact()).waits(List.of(before, answered)));
        answer(store(), "r", "answered");
        assertEquals(List.of(new Listed(before, id("r"), null)), store().waiting(WaitingFilter.ALL));

        List<WaitingCall> described = List.of(
                new WaitingCall(
                        id("r"),
                        "call",
                        new WaitingCall.Waiting(WaitKind.APPROVAL, 1, START, START),
                        "tool",
                        null,
                        Json.of("described")),
                call("r", "answered", 1));
        assertTrue(store().index(Append.to(id("r"), 1, 1, List.of(), RunStatus.RUNNING, START)
                .summary(RunSummary.of("agent", ""))
                .waits(described)));

        assertEquals(List.of(new Listed(described.getFirst(), id("r"), null)), store().waiting(WaitingFilter.ALL));
    }

    private static RunId id(String run) {
        return new RunId(run);
    }

    private static FactEntry fact() {
        return FactEntry.of("Answered", 1, "{}");
    }

    private static Append start(String run, FactEntry... facts) {
        return start(RunRecord.builder(id(run), "boss", "process-1", START).build(), facts);
    }

    private static Append start(RunRecord run, FactEntry... facts) {
        return Append.start(run, List.of(facts));
    }

    private static Append more(String run, long epoch, long length, FactEntry... facts) {
        return Append.to(id(run), epoch, length, List.of(facts), RunStatus.RUNNING, START);
    }

    private static RunRecord child(String run, String parent) {
        return RunRecord.builder(id(run), "writer", "process-1", START)
                .rootRunId(id(parent))
                .parentRunId(id(parent))
                .parentCallId("call-1")
                .path("boss/writer")
                .build();
    }

    private List<String> allPages(int limit) {
        List<String> all = new ArrayList<>();
        WaitingFilter filter = WaitingFilter.ALL.limit(limit);
        for (List<Listed> page = store().waiting(filter); !page.isEmpty(); page = store().waiting(filter)) {
            all.addAll(names(page));
            filter = filter.after(page.getLast().position());
        }
        return all;
    }

    private List<String> names(WaitingFilter filter) {
        return names(store().waiting(filter));
    }

    private static List<String> names(List<Listed> calls) {
        return calls.stream()
                .map(each -> each.call().runId() + " " + each.call().callId())
                .toList();
    }

    private static WaitingFilter.Position place(String run, String call, int since) {
        return new WaitingFilter.Position(START.plusSeconds(since), id(run), call);
    }

    private static WaitingCall call(String run, String call, int since) {
        return call(run, call, since, "tool");
    }

    private static WaitingCall call(String run, String call, int since, String tool) {
        return new WaitingCall(
                new RunId(run),
                call,
                new WaitingCall.Waiting(WaitKind.APPROVAL, 1, START.plusSeconds(since), START.plusSeconds(60)),
                tool,
                null,
                Json.of(Map.of("call", call)));
    }

    private static Delivered answer(Store store, String run, String call) {
        return store.deliver(
                new Delivery(id(run), Delivery.idOf(call, 1), Delivery.Kind.APPROVAL, Json.of("yes"), START));
    }
}
