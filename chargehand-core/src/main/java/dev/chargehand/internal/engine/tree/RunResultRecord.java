package dev.chargehand.internal.engine.tree;

import dev.chargehand.RunResult;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.completion.CompletionResult;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.error.InvalidOutputException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.json.JsonType;
import dev.chargehand.message.Message;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.ForkOrigin;
import dev.chargehand.run.ObjectResult;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.step.StepResult;
import dev.chargehand.workflow.StepOutcome;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The values of a result. */
record RunResultRecord(
        RunId runId,
        AgentPath path,
        RunStatus status,
        StopReason stopReason,
        String text,
        List<StepResult> steps,
        List<Message> messages,
        Usage usage,
        Map<String, Usage> usageByAgent,
        BigDecimal cost,
        Optional<CompletionResult> completion,
        Optional<ObjectResult> structured,
        Optional<JsonSchema> objectSchema,
        List<PendingApproval> pendingApprovals,
        Optional<String> threadId,
        Optional<ForkOrigin> forkedFrom,
        List<StepOutcome> workflowSteps,
        Optional<Json> workflowState)
        implements RunResult {

    RunResultRecord {
        steps = List.copyOf(steps);
        messages = List.copyOf(messages);
        pendingApprovals = List.copyOf(pendingApprovals);
        usageByAgent = Map.copyOf(usageByAgent);
    }

    @Override
    public <T> T object(Class<T> type) {
        return object(JsonType.of(type));
    }

    @Override
    public <T> T object(JsonType<T> type) {
        return new ResultObject(this).as(type);
    }

    @Override
    public String toString() {
        return "RunResult[" + status + ", run " + runId + " of " + path + ", " + stopReason + ", text: " + text + "]";
    }

    /** Reads the object of a result as a Java type, and reports what keeps it from being one. Used by one thread. */
    private static final class ResultObject {

        private final RunResult result;

        ResultObject(RunResult result) {
            this.result = result;
        }

        /** Read it; a type with other required components than the object has is an error, not a value with nulls. */
        <T> T as(JsonType<T> type) {
            Json object = result.object().orElseThrow(() -> missing(type));
            requireComponents(object, type);
            try {
                return object.as(type);
            } catch (InvalidJsonException e) {
                String why = type.obstacle().map(obstacle -> obstacle + ".").orElseGet(e::getMessage);
                throw new InvalidJsonException(subject() + " cannot be read as " + shortName(type) + ": " + why, e);
            }
        }

        private void requireComponents(Json object, JsonType<?> type) {
            JsonSchema wanted = schemaOf(type);
            if (wanted == null || result.objectSchema().filter(wanted::equals).isPresent()) {
                return;
            }
            List<String> missing = wanted.missingProperties(object);
            if (!missing.isEmpty()) {
                String made = result.objectSchema()
                        .map(schema -> " The run was made with a structured output " + described(schema) + ".")
                        .orElse("");
                throw new InvalidJsonException(
                        subject() + " is no " + shortName(type) + ": it lacks " + String.join(", ", missing) + "."
                                + made
                                + " Pass the type that the run was made with, or make these components @Nullable or Optional.",
                        null);
            }
        }

        private static @Nullable JsonSchema schemaOf(JsonType<?> type) {
            try {
                return JsonSchema.of(type);
            } catch (ConfigurationException e) {
                return null; // the JSON library may read it
            }
        }

        private static String described(JsonSchema schema) {
            List<String> names = schema.json()
                    .at("/properties")
                    .map(properties -> List.copyOf(properties.fields().keySet()))
                    .orElse(List.of());
            return names.isEmpty() ? "of another schema" : "that has the properties " + String.join(", ", names);
        }

        private InvalidOutputException missing(JsonType<?> type) {
            String start = subject() + " is missing: ";
            Optional<String> problem = result.structured().map(ObjectResult::problem);
            if (problem.isPresent()) {
                return new InvalidOutputException(start + "its answer does not fit: " + problem.get());
            }
            boolean requested =
                    result.objectSchema().isPresent() || result.workflowState().isPresent();
            return new InvalidOutputException(start
                    + (requested
                            ? "the run ended as " + result.stopReason().code() + "."
                            : "the run was made without the option 'structuredOutput'. Set it, such as generate(input, o ->"
                                    + " o.structuredOutput(" + shortName(type) + ".class))."));
        }

        private String subject() {
            return "Run " + result.runId() + " of " + (result.workflowState().isPresent() ? "workflow" : "agent") + " '"
                    + result.path() + "': its object";
        }

        private static String shortName(JsonType<?> type) {
            return type.type() instanceof Class<?> plain ? plain.getSimpleName() : type.toString();
        }
    }
}
