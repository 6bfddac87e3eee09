package dev.chargehand.internal.agent;

import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.run.StructuredOutput;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The request for an answer of the agent's model: instructions, conversation and tools. */
final class AnswerRequest implements RequestForm {

    private final RunScope run;
    private final ModelView view;

    AnswerRequest(RunScope run) {
        this.run = run;
        this.view = new ModelView(run);
    }

    @Override
    public ModelRequest write(
            List<Message> conversation, @Nullable List<String> offered, ToolChoice choice, ModelSettings settings) {
        List<Message> messages = new ArrayList<>(conversation.size() + 1);
        if (!run.instructions().isBlank()) {
            messages.add(Message.system(run.instructions()));
        }
        messages.addAll(view.fenced(conversation));
        return new ModelRequest(messages, run.toolbox().definitions(offered), choice, settings, output());
    }

    /** Where another model makes the object, the agent's own writes what it likes. */
    private @Nullable JsonSchema output() {
        StructuredOutput wanted = run.options().get(Options.STRUCTURED_OUTPUT);
        return wanted == null || !run.structuringModels().isEmpty() ? null : wanted.schema();
    }
}
