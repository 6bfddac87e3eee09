package dev.chargehand.internal.agent;

import dev.chargehand.hook.Hook;
import dev.chargehand.hook.StepContext;
import dev.chargehand.hook.StepPlan;
import dev.chargehand.internal.agent.model.ProcessorChain;
import dev.chargehand.internal.agent.model.StepRequest;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.Hooks;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.message.Message;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.processor.InputStepProcessor;
import dev.chargehand.run.ProcessorPhase;
import dev.chargehand.tool.ClientTools;
import java.util.List;
import java.util.Optional;

/**
 * First stage: makes the request of a step of the conversation as processors let it pass, the instructions and what
 * {@code prepareStep} says.
 */
public final class ComposeStage {

    private final RunScope run;
    private final Hooks hooks;
    private final RequestForm form;

    public ComposeStage(RunScope run, Hooks hooks, RequestForm form) {
        this.run = run;
        this.hooks = hooks;
        this.form = form;
    }

    /** Return the request of the next step. */
    public StepRequest compose(ConversationState state) {
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
        run.toolbox().requireOffered(choice, active, "prepareStep");
        List<String> offered = choice instanceof ToolChoice.None ? List.of() : active;
        ModelRequest request = form.write(chosen(passed.value(), plan), offered, choice, modelSettings(plan));
        return new StepRequest(request, models(plan), offered, processing, passed.trip());
    }

    private ModelSettings modelSettings(StepPlan plan) {
        return plan.modelSettings() == null ? run.options().get(Options.MODEL_SETTINGS) : plan.modelSettings();
    }

    private StepPlan plan(ConversationState state, List<Message> conversation) {
        var prepareStep = run.options().get(Options.PREPARE_STEP);
        StepContext context = prepareStep == null ? null : run.stepContext(state, conversation);
        return prepareStep == null || context == null
                ? StepPlan.unchanged()
                : hooks.ask(
                        state.stepNumber(), Hook.PREPARE_STEP, StepPlan.unchanged(), () -> prepareStep.apply(context));
    }

    /** The one answer after a stop with feedback is made without tools. */
    private ToolChoice choice(ConversationState state, StepPlan plan) {
        if (state.lastStop().isPresent()) {
            return ToolChoice.none();
        }
        if (plan.toolChoice() != null) {
            return plan.toolChoice();
        }
        return clientChoice(state).orElse(run.options().get(Options.TOOL_CHOICE));
    }

    /** The client of a root run chooses for its first step only: forced in each step, the model could never answer. */
    private Optional<ToolChoice> clientChoice(ConversationState state) {
        return state.stepNumber() == 1 && run.info().path().isRoot()
                ? ClientTools.choice(run.requestContext(), run.agent().id())
                : Optional.empty();
    }

    private static List<Message> chosen(List<Message> conversation, StepPlan plan) {
        return plan.messages() == null ? conversation : plan.messages();
    }

    private List<Model> models(StepPlan plan) {
        ModelChoice other = plan.model();
        return other == null ? run.models() : run.root().models().apply(other);
    }
}
