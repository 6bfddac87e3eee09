package dev.chargehand.config.internal.crew;

import dev.chargehand.Agent;
import dev.chargehand.config.internal.file.ToolEntry;
import dev.chargehand.config.internal.workflow.Comparison;
import dev.chargehand.config.internal.workflow.EntryDefinition;
import dev.chargehand.config.internal.workflow.JsonTemplate;
import dev.chargehand.config.internal.workflow.RunValues;
import dev.chargehand.config.internal.workflow.StepDefinition;
import dev.chargehand.config.internal.workflow.WorkflowDefinition;
import dev.chargehand.document.Setting;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Branch;
import dev.chargehand.workflow.Condition;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Entry;
import dev.chargehand.workflow.Outputs;
import dev.chargehand.workflow.Repeat;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowBuilder;
import dev.chargehand.workflow.WorkflowContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Builds the workflows of the file, whose values are JSON. Each is built once. Not thread-safe. */
final class WorkflowAssembly {

    private static final JsonSchema ANY = JsonSchema.of(Json.of(Map.of()));

    private final Function<Setting, Agent> agents;
    private final Function<ToolEntry, Tool> tools;
    private final Function<Setting, WorkflowDefinition> definitions;
    private final Map<String, Workflow<Json, Json>> built = new HashMap<>();

    /** Prepare building with the agents, the tools and the definitions of workflows that steps name. */
    WorkflowAssembly(
            Function<Setting, Agent> agents,
            Function<ToolEntry, Tool> tools,
            Function<Setting, WorkflowDefinition> definitions) {
        this.agents = agents;
        this.tools = tools;
        this.definitions = definitions;
    }

    /** Return a workflow, what its steps name first; the file has no cycles. */
    Workflow<Json, Json> workflow(WorkflowDefinition definition) {
        Workflow<Json, Json> there = built.get(definition.id());
        if (there != null) {
            return there;
        }
        try {
            WorkflowBuilder<Json, Object> builder =
                    any(Workflow.from(definition.id(), definition.input() == null ? ANY : definition.input()));
            if (!definition.description().isEmpty()) {
                builder = builder.description(definition.description());
            }
            if (definition.version() != null) {
                builder = builder.version(definition.version());
            }
            if (definition.state() != null) {
                builder = any(builder.state(JsonSchema.of(Json.of(Map.of("type", "object"))), definition.state()));
            }
            for (EntryDefinition entry : definition.entries()) {
                builder = with(entry, builder);
            }
            Workflow<Json, Json> made = builder.build(definition.output() == null ? ANY : definition.output());
            built.put(definition.id(), made);
            return made;
        } catch (ConfigurationException e) {
            throw e.getMessage().startsWith(definition.at().source())
                    ? e
                    : definition.at().error(e.getMessage());
        }
    }

    private WorkflowBuilder<Json, Object> with(EntryDefinition entry, WorkflowBuilder<Json, Object> builder) {
        return switch (entry) {
            case EntryDefinition.Then then -> then(then.step(), builder);
            case EntryDefinition.Sleep sleep -> builder.sleep(sleep.id(), sleep.duration());
            case EntryDefinition.SleepUntil sleep ->
                builder.sleepUntil(sleep.id(), (value, context) -> sleep.time().time(values(value, context)));
            case EntryDefinition.Parallel parallel ->
                failing(any(builder.parallel(parallel.id(), steps(parallel))), parallel.cancels());
            case EntryDefinition.BranchAll branch ->
                failing(any(builder.branchAll(branch.id(), cases(branch))), branch.cancels());
            case EntryDefinition.Loop loop -> loop(loop, builder);
            case EntryDefinition.Branch branch -> any(builder.branch(branch.id(), branch(branch)));
            case EntryDefinition.Foreach foreach -> foreach(foreach, builder);
        };
    }

