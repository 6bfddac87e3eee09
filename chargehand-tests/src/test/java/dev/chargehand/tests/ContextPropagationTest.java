package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunOptions;
import dev.chargehand.RunStream;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.hook.StepPlan;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import dev.chargehand.spi.ContextPropagator;
import dev.chargehand.spi.ContextPropagator.Captured;
import dev.chargehand.spi.ContextPropagator.Scope;
import dev.chargehand.testkit.Script;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** What a caller has on its thread, its application code finds wherever a run calls it. */
class ContextPropagationTest {

    private static final ThreadLocal<String> USER = new ThreadLocal<>();

    private static final ContextPropagator USERS = () -> {
        String captured = USER.get();
        return () -> {
            String own = USER.get();
            USER.set(captured);
            return () -> USER.set(own);
        };
    };

    /** Answers as the script of the reference does, and notes the user it was asked for. */
    private static final class Asked implements Model {
        private final String name;
        private final Set<String> seen;

        private Asked(String name, Set<String> seen) {
            this.name = name;
            this.seen = seen;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            seen.add("model of " + name + ": " + USER.get());
            boolean hasResults = request.messages().stream()
                    .anyMatch(message -> !message.toolResults().isEmpty());
            return hasResults
                    ? ModelResponse.text("Done", Usage.NONE)
                    : Steps.calling(name.equals("supervisor") ? "agent-worker" : "look", "{\"prompt\":\"P\"}");
        }
    }

    private static Agent crew(Set<String> seen) {
        Agent worker = Agent.builder("worker")
                .description("Works.")
                .model(new Asked("worker", seen))
                .tools(Steps.tool("look", (in, context) -> Steps.noted(seen, "tool: " + USER.get(), "seen")))
                .build();
        return Agent.builder("supervisor")
                .instructionsFrom(context -> Steps.noted(seen, "instructions: " + USER.get(), "You supervise."))
                .model(new Asked("supervisor", seen))
                .agents(worker)
                .build();
    }

    private static void watched(RunOptions.Builder o, Set<String> seen) {
        o.prepareStep(step -> Steps.noted(seen, "prepareStep: " + USER.get(), StepPlan.unchanged()))
                .beforeToolCall(call -> Steps.noted(seen, "beforeToolCall: " + USER.get(), ToolCallDecision.allow()))
                .onDelegationStart(delegation ->
                        Steps.noted(seen, "onDelegationStart: " + USER.get(), DelegationDecision.proceed()))
                .onDelegationComplete(
                        delegation -> Steps.noted(seen, "onDelegationComplete: " + USER.get(), delegation.accept()))
                .onIterationComplete(iteration ->
                        Steps.noted(seen, "onIterationComplete: " + USER.get(), IterationDecision.proceed()))
                .completion(Completion.all(
                        Scorer.of("one", context -> noted(seen, "scorer")),
                        Scorer.of("two", context -> noted(seen, "scorer"))))
                .onFinish(result -> seen.add("onFinish: " + USER.get()))
                .addListener(event -> {
                    if (event instanceof RunEvent.DelegationStart) {
                        seen.add("listener: " + USER.get());
                    }
                });
    }

    private static Score noted(Set<String> seen, String what) {
        seen.add(what + ": " + USER.get());
        return Score.pass();
    }

    @Test
    void modelsToolsHooksScorersAndListenersOfAllLevelsHaveTheCallersContext() {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        try (AgentRuntime runtime =
                AgentRuntime.builder().providers().addContextPropagator(USERS).build()) {
            USER.set("ann");
            Agent bound = runtime.bind(crew(seen));
            bound.generate("Go", o -> watched(o, seen));
            try (RunStream run = bound.stream("Go", o -> watched(o, seen))) {
                USER.set("nobody"); // what the caller does after the start does not count
                run.result();
            }
        } finally {
            USER.remove();
        }
        assertThat(seen)
                .containsExactlyInAnyOrder(
                        "instructions: ann",
                        "model of supervisor: ann",
                        "model of worker: ann",
                        "tool: ann",
                        "prepareStep: ann",
                        "beforeToolCall: ann",
                        "onDelegationStart: ann",
                        "onDelegationComplete: ann",
                        "onIterationComplete: ann",
                        "scorer: ann",
                        "onFinish: ann",
                        "listener: ann");
    }

