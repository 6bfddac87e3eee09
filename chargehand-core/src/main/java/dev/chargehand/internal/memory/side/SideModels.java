package dev.chargehand.internal.memory.side;

import dev.chargehand.internal.log.Redactor;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelChoice;
import java.util.List;
import java.util.function.Function;

/**
 * Makes the models that memory calls besides the conversation.
 *
 * @param models makes the models of a choice
 * @param redactor takes secrets out of what they return and report
 */
public record SideModels(Function<ModelChoice, List<Model>> models, Redactor redactor) {

    /**
     * Return the model of a choice.
     *
     * @throws dev.chargehand.error.ModelException {@code UNKNOWN_MODEL} if no provider knows it
     */
    public Model of(ModelChoice choice) {
        return models.apply(choice).getFirst();
    }
}
