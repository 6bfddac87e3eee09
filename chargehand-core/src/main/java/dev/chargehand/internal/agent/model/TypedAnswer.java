package dev.chargehand.internal.agent.model;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.text.EmbeddedObjects;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is to be JSON of a schema, read: the value, or what is wrong with it.
 *
 * @param value the value; null if the answer does not fit the schema
 * @param problem what is wrong with it, or null
 */
public record TypedAnswer(@Nullable Json value, @Nullable String problem) {

    /**
     * Read an answer.
     *
     * @throws dev.chargehand.internal.call.RunInterruptedException if the run is to end
     */
    public static TypedAnswer read(RunScope run, JsonSchema schema, String text) {
        try {
            Json value = Json.parse(EmbeddedObjects.withoutFence(text));
            List<String> violations = run.validation().misfits("answer", schema, value);
            return violations.isEmpty()
                    ? new TypedAnswer(value, null)
                    : new TypedAnswer(null, String.join("; ", violations));
        } catch (InvalidJsonException e) {
            return new TypedAnswer(null, e.getMessage());
        }
    }

    /** Return The message to a model that is to answer so. */
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
