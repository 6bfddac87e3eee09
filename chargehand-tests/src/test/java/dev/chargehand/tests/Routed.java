package dev.chargehand.tests;

import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the router of a network and its check say in tests. */
final class Routed {

    private Routed() {}

    static String agent(String key, String prompt) {
        return decision(key, "agent", prompt, "because");
    }

    static String tool(String name, String arguments) {
        return decision(name, "tool", arguments, "because");
    }

    static String none(String answer) {
        return decision("none", "none", answer, "because");
    }

    static String decision(String id, String type, String prompt, String reason) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("primitiveId", id);
        fields.put("primitiveType", type);
        fields.put("prompt", prompt);
        fields.put("selectionReason", reason);
        return Json.of(fields).text();
    }

    static String complete(String reason, String result) {
        return Json.of(Map.of("isComplete", true, "completionReason", reason, "finalResult", result))
                .text();
    }

    static String incomplete(String reason) {
        return Json.of(Map.of("isComplete", false, "completionReason", reason)).text();
    }

    /** Returns the names of events, without those that only count tokens. */
    static List<String> types(List<RunEvent> events) {
        return events.stream()
                .filter(event -> !(event instanceof RunEvent.UsageReport))
                .map(RunEvent::type)
                .toList();
    }

    static <E extends RunEvent> List<E> all(Class<E> type, Collection<RunEvent> events) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
