package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunStream;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.FaultyStore.Operation;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ObjIntConsumer;
import org.junit.jupiter.api.Test;

/** A store that fails or hangs ends a run with its error, and leaves no stream open. */
class StoreFailureTest {

    private static Script work() {
        return Scripts.of(
                Turns.of(
                        "supervisor",
                        Turn.says("Asking. ")
                                .and(Turn.delegates("researcher", "P"))
                                .and(Turn.calls("ok", "{}")),
                        Turn.says("Done")),
                Turns.of("researcher", Turn.calls("look", "{}"), Turn.says("Fact")));
    }

    private static final Agent CREW = Crew.supervisorOf(Crew.member("researcher", Crew.LOOK), Crew.OK);

    private interface Ending {
        void of(List<RunEvent> events, RunFailedException failure);
    }

    /** Plans a fault for every append in turn, until there is a run that it does not meet. */
    private static void atEveryAppend(ObjIntConsumer<FaultyStore> plan, Ending check) {
        for (int nth = 1; nth < 100; nth++) {
            FaultyStore store = FaultyStore.over(InMemoryStore.keepingEndedRuns());
            plan.accept(store, nth);
            List<RunEvent> events = new ArrayList<>();
            RunFailedException failure = null;
            try (TestRuntime test =
                    TestRuntime.builder(work()).store(store).unrecorded().build()) {
                try (RunStream run = test.bind(CREW).stream("Go", o -> o.thread("t"))) {
                    run.forEach(events::add);
                    run.result();
                } catch (RunFailedException e) {
                    failure = e;
                } catch (StoreException e) {
                    assertThat(nth)
                            .as("only the very first append may refuse the call itself")
                            .isEqualTo(1);
                    continue;
                }
            }
            if (store.count(Operation.APPEND) < nth) {
                assertThat(nth).isGreaterThan(8);
                return;
            }
            check.of(events, failure);
        }
        throw new AssertionError("The run never ends.");
    }

    @Test
    void whateverAppendFailsTheStreamEndsWithTheErrorAndItsEventsArePaired() {
        atEveryAppend((store, nth) -> store.failOn(Operation.APPEND, nth), (events, failure) -> {
            assertThatEvents(events).arePaired().endWithRunFinish();
            RunEvent.RunFinish finish = (RunEvent.RunFinish) events.getLast();
            if (failure == null) {
                // a delegation could not be stored, its supervisor could: it is told and goes on
                assertThat(finish.status()).isEqualTo(RunStatus.COMPLETED);
                assertThat(events).anyMatch(RunEvent.DelegationEnd.class::isInstance);
            } else {
                assertThat(failure.code()).startsWith("store-");
                assertThat(finish.status()).isEqualTo(RunStatus.FAILED);
                assertThatEvents(events).contain("error");
            }
        });
    }

    @Test
    void nothingIsToldThatIsNotStored() {
        for (int nth = 2; nth < 12; nth++) {
            FaultyStore store = FaultyStore.over(InMemoryStore.keepingEndedRuns());
            for (int n = nth; n < nth + 40; n++) {
                store.failOn(Operation.APPEND, n);
            }
            List<RunEvent> events = new ArrayList<>();
            try (TestRuntime test =
                    TestRuntime.builder(work()).store(store).unrecorded().build()) {
                try (RunStream run = test.bind(CREW).stream("Go")) {
                    run.forEach(events::add);
                    run.result();
                } catch (RunFailedException e) {
                    assertThat(e.code()).startsWith("store-");
                }
                assertThatEvents(events).arePaired().endWithRunFinish();
                List<String> stored = new ArrayList<>();
                for (RunRecord run :
                        test.store().list(RunFilter.ROOTS.tree(events.getFirst().runId()))) {
                    test.store().read(run.runId(), 0).forEach(fact -> stored.add(fact.type() + fact.text()));
                }
                for (RunEvent event : events) {
                    if (event instanceof RunEvent.ToolResult result) {
                        assertThat(stored)
                                .anyMatch(fact ->
                                        fact.startsWith("call-closed") && fact.contains("\"" + result.callId() + "\""));
                    }
                }
            }
        }
    }

    /** Return a store whose nth append is stored and answered with null, which no store may do. */
    private static Store answeringNull(Store store, int nth) {
        AtomicInteger appends = new AtomicInteger();
        return (Store) Proxy.newProxyInstance(
                StoreFailureTest.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    Object answer = method.invoke(store, arguments);
                    return method.getName().equals("append") && appends.incrementAndGet() == nth ? null : answer;
                });
    }

    @Test
    void anAppendThatIsAnsweredWithNullIsReadBack() {
        for (int nth = 1; nth < 9; nth++) {
            Store store = answeringNull(InMemoryStore.keepingEndedRuns(), nth);
            List<RunEvent> events = new ArrayList<>();
            try (TestRuntime test = TestRuntime.builder(work())
                            .store(store)
                            .unrecorded()
                            .build();
                    RunStream run = test.bind(CREW).stream("Go")) {
                run.forEach(events::add);
                assertThat(run.result().text()).isEqualTo("Done");
            }
            assertThatEvents(events).arePaired().endWithRunFinish();
        }
    }
}
