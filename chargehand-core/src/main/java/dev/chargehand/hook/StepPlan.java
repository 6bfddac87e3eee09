package dev.chargehand.hook;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The changes of {@code prepareStep} for one step; null values change nothing.
 *
 * @param messages the conversation to send, without instructions
 * @param model the model to ask
 * @param activeTools the tools to offer, by name
 * @param toolChoice how free the model is to call tools
 * @param modelSettings how the model should answer, with valid values
 */
public record StepPlan(
        @Nullable List<Message> messages,
        @Nullable ModelChoice model,
        @Nullable List<String> activeTools,
        @Nullable ToolChoice toolChoice,
        @Nullable ModelSettings modelSettings) {

    private static final StepPlan UNCHANGED = new StepPlan(null, null, null, null, null);

    public StepPlan {
        modelSettings = modelSettings == null ? null : modelSettings.requireValid();
        messages = messages == null ? null : List.copyOf(messages);
        activeTools = activeTools == null ? null : List.copyOf(activeTools);
    }

    /** Return the plan that changes nothing. */
    public static StepPlan unchanged() {
        return UNCHANGED;
    }

    /** Return this plan with another conversation. */
    @CheckReturnValue
    public StepPlan withMessages(List<Message> value) {
        return new StepPlan(value, model, activeTools, toolChoice, modelSettings);
    }

    /** Return this plan with another model. */
    @CheckReturnValue
    public StepPlan withModel(ModelChoice value) {
        return new StepPlan(messages, value, activeTools, toolChoice, modelSettings);
    }

    /** Return this plan with other tools. */
    @CheckReturnValue
    public StepPlan withActiveTools(String... names) {
        return new StepPlan(messages, model, List.of(names), toolChoice, modelSettings);
    }

    /** Return this plan with another tool choice. */
    @CheckReturnValue
    public StepPlan withToolChoice(ToolChoice value) {
        return new StepPlan(messages, model, activeTools, value, modelSettings);
    }

    /** Return this plan with other model settings. */
    @CheckReturnValue
    public StepPlan withModelSettings(ModelSettings value) {
        return new StepPlan(messages, model, activeTools, toolChoice, value);
    }
}
