package dev.chargehand.internal.loop;

import static java.util.Objects.requireNonNull;

import dev.chargehand.RunSettings;
import dev.chargehand.StepPlan;
import dev.chargehand.internal.fact.State;
import dev.chargehand.message.Message;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.model.ToolDefinition;
import java.util.ArrayList;
import java.util.List;

/** First stage: makes the request of a step of the conversation, the instructions and what {@code prepareStep} says. */
final class Compose {

    private final RunScope run;
    private final Hooks hooks;

    Compose(RunScope run) {
        this.run = run;
        this.hooks = new Hooks(run);
    }

    StepRequest compose(State state) {
        StepPlan plan = plan(state);
        RunSettings settings = run.settings();
        ToolChoice choice = plan.toolChoice() == null ? settings.toolChoice() : plan.toolChoice();
        List<String> active = plan.activeTools() == null ? settings.activeTools() : plan.activeTools();
        List<String> offered = choice instanceof ToolChoice.None ? List.of() : active;
        List<ToolDefinition> tools = run.toolbox().definitions(offered);
        ModelRequest request = new ModelRequest(
                messages(state, plan),
                tools,
                choice,
                plan.modelSettings() == null ? settings.modelSettings() : plan.modelSettings());
        return new StepRequest(request, models(plan), offered);
    }

    private StepPlan plan(State state) {
        var prepareStep = run.hooks().prepareStep();
        return prepareStep == null
                ? StepPlan.unchanged()
                : hooks.need("prepareStep", () -> requireNonNull(prepareStep.apply(run.stepContext(state)), "no plan"));
    }

    private List<Message> messages(State state, StepPlan plan) {
        List<Message> messages = new ArrayList<>();
        if (!run.instructions().isBlank()) {
            messages.add(Message.system(run.instructions()));
        }
        messages.addAll(plan.messages() == null ? RunScope.conversation(state) : plan.messages());
        return messages;
    }

    private List<Model> models(StepPlan plan) {
        ModelChoice other = plan.model();
        return other == null ? run.models() : run.root().models().apply(other);
    }
}
