package dev.chargehand.internal.loop;

import dev.chargehand.model.Model;
import dev.chargehand.model.ModelRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to be asked in a step.
 *
 * @param request the request
 * @param models whom to ask, and whom to fall back to
 * @param offered the names of the tools that are offered, or null if all are
 */
record StepRequest(
        ModelRequest request, List<Model> models, @Nullable List<String> offered) {}
