package dev.chargehand.internal.agent.model;

import dev.chargehand.model.Model;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.run.StopReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to be asked in a step.
 *
 * @param request the request
 * @param models whom to ask, and whom to fall back to
 * @param offered the names of the tools that are offered, or null if all are
 * @param processing asks the processors of the step, and has counted those that were called about the request
 * @param trip why the model is not to be asked, or null
 */
public record StepRequest(
        ModelRequest request,
        List<Model> models,
        @Nullable List<String> offered,
        ProcessorChain processing,
        StopReason.@Nullable Tripwire trip) {}
