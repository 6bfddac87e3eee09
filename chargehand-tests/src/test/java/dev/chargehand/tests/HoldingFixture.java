package dev.chargehand.tests;

import dev.chargehand.Agent;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.TestRuntime;
import java.util.concurrent.CountDownLatch;

/** An agent {@code lead} that holds on to its first message until it may end. */
abstract class HoldingFixture {

    final CountDownLatch working = new CountDownLatch(1);
    final CountDownLatch mayEnd = new CountDownLatch(1);

    TestRuntime holding() {
        return holding(InMemoryStore.keepingEndedRuns());
    }

    TestRuntime holding(Store store) {
        return Crew.playing(
                store,
                Scripts.on(
                        "lead",
                        Turn.answers(request -> {
                            working.countDown();
                            Waiting.on(mayEnd);
                            return Steps.said("Held");
                        }),
                        Turn.says("Next")),
                Agent.builder("lead").model("none/none").build());
    }
}
