package dev.chargehand.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.chargehand.internal.fact.CallKind;
import dev.chargehand.internal.fact.ChildEnd;
import dev.chargehand.internal.fact.ChildLink;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RequestedCall;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.fact.task.Background;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.model.FinishReason;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * To add a fact, and to find out what comes next, costs the same in a small run and in one that is 32 times as large. Both are measured in the same way, so that the machine does not matter: what is compared is the cost of a fact
 * in one run with that in the other.
 */
class FoldCostTest {

    private static final int FEW = 500;
    private static final int MANY = 32 * FEW;
    private static final int ATTEMPTS = 5;
    private static final RunId RUN = new RunId("run_1");
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** A run of many calls. */
    enum Shape {
        ALL_IN_ONE_STEP {
            @Override
            List<Fact> facts(int calls) {
                List<Fact> facts = new ArrayList<>();
                facts.add(answered(
                        1, IntStream.range(0, calls).mapToObj(Shape::id).toList()));
                IntStream.range(0, calls).forEach(i -> facts.add(opened(id(i))));
                IntStream.range(0, calls).forEach(i -> facts.add(closed(id(i))));
                return facts;
            }
        },
        ONE_IN_EACH_STEP {
            @Override
            List<Fact> facts(int calls) {
                List<Fact> facts = new ArrayList<>();
                for (int i = 0; i < calls; i++) {
                    facts.add(answered(i + 1, List.of(id(i))));
                    facts.add(opened(id(i)));
                    facts.add(closed(id(i)));
                    facts.add(new Fact.StepClosed(
                            i + 1,
                            null,
                            null,
                            null,
                            List.of(),
                            null,
                            false,
                            Spending.NOTHING,
                            null,
                            null,
                            List.of(),
                            NOW));
                }
                return facts;
            }
        };

        abstract List<Fact> facts(int calls);

        private static String id(int call) {
            return "call_" + call;
        }
    }

    private static Fact answered(int step, List<String> callIds) {
        List<RequestedCall> calls = callIds.stream()
                .map(id -> new RequestedCall(id, null, "agent-writer", "{}"))
                .toList();
        return new Fact.Answered(
                step,
                "none/none",
                "",
                "",
                calls,
                FinishReason.TOOL_CALLS,
                Usage.of(1, 1),
                1,
                BigDecimal.ONE,
                null,
                null,
                NOW,
                NOW);
    }

    private static Fact opened(String callId) {
        ChildLink child =
                new ChildLink(new RunId("run_" + callId), "writer", null, null, "Do it", null, null, null, null);
        return new Fact.CallOpened(callId, CallKind.CHILD, "digest", child, NOW);
    }

    private static Fact closed(String callId) {
        ChildEnd end = new ChildEnd(
                new RunId("run_" + callId),
                "writer",
                RunStatus.COMPLETED,
                new StopReason.Finished(),
                "did it",
                Spending.NOTHING);
        return new Fact.CallClosed(callId, Json.of("did it"), null, null, null, null, end, null, null, NOW);
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void aFactAllocatesAsMuchInALargeRunAsInASmallOne(Shape shape) {
        LongSupplier allocated = THREADS::getCurrentThreadAllocatedBytes;
        assertThat(growth(shape, allocated)).isLessThan(2.0); // the trees are one or two levels deeper
    }

    /** What only looks at calls allocates nothing. If a fact looked at all of them, it would take 32 times as long. */
    @ParameterizedTest
    @EnumSource(Shape.class)
    void aFactTakesAsLongInALargeRunAsInASmallOne(Shape shape) {
        LongSupplier processorTime = THREADS::getCurrentThreadCpuTime;
        assertThat(growth(shape, processorTime)).isLessThan(12.0);
    }

    /** Returns how many times as much a fact costs in the large run as in the small one. */
    private static double growth(Shape shape, LongSupplier meter) {
        cost(shape, MANY, meter); // what is compiled on the way counts for neither
        return cost(shape, MANY, meter) / cost(shape, FEW, meter);
    }

    /** Returns the least of the costs of several attempts: all else is somebody else's. */
    private static double cost(Shape shape, int calls, LongSupplier meter) {
        List<Fact> facts = shape.facts(calls);
        long least = Long.MAX_VALUE;
        for (int i = 0; i < ATTEMPTS; i++) {
            long before = meter.getAsLong();
            folded(facts, calls);
            least = Math.min(least, meter.getAsLong() - before);
        }
        return (double) least / facts.size();
    }

    /** Folds facts as the loop does, which asks after each what comes next; and looks at calls as delegations do. */
    private static void folded(List<Fact> facts, int calls) {
        ConversationState state = started();
        String last = "call_" + (calls - 1);
        int seen = 0;
        for (Fact fact : facts) {
            state = state.after(fact);
            seen += state.bails() + state.countOfRunnable() + (state.phase() == Phase.ACT ? 1 : 0);
            seen += state.isWaiting() ? 1 : 0;
            seen += state.call(last).isPresent() ? 1 : 0;
            seen += state.referenced("writer-" + calls).isPresent() ? 1 : 0;
        }
        assertThat(seen).isPositive();
        assertThat(state.referenced("writer-" + calls).map(CallState::callId)).contains(last);
    }

    private static ConversationState started() {
        return State.of(
                        RUN,
                        new Fact.Started(
                                "lead",
                                null,
                                AgentPath.root("lead"),
                                RUN,
                                null,
                                null,
                                null,
                                null,
                                List.of(),
                                List.of(Message.user("Go")),
                                null,
                                OptionValues.DEFAULT.with(Options.RESULT_REFERENCES, true),
                                List.of(),
                                Map.of(),
                                null,
                                null,
                                null,
                                false,
                                null,
                                Background.NONE,
                                NOW),
                        List.of())
                .conversation();
    }
}
