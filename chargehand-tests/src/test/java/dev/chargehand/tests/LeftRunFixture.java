package dev.chargehand.tests;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Runs of an agent {@code lead} on one thread that runtimes have left when they were closed. */
abstract class LeftRunFixture {

    /** Until then, the model of {@code lead} does not answer. */
    final CountDownLatch mayEnd = new CountDownLatch(1);

    /** Start a run, and close its runtime while its model answers. */
    RunId left(Store store, String prompt) {
        CountDownLatch asked = new CountDownLatch(1);
        try (AgentRuntime runtime = runtime(store, Wakeups.off(), asked)) {
            RunId run = runtime.agent("lead")
                    .start(prompt, o -> o.thread("t").resource("ann"))
                    .runId();
            Waiting.on(asked);
            return run;
        }
    }

    AgentRuntime runtime(Store store, Wakeups wakeups) {
        return runtime(store, wakeups, new CountDownLatch(1));
    }

    private AgentRuntime runtime(Store store, Wakeups wakeups, CountDownLatch asked) {
        Script script = Scripts.on(
                "lead",
                Turn.answers(request -> {
                            asked.countDown();
                            Waiting.on(mayEnd);
                            return Steps.said(
                                    "Heard " + request.messages().getLast().text());
                        })
                        .forever());
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .wakeups(wakeups)
                .closeGrace(Duration.ZERO)
                .agents(Agent.builder("lead").model(script.modelFor("lead")).build())
                .build();
    }
}
