package dev.chargehand.verify.failure;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.RunStream;
import dev.chargehand.background.Disposition;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.event.RunListener;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.DelegationVerdict;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelResponse.RequestedCall;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.processor.InputStepProcessor;
import dev.chargehand.processor.OutputResultProcessor;
import dev.chargehand.processor.OutputStepProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.processor.ProcessorFunction;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.run.Usage;
import dev.chargehand.spi.IdSource;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.Store;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolHandler;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Branch;
import dev.chargehand.workflow.Condition;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.StepHandler;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowFunction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** A run that uses every interface: a tool, a delegation that uses it too, hooks, a scorer, a listener, a thread. */
final class Scenario {

    /** The step of the workflow that may be executed again. */
    private static final String REPEATED = "say";

    /** Longer than a wake-up that has failed takes to be repeated. */
    private static final Duration QUIET = Duration.ofSeconds(10);

    /** What the store may take where it is another part that hangs: with many runs and much load it is slow. */
    private static final Duration SLOW_STORE = Duration.ofSeconds(20);

    private final Kind kind;
    private final FaultPoint point;
    private final Store store;
    private final TimeSource time;
    private final Duration limit;
    private final String thread;
    private final Workflow<String, String> workflow;
    private final Map<String, Integer> executions = new ConcurrentHashMap<>();

    /**
     * Make a scenario.
     *
     * @param kind what kind of run it is
     * @param limit how long anything but the run may take
     * @param thread the id of the run's conversation
     */
    Scenario(Kind kind, FaultPoint point, Store store, TimeSource time, Duration limit, String thread) {
        this.kind = kind;
        this.point = point;
        this.store = store;
        this.time = time;
        this.limit = limit;
        this.thread = thread;
        this.workflow = workflow();
    }

    /** What the tool takes. */
    record Query(String q) {}

    /** What the answer of a structured run is to be. */
    record Report(String report) {}

    /** Return whether a call returns what is not so, such as that a run is missing. */
    boolean isMisled() {
        return point.isWrong();
    }

    Kind kind() {
        return kind;
    }

    /** Return how often the tool was executed under each key. */
    Map<String, Integer> executions() {
        return executions;
    }

    /** Make a runtime in which one call fails. */
    AgentRuntime runtime() {
        return AgentRuntime.builder()
                .providers()
                .store(point.before(Part.STORE, Store.class, store))
                .storeTimeLimit(point.isOf(Part.STORE) ? limit : SLOW_STORE)
                .timeSource(point.before(Part.CLOCK, TimeSource.class, time))
                .idSource(point.before(Part.IDS, IdSource.class, IdSource.secure()))
                .workflows(workflow)
                .agents(boss())
                .build();
    }

    /** Start the workflow. */
    RunHandle start(AgentRuntime runtime, Consumer<RunOptions.Builder> options) {
        return runtime.start(workflow, "in", options);
    }

    /** Start the workflow and watch it. */
    RunStream stream(AgentRuntime runtime) {
        return runtime.stream(workflow, "in", this::options);
    }

    private Workflow<String, String> workflow() {
        Step<String, String> said = step(REPEATED).repeatable().retries(1, Backoff.fixed(Duration.ofMillis(1)));
        return Workflow.from("work", String.class)
                .then(step("look"))
                .parallel("both", step("left"), step("right").fallback((in, error, context) -> "fallback"))
                .map("words", String.class, function((outputs, context) -> "Done with it."))
                .branch("choice", Branch.when("long", condition(), step("cut")).otherwise(step("keep")))
                .foreach("each", function((in, context) -> List.of(in.split(" ", -1))), said, Each.concurrency(2))
                .map("join", String.class, function((words, context) -> String.join(" ", words)))
                .build(String.class);
    }

    private Step<String, String> step(String id) {
        StepHandler<String, String> handler = (in, context) -> {
            if (!id.equals(REPEATED)) {
                executions.merge(context.idempotencyKey() + " " + context.attempt(), 1, Integer::sum);
            }
            return in;
        };
        @SuppressWarnings("unchecked")
        StepHandler<String, String> failing = point.before(Part.TOOL, StepHandler.class, handler);
        return Step.of(id, String.class, String.class, failing);
    }

    @SuppressWarnings("unchecked")
    private Condition<String> condition() {
        Condition<String> isLong = (in, context) -> in.length() > 20;
        return point.before(Part.HOOK, Condition.class, isLong);
    }

    @SuppressWarnings("unchecked")
    private <A, B> WorkflowFunction<A, B> function(WorkflowFunction<A, B> function) {
        return point.before(Part.HOOK, WorkflowFunction.class, function);
    }

    private Agent boss() {
        Agent helper = agent("helper", "Found it.", new RequestedCall("h", "look", "{\"q\":\"b\"}"))
                .build();
        return agent(
                        "boss",
                        "Done with it.",
                        new RequestedCall("a", "look", "{\"q\":\"a\"}"),
                        new RequestedCall("b", "agent-helper", "{\"prompt\":\"Help\"}"))
                .agents(helper)
                .background(b -> {
                    if (kind == Kind.TASK) {
                        b.agent("helper", Disposition.ALWAYS);
                    }
                })
                .build();
    }

    /** Decide for the boss's tool, then for its helper, and then say what an ordinary boss says. */
    private static ModelResponse decide(ModelRequest request) {
        long done = request.messages().stream()
                .filter(message -> message.role() == Role.USER && message.text().startsWith("<"))
                .count();
        String decision =
                switch ((int) done) {
                    case 0 -> decision("look", "tool", "{\\\"q\\\":\\\"a\\\"}");
                    case 1 -> decision("helper", "agent", "Help");
                    default -> decision("none", "none", "Done with it.");
                };
        return ModelResponse.text(decision, new Usage(5, 5, 0, 0));
    }

