package dev.chargehand.internal.memory.title;

import dev.chargehand.internal.log.Redactor;
import dev.chargehand.memory.ThreadTitles;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelChoice;
import java.util.List;
import java.util.function.Function;

/**
 * Makes the models that write titles.
 *
 * @param models makes the models of a choice
 * @param redactor takes secrets out of what they report
 */
public record TitleModels(Function<ModelChoice, List<Model>> models, Redactor redactor) {

    /**
     * Return the model of an agent.
     *
     * @throws dev.chargehand.error.ModelException {@code UNKNOWN_MODEL} if no provider knows it
     */
    public Model of(ThreadTitles titles) {
        return models.apply(titles.model()).getFirst();
    }
}
