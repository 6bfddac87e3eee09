package dev.chargehand.internal.run;

import dev.chargehand.Agent;
import dev.chargehand.internal.fact.CallState;
import dev.chargehand.internal.fact.State;
import dev.chargehand.internal.fact.Transcript;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Makes what a sub-agent is given: the conversation above it, and the delegation prompt. */
final class Forwarding {

    private Forwarding() {}

    /** Returns the conversation up to the delegating step: what was said, without instructions and without tools. */
    static List<Message> context(State parent) {
        return Stream.of(
                        parent.threadTail(),
                        parent.started().context(),
                        parent.started().input(),
                        Transcript.ofSteps(parent))
                .flatMap(List::stream)
                .filter(message -> !message.internal())
                .filter(message -> message.role() == Role.USER || message.role() == Role.ASSISTANT)
                .map(Forwarding::saidOnly)
                .filter(message -> !message.parts().isEmpty())
                .toList();
    }

    /** Returns the prompt of a delegation; instructions that the model may add are fenced as data. */
    static List<Message> prompt(Agent agent, CallState call) {
        Json arguments = Json.parse(call.call().arguments());
        String prompt = arguments.at("/prompt").flatMap(Json::string).orElse("");
        String more = arguments
                .at("/instructions")
                .filter(given -> agent.acceptsModelInstructions())
                .flatMap(Json::string)
                .map(text -> "\n\n<instructions-from-supervisor>\n" + text + "\n</instructions-from-supervisor>")
                .orElse("");
        return List.of(Message.user(prompt + more));
    }

    private static Message saidOnly(Message message) {
        List<Part> said = new ArrayList<>();
        for (Part part : message.parts()) {
            if (part instanceof Part.Text || part instanceof Part.Image) {
                said.add(part);
            }
        }
        return new Message(message.id(), message.role(), said, false);
    }
}