    private static String decision(String id, String type, String prompt) {
        return "{\"primitiveId\":\"" + id + "\",\"primitiveType\":\"" + type + "\",\"prompt\":\"" + prompt
                + "\",\"selectionReason\":\"It is next.\"}";
    }

    private AgentBuilder agent(String id, String answer, RequestedCall... calls) {
        ToolHandler<Query> look = (in, context) -> {
            executions.merge(context.idempotencyKey(), 1, Integer::sum);
            return "seen " + in.q();
        };
        @SuppressWarnings("unchecked")
        ToolHandler<Query> handler = point.before(Part.TOOL, ToolHandler.class, look);
        return Agent.builder(id)
                .description("Is " + id + ".")
                .model(point.before(Part.MODEL, Model.class, new TwoAnswers(kind, id, answer, List.of(calls))))
                .tools(Tool.of("look", "Looks.", Query.class, handler));
    }

    /** Calls first, and answers when there are results. */
    private record TwoAnswers(Kind kind, String name, String answer, List<RequestedCall> calls) implements Model {

        /** Return whether the answer was not an object, and is to be one now. */
        private boolean isCorrected(ModelRequest request) {
            return kind == Kind.STRUCTURED && request.messages().getLast().internal();
        }

        /** Return whether the calls have results; the next turn starts with the result of a task. */
        private boolean hasCalled(ModelRequest request) {
            return kind == Kind.TASK
                    ? request.messages().stream().anyMatch(message -> message.role() == Role.TOOL)
                    : request.messages().getLast().role() == Role.TOOL;
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            if (kind == Kind.NETWORK && request.output() != null) {
                return decide(request);
            }
            if (isCorrected(request)) {
                return ModelResponse.text(kind.answer(), new Usage(5, 5, 0, 0));
            }
            if (!hasCalled(request)) {
                return new ModelResponse("", "", calls, FinishReason.TOOL_CALLS, new Usage(5, 5, 0, 0));
            }
            for (String word : answer.split("(?<= )", -1)) {
                call.delta(new ModelDelta.Text(word));
            }
            return ModelResponse.text(answer, new Usage(5, 5, 0, 0));
        }
    }

    /** Set the options of the run. */
    void options(RunOptions.Builder options) {
        if (kind == Kind.WORKFLOW) {
            options.timeLimit(TimeLimit.TOOL, limit)
                    .timeLimit(TimeLimit.HOOK, limit)
                    .onFinish(observer())
                    .onError(observer())
                    .addListener(point.before(Part.LISTENER, RunListener.class, event -> {}));
            return;
        }
        for (TimeLimit each : List.of(TimeLimit.FIRST_TOKEN, TimeLimit.IDLE, TimeLimit.TOOL, TimeLimit.HOOK)) {
            options.timeLimit(each, limit);
        }
        options.thread(thread)
                .retries(1)
                .beforeToolCall(hook(call -> ToolCallDecision.allow()))
                .onDelegationStart(hook(start -> DelegationDecision.proceed()))
                .onDelegationComplete(hook(end -> DelegationVerdict.accept()))
                .onStepFinish(observer())
                .onFinish(observer())
                .onError(observer())
                .addListener(point.before(Part.LISTENER, RunListener.class, event -> {}));
        if (kind != Kind.PLAIN) {
            betweenSteps(options);
        }
        if (kind == Kind.TASK) {
            options.timeLimit(TimeLimit.QUIET, QUIET);
        }
        if (kind == Kind.STRUCTURED) {
            options.structuredOutput(StructuredOutput.of(Report.class))
                    .inputProcessors(
                            InputProcessor.of("input", processor()), InputStepProcessor.of("conversation", processor()))
                    .outputProcessors(
                            OutputStepProcessor.of("answer", processor()),
                            OutputResultProcessor.of("result", processor()));
        }
    }

    /** Set what decides whether the run continues after a step. */
    private void betweenSteps(RunOptions.Builder options) {
        options.onIterationComplete(hook(step -> IterationDecision.proceed()))
                .stopWhen(predicate())
                .completion(Completion.all(point.before(
                                Part.SCORER,
                                Scorer.class,
                                Scorer.of(
                                        "fine",
                                        answer -> new Score(
                                                kind != Kind.NETWORK
                                                                || answer.text().equals(kind.answer())
                                                        ? 1
                                                        : 0,
                                                "Fine."))))
                        .scorerTimeout(limit)
                        .timeout(limit));
    }

    @SuppressWarnings("unchecked")
    private <T> ProcessorFunction<T> processor() {
        ProcessorFunction<T> unchanged = (context, value) -> Processed.unchanged();
        return point.before(Part.PROCESSOR, ProcessorFunction.class, unchanged);
    }

    @SuppressWarnings("unchecked")
    private <A, B> Function<A, B> hook(Function<A, B> hook) {
        return point.before(Part.HOOK, Function.class, hook);
    }

    @SuppressWarnings("unchecked")
    private <A> Predicate<A> predicate() {
        Predicate<A> never = step -> false;
        return point.before(Part.HOOK, Predicate.class, never);
    }

    @SuppressWarnings("unchecked")
    private <A> Consumer<A> observer() {
        Consumer<A> silent = heard -> {};
        return point.before(Part.HOOK, Consumer.class, silent);
    }
}
