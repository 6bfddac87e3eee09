package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunOptions;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.DelegationVerdict;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.message.Message;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.tests.Both.Ran;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A hook that throws, says nothing, or answers when its time is up fails in the same way: what it says changes nothing. */
class LateHooksTest {

    private static final Duration LIMIT = Duration.ofSeconds(11);

    private enum Fault {
        THROWS,
        RETURNS_NULL,
        ANSWERS_LATE
    }

    /** A hook whose first call goes wrong. */
    private static final class Faulty {

        private final Fault fault;
        private final AtomicBoolean asked = new AtomicBoolean();
        private final CountDownLatch called = new CountDownLatch(1);
        private final CountDownLatch answered = new CountDownLatch(1);

        private Faulty(Fault fault) {
            this.fault = fault;
        }

        /** Says nothing that matters, but for the first time. */
        <T> @Nullable T say(T wanted, T neutral) {
            if (asked.getAndSet(true)) {
                return neutral;
            }
            if (fault == Fault.ANSWERS_LATE) {
                answerLate();
                return wanted;
            }
            answered.countDown();
            if (fault == Fault.THROWS) {
                throw new IllegalStateException("bad hook");
            }
            return null;
        }

        /** Hears something; there is nothing to say, so that it cannot say nothing. */
        void hear() {
            if (say(true, true) == null) {
                throw new IllegalStateException("bad observer");
            }
        }

        private void answerLate() {
            called.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                answered.countDown(); // its time is up, and only now it answers
            }
        }
    }

    /** A kind of hook, how it is set, and whether it guards. */
    private record Kind(String name, boolean guards, BiConsumer<RunOptions.Builder, Faulty> set) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final List<Kind> KINDS = List.of(
            new Kind(
                    "beforeToolCall",
                    true,
                    (o, f) -> o.beforeToolCall(c -> f.say(ToolCallDecision.allow(), ToolCallDecision.allow()))),
            new Kind(
                    "onDelegationStart",
                    true,
                    (o, f) -> o.onDelegationStart(d ->
                            f.say(DelegationDecision.proceed().withPrompt("Other"), DelegationDecision.proceed()))),
            new Kind(
                    "messageFilter",
                    true,
                    (o, f) -> o.messageFilter(m -> f.say(List.of(Message.user("Other")), m.messages()))),
            new Kind("observeDelegationStart", false, (o, f) -> o.observeDelegationStart(d -> f.hear())),
            new Kind(
                    "onDelegationComplete",
                    false,
                    (o, f) -> o.onDelegationComplete(
                            d -> f.say(DelegationVerdict.bail().withText("Other"), d.accept()))),
            new Kind(
                    "onIterationComplete",
                    false,
                    (o, f) -> o.onIterationComplete(
                            it -> f.say(IterationDecision.stopWith("Other"), IterationDecision.proceed()))),
            new Kind("stopWhen[0]", false, (o, f) -> o.stopWhen(step -> f.say(true, false))),
            new Kind("onStepFinish", false, (o, f) -> o.onStepFinish(step -> f.hear())));

    static Stream<Arguments> faults() {
        return KINDS.stream().flatMap(kind -> Stream.of(Fault.values()).map(fault -> Arguments.of(kind, fault)));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aHookThatFailsSaysNothing(Kind kind, Fault fault) {
        List<Faulty> runs = new ArrayList<>();
        Ran ran = Both.ways(() -> {
                    Faulty faulty = new Faulty(fault);
                    runs.add(faulty);
                    // what is late comes while the run goes on
                    return Scripts.of(
                            Turns.of(
                                    "supervisor",
                                    Turn.delegates("researcher", "P"),
                                    Turn.waitsFor(faulty.answered).and(Turn.says("Done"))),
                            Turns.saying("researcher", "Fact"));
                })
                .agent(Crew.supervisor())
                .options(o -> {
                    o.timeLimit(TimeLimit.HOOK, LIMIT);
                    kind.set().accept(o, runs.getLast());
                })
                .driving(clock -> passTheLimit(clock, runs.getLast()))
                .run();
        assertThat(ran.result()).finished().hasText("Done");
        assertThat(ran.events().stream().filter(RunEvent.HookError.class::isInstance))
                .singleElement()
                .satisfies(
                        event -> assertThat(((RunEvent.HookError) event).hook()).isEqualTo(kind.name()));
        List<String> second = ran.request("supervisor", 2);
        assertThat(second).hasSize(4).noneMatch(line -> line.contains("Other"));
        if (kind.guards()) {
            assertThat(ran.script().requestsOf("researcher")).isEmpty();
            assertThat(second.getLast())
                    .startsWith("tool: agent-researcher error: ")
                    .contains("was not called");
        } else {
            assertThat(ran.request("researcher", 1)).last().isEqualTo("user: P");
            assertThat(second.getLast()).isEqualTo("tool: agent-researcher = Fact");
        }
    }

    @Test
    void aRefusalWithoutAReasonIsAFailedGuardAndStillRefuses() {
        List<Consumer<RunOptions.Builder>> guards = List.of(
                o -> o.beforeToolCall(c -> ToolCallDecision.deny(null)),
                o -> o.onDelegationStart(d -> DelegationDecision.reject(null)));
        for (Consumer<RunOptions.Builder> guard : guards) {
            Ran ran = Both.run(Crew.supervisor(), guard, Turn.delegates("researcher", "P"), Turn.says("Done"));
            assertThat(ran.result()).finished().hasText("Done").toolFailed("agent-researcher", "was not called");
        }
    }

    /** A hook that has not been called yet when its time is up is never called. */
    private static void passTheLimit(ManualClock clock, Faulty hook) {
        if (hook.fault == Fault.ANSWERS_LATE) {
            clock.awaitAlarm(LIMIT);
            Waiting.on(hook.called);
            clock.advance(LIMIT);
        }
    }
}