    private static WorkflowBuilder<Json, Object> failing(WorkflowBuilder<Json, Object> builder, boolean cancels) {
        return cancels ? builder.onFailure(Entry.Failure.CANCEL_SIBLINGS) : builder;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private Branch.Cases<Object, Object>[] cases(EntryDefinition.BranchAll branch) {
        return branch.cases().stream()
                .map(each -> Branch.when(
                        each.step().id(),
                        (Object json, WorkflowContext context) -> each.when().holds(values(json, context)),
                        step(each.step())))
                .toArray(Branch.Cases[]::new);
    }

    private WorkflowBuilder<Json, Object> loop(EntryDefinition.Loop loop, WorkflowBuilder<Json, Object> builder) {
        Step<Object, Object> step = step(loop.step());
        Condition<Object> condition = (value, context) -> loop.condition().holds(values(value, context));
        Repeat repeat = Repeat.atMost(loop.most());
        return loop.until() ? builder.doUntil(step, condition, repeat) : builder.doWhile(step, condition, repeat);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private Step<Object, Object>[] steps(EntryDefinition.Parallel parallel) {
        return parallel.steps().stream().map(this::step).toArray(Step[]::new);
    }

    private Branch<Object, Object> branch(EntryDefinition.Branch branch) {
        Branch.@Nullable Cases<Object, Object> cases = null;
        int number = 1;
        for (Map.Entry<String, StepDefinition> each : branch.cases().entrySet()) {
            String value = each.getKey();
            String name = value.matches("[A-Za-z0-9_-]{1,64}") ? value : "case-" + number;
            Step<Object, Object> step = step(each.getValue());
            cases = cases == null
                    ? Branch.when(
                            name,
                            (json, context) -> new Comparison(branch.pointer(), value).holds(values(json, context)),
                            step)
                    : cases.when(
                            name,
                            (json, context) -> new Comparison(branch.pointer(), value).holds(values(json, context)),
                            step);
            number++;
        }
        if (cases == null) {
            throw new IllegalStateException("A branch without cases was read.");
        }
        StepDefinition otherwise = branch.otherwise();
        return cases.otherwise(otherwise == null ? pass(branch.passId()) : step(otherwise));
    }

    /** The types of the steps of a branch and of its input may differ, so that the input cannot simply be its output. */
    private static Step<Object, Object> pass(String id) {
        return any(Step.of(id, ANY, ANY, (value, context) -> value).repeatable());
    }

    private WorkflowBuilder<Json, Object> foreach(
            EntryDefinition.Foreach foreach, WorkflowBuilder<Json, Object> builder) {
        Step<Object, Object> step = step(foreach.step());
        Each each = Each.concurrency(foreach.concurrency());
        String id = foreach.step().id();
        WorkflowBuilder<Json, Object> with = foreach.collect()
                ? any(builder.foreach(
                        id, (value, context) -> items(foreach, values(value, context)), step, each.collect()))
                : any(builder.foreach(id, (value, context) -> items(foreach, values(value, context)), step, each));
        return failing(with, foreach.cancels());
    }

    /** The items of a tool with arguments of its own are these, one for each item. */
    private static List<Json> items(EntryDefinition.Foreach foreach, RunValues values) {
        List<Json> items = foreach.items().list(values);
        JsonTemplate arguments = arguments(foreach.step());
        return arguments == null
                ? items
                : items.stream()
                        .map(item -> arguments.value(new RunValues(item, values.context())))
                        .toList();
    }

    /** The arguments of a tool are its input, which an approver sees: so they are made before it. */
    private WorkflowBuilder<Json, Object> then(StepDefinition step, WorkflowBuilder<Json, Object> builder) {
        JsonTemplate arguments = arguments(step);
        WorkflowBuilder<Json, Object> before = arguments == null
                ? builder
                : any(builder.map(
                        step.id() + "-input", Json.class, (value, context) -> arguments.value(values(value, context))));
        return any(before.then(step(step)));
    }

    private static @Nullable JsonTemplate arguments(StepDefinition step) {
        return step.work() instanceof StepDefinition.OfTool of ? of.arguments() : null;
    }

    private Step<Object, Object> step(StepDefinition definition) {
        Step<Json, Json> step = work(definition);
        if (definition.retries() > 0) {
            step = step.retries(definition.retries(), definition.backoff());
        }
        Duration timeout = definition.timeout();
        if (timeout != null) {
            step = step.timeout(timeout);
        }
        JsonTemplate fallback = definition.fallback();
        if (fallback != null) {
            step = step.fallback((value, error, context) -> fallback.value(values(value, context)));
        }
        return any(definition.optional() ? step.optional() : step);
    }

    private Step<Json, Json> work(StepDefinition definition) {
        String id = definition.id();
        return switch (definition.work()) {
            case StepDefinition.OfAgent of -> {
                Agent agent = agents.apply(of.agent());
                yield agent.asStep(id, ANY, (value, context) -> of.prompt().text(values(value, context)));
            }
            case StepDefinition.OfTool of ->
                Step.tool(tools.apply(new ToolEntry(of.tool(), of.approval()))).withId(id);
            case StepDefinition.OfWorkflow of -> {
                Workflow<Json, Json> nested = workflow(definitions.apply(of.workflow()));
                yield Step.builder(id, ANY, nested.output())
                        .delegate(nested, (value, context) -> of.input().value(values(value, context)))
                        .build();
            }
            case StepDefinition.Mapping mapping ->
                Step.of(id, ANY, ANY, (value, context) -> mapping.value().value(values(value, context)))
                        .repeatable();
            case StepDefinition.StatePatch set ->
                Step.of(id, ANY, ANY, (value, context) -> {
                            context.updateState(set.patch().value(values(value, context)));
                            return value;
                        })
                        .repeatable();
            case StepDefinition.Ask ask -> {
                JsonSchema answer = ask.answer() == null ? ANY : ask.answer();
                yield Step.builder(id, ANY, answer)
                        .suspends(ANY, answer)
                        .handler((value, context) -> context.resumeData()
                                .orElseGet(() -> context.suspend(
                                        Map.of("question", ask.question().text(values(value, context))))))
                        .build()
                        .repeatable();
            }
        };
    }

    private static RunValues values(Object value, WorkflowContext context) {
        return new RunValues(asJson(value), context);
    }

    /** Return a value between entries as JSON; those with several steps give other types. */
    private static Json asJson(@Nullable Object value) {
        return switch (value) {
            case null -> Json.of(null);
            case Json json -> json;
            case Outputs outputs -> outputs.json();
            case Optional<?> optional -> asJson(optional.orElse(null));
            case List<?> list ->
                Json.of(list.stream().map(WorkflowAssembly::asJson).toList());
            default -> Json.of(value);
        };
    }

    /** Forget the type of the value: all readers take it as JSON. */
    @SuppressWarnings("unchecked") // see above
    private static WorkflowBuilder<Json, Object> any(WorkflowBuilder<Json, ?> builder) {
        return (WorkflowBuilder<Json, Object>) builder;
    }

    /** Forget the types of a step: it reads its input itself, and its output is taken as JSON. */
    @SuppressWarnings("unchecked") // see above
    private static Step<Object, Object> any(Step<Json, ?> step) {
        return (Step<Object, Object>) (Step<?, ?>) step;
    }
}
