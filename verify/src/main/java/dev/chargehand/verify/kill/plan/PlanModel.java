package dev.chargehand.verify.kill.plan;

import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.verify.scripted.ConversationModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The model of all agents: makes the calls of its plan, step by step, and then reports each outcome, such as {@code
 * a=ok (b=declined) c=unknown}; after feedback that this is not sufficient, it adds {@code final}.
 */
public final class PlanModel {

    /** What an answer ends with that scorers accept. */
    public static final String GOOD = "final";

    private static final String UNKNOWN = "outcome is unknown";

    private PlanModel() {}

    static ConversationModel named(String name) {
        return new ConversationModel(name, PlanModel::answer);
    }

    static ModelResponse answer(List<Message> conversation) {
        Plan plan = Plan.parse(ConversationModel.task(conversation));
        List<Message> mine = sinceTask(conversation);
        int made = (int)
                mine.stream().filter(message -> !message.toolCalls().isEmpty()).count();
        if (made == plan.steps().size()) {
            boolean corrected = mine.stream().anyMatch(PlanModel::isFeedback);
            return ConversationModel.says(outcomes(mine) + (corrected ? " " + GOOD : ""));
        }
        List<ModelResponse.RequestedCall> calls = new ArrayList<>();
        for (Plan.Call call : plan.steps().get(made)) {
            calls.add(ConversationModel.call("c" + calls.size(), call.tool(), call.arguments()));
        }
        return ConversationModel.calls(calls);
    }

    private static List<Message> sinceTask(List<Message> conversation) {
        int from = conversation.size();
        while (from > 0 && !isTask(conversation.get(from - 1))) {
            from--;
        }
        return conversation.subList(from, conversation.size());
    }

    private static boolean isTask(Message message) {
        return message.role() == Role.USER && !message.internal();
    }

    private static boolean isFeedback(Message message) {
        return message.internal() && message.role() != Role.TOOL;
    }

    private static String outcomes(List<Message> mine) {
        Map<String, Part.ToolCall> calls = new HashMap<>();
        List<String> said = new ArrayList<>();
        for (Message message : mine) {
            message.toolCalls().forEach(call -> calls.put(call.callId(), call));
            for (Part.ToolResult result : message.toolResults()) {
                Part.ToolCall call = calls.get(result.callId());
                said.add(call == null ? "orphan=" + result.callId() : outcome(call, result));
            }
        }
        return String.join(" ", said);
    }

    private static String outcome(Part.ToolCall call, Part.ToolResult result) {
        if (call.name().startsWith("agent-")) {
            return "(" + ConversationModel.unfenced(result) + ")";
        }
        String slot =
                Json.parse(call.arguments()).at("/slot").flatMap(Json::string).orElse("?");
        return slot + "=" + (result.error() ? failure(result.output()) : result.output());
    }

    static String failure(String error) {
        if (error.contains(UNKNOWN)) {
            return "unknown";
        }
        return error.contains("was not approved") ? "declined" : "failed: " + error;
    }
}
