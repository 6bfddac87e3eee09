package dev.chargehand.verify.sequences.crew;

import dev.chargehand.error.ModelException;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import java.util.ArrayList;
import java.util.List;

/**
 * A model that follows the plan in the last message of a user that has one, and then answers with a hash of all that it was
 * shown. So two runs whose models have seen different things have different answers. Thread-safe.
 */
record PlannedModel(String name) implements Model {

    @Override
    public boolean isFree() {
        return true;
    }

    @Override
    public ModelResponse ask(ModelRequest request, ModelCall call) {
        List<Message> messages = request.messages();
        int planned = lastPlan(messages);
        int step = 0;
        for (Message message : messages.subList(planned + 1, messages.size())) {
            step += message.role() == Role.ASSISTANT ? 1 : 0;
        }
        Usage usage = Usage.of(10 + messages.size(), 3 + step);
        List<ModelResponse.RequestedCall> calls = planned < 0 ? List.of() : calls(messages.get(planned), step);
        if (!calls.isEmpty()) {
            return new ModelResponse("Thinking " + step, "", calls, FinishReason.TOOL_CALLS, usage);
        }
        String answer = "Done " + shown(messages) + " of " + messages.size() + " by " + name;
        call.delta(new ModelDelta.Text(answer));
        return ModelResponse.text(answer, usage);
    }

    private static int lastPlan(List<Message> messages) {
        for (int i = messages.size() - 1; i >= 0; i--) {
            if (messages.get(i).role() == Role.USER && Plan.isIn(messages.get(i).text())) {
                return i;
            }
        }
        return -1;
    }

    private static List<ModelResponse.RequestedCall> calls(Message message, int step) {
        List<List<Plan.Call>> steps = Plan.of(message.text()).map(Plan::steps).orElse(List.of());
        List<ModelResponse.RequestedCall> calls = new ArrayList<>();
        for (Plan.Call each : step < steps.size() ? steps.get(step) : List.<Plan.Call>of()) {
            if (each.tool().equals(Plan.FAILURE)) {
                throw new ModelException(ModelException.Kind.PROTOCOL, "The plan wants a failure.", null);
            }
            String id = "p" + step + "_" + calls.size();
            calls.add(new ModelResponse.RequestedCall(
                    id, each.tool(), each.arguments().text()));
        }
        return calls;
    }

    private static String shown(List<Message> messages) {
        StringBuilder all = new StringBuilder();
        for (Message message : messages) {
            all.append(message.role()).append('|').append(message.text()).append('|');
            all.append(message.toolResults()).append('\n');
        }
        return Integer.toHexString(all.toString().hashCode());
    }
}
