package dev.chargehand.verify.workflows;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunListener;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.Store;
import dev.chargehand.verify.kill.plan.Effect;
import dev.chargehand.verify.kill.plan.EffectSink;
import dev.chargehand.verify.kill.plan.Scenario;
import dev.chargehand.verify.kill.plan.Subject;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowContext;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A workflow of random parts, which its name determines, so that it is the same in each process. An object is used by one runtime at a time. */
public final class RandomWorkflow implements Subject {

    private static final String PREFIX = "workflow-";
    private static final String REPEATABLE = "again";
    private static final String ONCE = "once";

    /** What a step takes at most, so that others run meanwhile. */
    private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

    private final String name;
    private final List<Part> parts;
    private final long input;
    private final Workflow<Long, Long> workflow;
    private volatile EffectSink effects = effect -> {};

    private RandomWorkflow(String name, List<Part> parts, long input) {
        this.name = name;
        this.parts = parts;
        this.input = input;
        this.workflow = new Definition(this::work).of(parts);
    }

    /**
     * How a run must end.
     *
     * @param text what a result says
     * @param calls those that must be made, such as {@code e1[2]#1}
     */
    public record Expected(String text, Set<String> calls) {}

    /** Make one. */
    public static RandomWorkflow next(SplittableRandom random) {
        return of(PREFIX + random.nextLong());
    }

    /** Make the one of a name. */
    public static RandomWorkflow of(String name) {
        SplittableRandom random = new SplittableRandom(Long.parseLong(name.substring(PREFIX.length()))).split();
        return new RandomWorkflow(name, Part.killed(random), random.nextInt(1_000));
    }

    /** Return whether a name is that of a workflow. */
    public static boolean isName(String name) {
        return name.startsWith(PREFIX);
    }

    /**
     * Return how a run ends.
     *
     * @param unknown the calls whose outcome is unknown
     */
    public Expected expected(Set<String> unknown) {
        Interpreter interpreter = new Interpreter(unknown);
        String end = interpreter.run(parts, input);
        return new Expected(text(end, interpreter.state), Set.copyOf(interpreter.calls));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public AgentRuntime runtime(EffectSink sink, Store store, TimeSource time, RunListener listener) {
        effects = sink;
        return AgentRuntime.builder()
                .store(store)
                .timeSource(time)
                .providers()
                .anyoneMayApprove()
                .addListener(listener)
                .workflows(workflow)
                .build();
    }

    private void work(Part.Work work, String call, WorkflowContext context) {
        LockSupport.parkNanos(Math.floorMod(call.hashCode() * 7_919L, MOST_NANOS));
        effects.carryOut(new Effect(
                work.once() ? ONCE : REPEATABLE,
                call,
                context.idempotencyKey(),
                context.callId().orElseThrow(),
                context.attempt()));
    }

    @Override
    public RunResult run(AgentRuntime runtime) {
        return runtime.start(workflow, input, o -> o.timeLimit(TimeLimit.RUN, Scenario.LONGEST))
                .result();
    }

    @Override
    public String text(RunResult result) {
        return text(
                WorkflowsHarness.ended(result),
                result.workflowState()
                        .map(state -> state.as(Definition.stateType()))
                        .orElse(Map.of()));
    }

    private static String text(String end, Map<String, Long> state) {
        return end + " with " + new TreeMap<>(state);
    }

    @Override
    public Object data(PendingApproval question) {
        return Questions.Question.of(question).answer();
    }

    @Override
    public boolean isRepeatable(String tool) {
        return tool.equals(REPEATABLE);
    }

    @Override
    public String toString() {
        return name + " of " + parts + " with " + input;
    }
}
