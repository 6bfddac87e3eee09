package dev.chargehand.verify.kill.plan;

import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.verify.scripted.ConversationModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The model of a router: chooses the calls of its plan, one in each step, never finds the task done before, and then
 * reports each outcome as {@link PlanModel} does.
 */
final class RoutingModel {

    private static final String AGENT_PREFIX = "agent-";

    private RoutingModel() {}

    static ConversationModel named(String name) {
        return new ConversationModel(name, RoutingModel::answer);
    }

    private static ModelResponse answer(List<Message> conversation) {
        String instructions = conversation.getFirst().text();
        if (instructions.contains("isComplete")) {
            return ConversationModel.says("{\"isComplete\":false,\"completionReason\":\"Not all is done.\"}");
        }
        return instructions.contains("primitiveId") ? decide(conversation) : PlanModel.answer(conversation);
    }

    private static ModelResponse decide(List<Message> conversation) {
        List<String> said = conversation.stream()
                .filter(message -> message.role() == Role.USER)
                .map(Message::text)
                .toList();
        Plan plan = Plan.parse(
                said.stream().filter(text -> text.startsWith("{")).findFirst().orElseThrow());
        List<String> results =
                said.stream().filter(text -> text.startsWith("<")).toList();
        if (results.size() == plan.steps().size()) {
            return decision("none", "none", outcomes(plan, results));
        }
        Plan.Call next = plan.steps().get(results.size()).getFirst();
        return next.plan() == null
                ? decision(next.tool(), "tool", Json.of(next.arguments()).text())
                : decision(
                        next.tool().substring(AGENT_PREFIX.length()),
                        "agent",
                        next.plan().text());
    }

    private static ModelResponse decision(String id, String type, String prompt) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("primitiveId", id);
        fields.put("primitiveType", type);
        fields.put("prompt", prompt);
        fields.put("selectionReason", "It is next.");
        return ConversationModel.says(Json.of(fields).text());
    }

    private static String outcomes(Plan plan, List<String> results) {
        List<String> outcomes = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            Plan.Call call = plan.steps().get(i).getFirst();
            String text = results.get(i);
            String inside = text.substring(text.indexOf('\n') + 1, text.lastIndexOf('\n'));
            String became = text.startsWith("<error") ? PlanModel.failure(inside) : inside;
            outcomes.add(call.plan() == null ? call.slot() + "=" + became : "(" + became + ")");
        }
        return String.join(" ", outcomes);
    }
}
