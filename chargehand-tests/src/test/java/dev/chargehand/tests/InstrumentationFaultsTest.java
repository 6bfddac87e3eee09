package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunResult;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.StepPlan;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.spi.Instrumentation;
import dev.chargehand.spi.Outcome;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An instrumentation that is broken changes no run, and no other instrumentation. */
class InstrumentationFaultsTest {

    private static final String FAULT = "An instrumentation could not ";

    @SuppressWarnings("NullAway") // breaks the contract on purpose
    private enum Broken implements Instrumentation {
        BEGIN_THROWS {
            @Override
            public Work begin(CallInfo call) {
                throw new IllegalStateException("broken");
            }
        },
        BEGIN_RETURNS_NULL {
            @Override
            public Work begin(CallInfo call) {
                return null;
            }
        },
        OPEN_THROWS {
            @Override
            public Work begin(CallInfo call) {
                return new Work() {
                    @Override
                    public Scope open() {
                        throw new LinkageError("broken");
                    }
                };
            }
        },
        OPEN_RETURNS_NULL {
            @Override
            public Work begin(CallInfo call) {
                return new Work() {
                    @Override
                    public Scope open() {
                        return null;
                    }
                };
            }
        },
        CLOSE_THROWS {
            @Override
            public Work begin(CallInfo call) {
                return new Work() {
                    @Override
                    public Scope open() {
                        return () -> Steps.failing(new IllegalStateException("broken"));
                    }
                };
            }
        },
        END_THROWS {
            @Override
            public Work begin(CallInfo call) {
                return new Work() {
                    @Override
                    public void end(Outcome outcome) {
                        throw new IllegalStateException("broken");
                    }
                };
            }
        }
    }

    private static Script script() {
        return Scripts.of(
                Turns.of("supervisor", Turn.delegates("researcher", "P"), Turn.says("Done")),
                Turns.of("researcher", Turn.calls("ok", "{}"), Turn.says("Fact")));
    }

    private static List<String> events(Instrumentation... instrumentations) {
        TestRuntime.Builder builder = TestRuntime.builder(script());
        for (Instrumentation each : instrumentations) {
            builder.addInstrumentation(each);
        }
        try (TestRuntime test = builder.agents(Crew.supervisorOf(Crew.member("researcher", Crew.OK)))
                .build()) {
            RunResult result = test.agent("supervisor").generate("Go", o -> o.prepareStep(s -> StepPlan.unchanged()));
            assertThat(result.text()).isEqualTo("Done");
            return test.events().stream().map(RunEvent::type).toList();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBrokenInstrumentationChangesNoRun(Broken broken) {
        assertThat(events(broken)).isEqualTo(events());
    }

    @ParameterizedTest
    @EnumSource
    void aBrokenInstrumentationChangesNoOther(Broken broken) {
        Spans before = new Spans();
        Spans after = new Spans();
        events(before, broken, after);
        before.assertClean();
        after.assertClean();
        assertThat(after.of(CallInfo.Kind.TOOL)).hasSize(1);
    }

    @Test
    void faultsAreLoggedOnceAMinute() {
        Script script = Scripts.drafts("solo", "One", "Two", "Three");
        try (TestRuntime test = TestRuntime.builder(script)
                .manualClock()
                .agents(Crew.solo())
                .addInstrumentation(Broken.BEGIN_THROWS)
                .build()) {
            String first = Logged.during(() -> test.agent("solo").generate("Go"));
            assertThat(first).containsOnlyOnce(FAULT + "start a call").contains("broken");
            assertThat(Logged.ifAny(() -> test.agent("solo").generate("Go"))).doesNotContain(FAULT);
            test.clock().advance(Duration.ofMinutes(1));
            assertThat(Logged.during(() -> test.agent("solo").generate("Go"))).containsOnlyOnce(FAULT);
        }
    }

    @Test
    void anInstrumentationMayIgnoreEverything() {
        assertThat(events(Instrumentation.NONE, call -> new Instrumentation.Work() {}))
                .isEqualTo(events());
    }
}
