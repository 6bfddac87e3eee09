package dev.chargehand.internal.agent.model;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.internal.json.ThrownByConstructor;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.text.EmbeddedObjects;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.tool.ToolFailureException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An answer that is to be JSON of a schema, read: the value, or what is wrong with it.
 *
 * @param value the value; null if the answer does not fit the schema
 * @param problem what is wrong with it, or null
 */
public record TypedAnswer(@Nullable Json value, @Nullable String problem) {

    private static final Logger LOG = LoggerFactory.getLogger(TypedAnswer.class);

    /**
     * Read an answer.
     *
     * @throws dev.chargehand.internal.call.RunInterruptedException if the run is to end
     */
    public static TypedAnswer read(RunScope run, JsonSchema schema, String text) {
        try {
            Json value = Json.parse(EmbeddedObjects.withoutFence(text));
            List<String> violations =
                    run.validation().misfits("answer", schema, value, e -> unreadable(run, schema, e));
            return violations.isEmpty()
                    ? new TypedAnswer(value, null)
                    : new TypedAnswer(null, String.join("; ", violations));
        } catch (InvalidJsonException e) {
            return new TypedAnswer(null, e.getMessage());
        }
    }

    /**
     * Return why an answer cannot be read as the Java type. A constructor of the application states its reason to the model by throwing
     * a {@link ToolFailureException}; what else it throws is for the log.
     */
    private static String unreadable(RunScope run, JsonSchema schema, InvalidJsonException e) {
        Optional<Throwable> thrown = ThrownByConstructor.in(e);
        if (thrown.isPresent() && thrown.get() instanceof ToolFailureException failure) {
            return failure.getMessage();
        }
        thrown.ifPresent(cause -> LOG.warn(
                "run {}: the constructor of {} has rejected its answer: {}",
                run.events().runId(),
                schema.type().map(type -> type.type().getTypeName()).orElse("a value"),
                run.root().redactor().describeWithCauses(cause)));
        return e.getMessage().replaceFirst("\\.$", "");
    }

    /** Return the message to a model that is to answer so. */
    public static String inWords(JsonSchema schema) {
        return "Answer with nothing but one JSON value that fits this JSON Schema:\n"
                + schema.json().text();
    }

    /**
     * Return a request as a model gets it: a model without a format for the schema receives it as text.
     */
    static ModelRequest forModel(Model model, ModelRequest request) {
        JsonSchema schema = request.output();
        return schema == null || model.hasFormatFor(schema)
                ? request
                : request.withMessages(instructed(request.messages(), inWords(schema)));
    }

    private static List<Message> instructed(List<Message> messages, String words) {
        List<Message> more = new ArrayList<>(messages);
        boolean hasInstructions = !more.isEmpty()
                && more.getFirst().role() == Role.SYSTEM
                && !more.getFirst().internal();
        if (hasInstructions) {
            more.set(0, Message.system(more.getFirst().text() + "\n\n" + words));
        } else {
            more.addFirst(Message.system(words));
        }
        return more;
    }
}
