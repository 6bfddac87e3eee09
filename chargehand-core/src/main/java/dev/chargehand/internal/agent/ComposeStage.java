package dev.chargehand.internal.agent;

import dev.chargehand.hook.Hook;
import dev.chargehand.hook.StepContext;
import dev.chargehand.hook.StepPlan;
import dev.chargehand.internal.agent.model.ProcessorChain;
import dev.chargehand.internal.agent.model.StepRequest;
import dev.chargehand.internal.agent.network.Router;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.Hooks;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.RoutingDecision;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.model.ToolDefinition;
import dev.chargehand.processor.InputStepProcessor;
import dev.chargehand.run.ProcessorPhase;
import dev.chargehand.run.StructuredOutput;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * First stage: makes the request of a step of the conversation as processors let it pass, the instructions and what
 * {@code prepareStep} says.
 */
final class ComposeStage {

    private final RunScope run;
    private final Hooks hooks;
    private final ModelView view;

    ComposeStage(RunScope run, Hooks hooks) {
        this.run = run;
        this.hooks = hooks;
        this.view = new ModelView(run);
    }

    StepRequest compose(State state) {
        List<Message> conversation = Transcript.conversation(state);
        ProcessorChain processing = new ProcessorChain(
                run, state.stepNumber(), conversation, state.rejected().size());
        ProcessorChain.Passed<List<Message>> passed = processing.ask(
                run.options().get(Options.INPUT_PROCESSORS, InputStepProcessor.class),
                ProcessorPhase.INPUT_STEP,
                conversation,
                InputStepProcessor::processInputStep);
        StepPlan plan = passed.trip() == null ? plan(state, passed.value()) : StepPlan.unchanged();
        ToolChoice choice = choice(state, plan);
        List<String> active = plan.activeTools() == null ? run.options().get(Options.ACTIVE_TOOLS) : plan.activeTools();
        run.toolbox().requireKnown(active, "prepareStep");
        List<String> offered = choice instanceof ToolChoice.None ? List.of() : active;
        if (state.isRouting()) {
            return new StepRequest(
                    decision(passed.value(), plan, offered), models(plan), offered, processing, passed.trip());
        }
        List<ToolDefinition> tools = run.toolbox().definitions(offered);
        ModelRequest request =
                new ModelRequest(messages(passed.value(), plan), tools, choice, modelSettings(plan), output());
        return new StepRequest(request, models(plan), offered, processing, passed.trip());
    }

    /** A router is offered no tools: it says in words which of them is to be called. */
    private ModelRequest decision(List<Message> conversation, StepPlan plan, @Nullable List<String> offered) {
        Router router = new Router(run.toolbox().offered(offered));
        List<Message> messages = new ArrayList<>();
        messages.add(Message.system(router.instructions(run.instructions())));
        messages.addAll(Router.conversation(view.bounded(chosen(conversation, plan))));
        return new ModelRequest(messages, List.of(), ToolChoice.none(), modelSettings(plan), RoutingDecision.SCHEMA);
    }

    private ModelSettings modelSettings(StepPlan plan) {
        return plan.modelSettings() == null ? run.options().get(Options.MODEL_SETTINGS) : plan.modelSettings();
    }

    /** Where another model makes the object, the agent's own writes what it likes. */
    private @Nullable JsonSchema output() {
        StructuredOutput wanted = run.options().get(Options.STRUCTURED_OUTPUT);
        return wanted == null || !run.structuringModels().isEmpty() ? null : wanted.schema();
    }

    private StepPlan plan(State state, List<Message> conversation) {
        var prepareStep = run.options().get(Options.PREPARE_STEP);
        StepContext context = prepareStep == null ? null : run.stepContext(state, conversation);
        return prepareStep == null || context == null
                ? StepPlan.unchanged()
                : hooks.ask(
                        state.stepNumber(), Hook.PREPARE_STEP, StepPlan.unchanged(), () -> prepareStep.apply(context));
    }

    /** The one answer after a stop with feedback is made without tools. */
    private ToolChoice choice(State state, StepPlan plan) {
        if (state.lastStop().isPresent()) {
            return ToolChoice.none();
        }
        return plan.toolChoice() == null ? run.options().get(Options.TOOL_CHOICE) : plan.toolChoice();
    }

    private List<Message> messages(List<Message> conversation, StepPlan plan) {
        List<Message> messages = new ArrayList<>();
        if (!run.instructions().isBlank()) {
            messages.add(Message.system(run.instructions()));
        }
        messages.addAll(view.fenced(chosen(conversation, plan)));
        return messages;
    }

    private static List<Message> chosen(List<Message> conversation, StepPlan plan) {
        return plan.messages() == null ? conversation : plan.messages();
    }

    private List<Model> models(StepPlan plan) {
        ModelChoice other = plan.model();
        return other == null ? run.models() : run.root().models().apply(other);
    }
}
