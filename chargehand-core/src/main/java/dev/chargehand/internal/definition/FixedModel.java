package dev.chargehand.internal.definition;

import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.RequestContext;
import java.util.function.Function;

/** The model of an agent that is the same for every request, so that it is known before a run starts. */
public record FixedModel(ModelChoice choice) implements Function<RequestContext, ModelChoice> {

    @Override
    public ModelChoice apply(RequestContext context) {
        return choice;
    }
}
