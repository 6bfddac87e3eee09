package org.example.desk;

import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Replaces the model where there is no key. It checks the draft that the prompt names, publishes it if nothing is left to do, and
 * repeats the last result. Everything around it is real: tools, approvals, events, the store.
 */
final class OfflineModel implements Model {

    @Override
    public String name() {
        return "offline/rules";
    }

    @Override
    public ModelResponse ask(ModelRequest request, ModelCall call) {
        List<Part.ToolResult> results = request.messages().stream()
                .flatMap(message -> message.toolResults().stream())
                .toList();
        String prompt = request.messages().stream().map(Message::text).reduce("", (all, text) -> all + "\n" + text);
        Optional<String> draft = Arrays.stream(prompt.split("\\s+"))
                .filter(word -> word.endsWith(".md"))
                .findFirst();
        if (draft.isEmpty()) {
            return results.isEmpty()
                    ? calls("list-drafts", "{}")
                    : says("The drafts are " + results.getLast().output(), call);
        }
        String input = "{\"name\":\"" + draft.get() + "\"}";
        if (results.isEmpty()) {
            return calls("check-draft", input);
        }
        if (results.size() == 1 && results.getLast().output().contains("nothing is left to do")) {
            return calls("publish-draft", input);
        }
        return says(draft.get() + ": " + results.getLast().output(), call);
    }

    private static ModelResponse calls(String tool, String input) {
        return new ModelResponse(
                "",
                "",
                List.of(new ModelResponse.RequestedCall(null, tool, input)),
                FinishReason.TOOL_CALLS,
                Usage.NONE);
    }

    private static ModelResponse says(String text, ModelCall call) {
        call.delta(new ModelDelta.Text(text));
        return ModelResponse.text(text, Usage.NONE);
    }
}