    @Test
    void runsOfTwoCallersAtOnceDoNotMix() throws InterruptedException {
        List<Set<String>> seen = List.of(ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet());
        CountDownLatch bothRun = new CountDownLatch(2);
        try (AgentRuntime runtime =
                AgentRuntime.builder().providers().addContextPropagator(USERS).build()) {
            List<Thread> callers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                Set<String> own = seen.get(i);
                String user = "user-" + i;
                callers.add(Thread.ofVirtual().start(() -> {
                    USER.set(user);
                    runtime.bind(crew(own))
                            .generate(
                                    "Go",
                                    o -> o.prepareStep(step -> {
                                        bothRun.countDown();
                                        Waiting.on(bothRun);
                                        return StepPlan.unchanged();
                                    }));
                }));
            }
            for (Thread caller : callers) {
                caller.join();
            }
        }
        assertThat(seen.get(0)).isNotEmpty().allMatch(what -> what.endsWith(": user-0"));
        assertThat(seen.get(1)).isNotEmpty().allMatch(what -> what.endsWith(": user-1"));
    }

    @Test
    void aPropagatorThatThrowsChangesNothing() {
        ContextPropagator atCapture = () -> Steps.failing(new IllegalStateException("no capture"));
        ContextPropagator atOpen = () -> () -> Steps.failing(new IllegalStateException("no scope"));
        ContextPropagator atClose = () -> () -> () -> Steps.failing(new IllegalStateException("no end"));
        Set<String> seen = ConcurrentHashMap.newKeySet();
        try (AgentRuntime runtime = AgentRuntime.builder()
                .providers()
                .addContextPropagator(atCapture)
                .addContextPropagator(atOpen)
                .addContextPropagator(USERS)
                .addContextPropagator(atClose)
                .build()) {
            USER.set("ann");
            assertThat(runtime.bind(crew(seen)).generate("Go").text()).isEqualTo("Done");
        } finally {
            USER.remove();
        }
        assertThat(seen).contains("tool: ann");
    }

    @Test
    void theLoggingContextIsCarried() {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        try (AgentRuntime runtime = logging()) {
            MDC.put("request", "r-1");
            runtime.bind(looking(seen)).generate("Go", o -> o.onIterationComplete(
                            iteration -> Steps.noted(seen, "hook: " + MDC.get("request"), IterationDecision.proceed()))
                    .addListener(event -> seen.add("listener: " + MDC.get("request"))));
        } finally {
            MDC.clear();
        }
        assertThat(seen).containsExactlyInAnyOrder("tool: r-1", "hook: r-1", "listener: r-1");
    }

    @Test
    void aThreadHasItsOwnLoggingContextAgainAfterwards() {
        try {
            MDC.clear();
            Captured none = ContextPropagator.loggingContext().capture();
            MDC.put("request", "r-1");
            Captured first = ContextPropagator.loggingContext().capture();
            MDC.put("request", "own");
            try (Scope outer = none.open()) {
                assertThat(MDC.get("request")).isNull();
                try (Scope inner = first.open()) {
                    assertThat(MDC.get("request")).isEqualTo("r-1");
                    MDC.put("request", "changed");
                }
                assertThat(MDC.get("request")).isNull();
            }
            assertThat(MDC.get("request")).isEqualTo("own");
        } finally {
            MDC.clear();
        }
    }

    private static AgentRuntime logging() {
        return AgentRuntime.builder()
                .providers()
                .addContextPropagator(ContextPropagator.loggingContext())
                .build();
    }

    /** Notes the request of the logging context, and leaves another one behind. */
    private static Agent looking(Set<String> seen) {
        Script script = Scripts.on("solo").calls("look", "{}").then().says("Done");
        return Agent.builder("solo")
                .model(script.modelFor("solo"))
                .tools(Steps.tool("look", (in, context) -> {
                    seen.add("tool: " + MDC.get("request"));
                    MDC.put("request", "changed by the tool");
                    return "seen";
                }))
                .build();
    }
}
