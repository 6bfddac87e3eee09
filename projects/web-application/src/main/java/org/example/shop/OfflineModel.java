package org.example.shop;

import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Replaces the model where there is no key. It follows three rules: look up the order that the customer names, refund it if the
 * customer asks for that, and repeat the last result. Everything around it is real: tools, approvals, events, the store.
 */
final class OfflineModel implements Model {

    @Override
    public String name() {
        return "offline/rules";
    }

    @Override
    public ModelResponse ask(ModelRequest request, ModelCall call) throws InterruptedException {
        int question = lastQuestion(request.messages());
        String text = request.messages().get(question).text().toLowerCase(Locale.ROOT);
        List<Part.ToolResult> results = request
                .messages()
                .subList(question, request.messages().size())
                .stream()
                .flatMap(message -> message.toolResults().stream())
                .toList();
        Optional<String> order = Arrays.stream(text.split("[^a-z0-9-]"))
                .filter(word -> word.startsWith("o-"))
                .findFirst();
        if (order.isEmpty()) {
            return says("Which order is it about? Name it, as in 'Where is o-8?' or 'Please refund o-7'.", call);
        }
        if (results.isEmpty()) {
            return calls("find-order", order.get());
        }
        if (results.size() == 1 && text.contains("refund")) {
            return calls("refund", order.get());
        }
        return says("About " + order.get() + ": " + results.getLast().output(), call);
    }

    /** The results after the last question belong to it. */
    private static int lastQuestion(List<Message> messages) {
        int last = messages.size() - 1;
        while (last > 0 && messages.get(last).role() != Role.USER) {
            last--;
        }
        return last;
    }

    private static ModelResponse calls(String tool, String order) {
        var requested = new ModelResponse.RequestedCall(null, tool, "{\"order\":\"" + order + "\"}");
        return new ModelResponse("", "", List.of(requested), FinishReason.TOOL_CALLS, Usage.NONE);
    }

    /** Answers word by word, as a model does. */
    private static ModelResponse says(String text, ModelCall call) throws InterruptedException {
        for (String word : text.split("(?<= )")) {
            call.delta(new ModelDelta.Text(word));
            Thread.sleep(40);
        }
        return ModelResponse.text(text, Usage.NONE);
    }
}
