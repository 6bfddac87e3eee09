package dev.chargehand.config.internal.workflow;

import dev.chargehand.json.Json;
import dev.chargehand.workflow.WorkflowContext;

/**
 * The values of a run to which pointers refer.
 *
 * @param value what the entry received: the output of the one before it, or an item of a foreach
 * @param context has the input of the run and the outputs of its steps
 */
public record RunValues(Json value, WorkflowContext context) {}
