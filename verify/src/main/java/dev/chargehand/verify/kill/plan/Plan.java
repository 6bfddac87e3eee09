package dev.chargehand.verify.kill.plan;

import dev.chargehand.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What an agent is called for: its prompt says which calls its model makes in each step.
 *
 * @param steps the calls of each step
 */
public record Plan(List<List<Call>> steps) {

    public Plan {
        steps = List.copyOf(steps);
    }

    /**
     * A call of a tool or a sub-agent.
     *
     * @param tool its name
     * @param slot names the effect, unlike any other of the plan; empty for a sub-agent
     * @param plan what the sub-agent is called for, or null
     */
    public record Call(String tool, String slot, @Nullable Plan plan) {

        /** Return what the model writes. */
        Map<String, Object> arguments() {
            return plan == null ? Map.of("slot", slot) : Map.of("prompt", plan.text());
        }
    }

    static Call tool(String tool, String slot) {
        return new Call(tool, slot, null);
    }

    static Call delegate(String agent, Plan plan) {
        return new Call("agent-" + agent, "", plan);
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // the array is read and not kept
    static Plan of(List<Call>... steps) {
        return new Plan(List.of(steps));
    }

    /** Return all calls of tools, those of sub-agents included. */
    public Stream<Call> tools() {
        return steps.stream()
                .flatMap(List::stream)
                .flatMap(call ->
                        call.plan() == null ? Stream.of(call) : call.plan().tools());
    }

    /** Write the plan as a prompt. */
    String text() {
        return json().text();
    }

    private Json json() {
        List<List<Map<String, Object>>> written = new ArrayList<>();
        for (List<Call> step : steps) {
            List<Map<String, Object>> calls = new ArrayList<>();
            for (Call call : step) {
                Map<String, Object> fields = new LinkedHashMap<>();
                fields.put("tool", call.tool());
                fields.put("slot", call.slot());
                if (call.plan() != null) {
                    fields.put("plan", call.plan().json());
                }
                calls.add(fields);
            }
            written.add(calls);
        }
        return Json.of(Map.of("steps", written));
    }

    /** Read a prompt. */
    static Plan parse(String text) {
        return Json.parse(text).as(Plan.class);
    }
}
