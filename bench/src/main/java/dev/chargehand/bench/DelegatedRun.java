package dev.chargehand.bench;

import java.util.List;

/** The four requests of a delegated run. */
final class DelegatedRun implements Exchanges {

    private static final String LOOK = """
            {"type":"function","function":{"name":"look","description":"Looks something up.","parameters":{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}}}""";
    private static final String WORKER = """
            {"type":"function","function":{"name":"agent-worker","description":"Looks things up.","parameters":{"type":"object","properties":{"prompt":{"type":"string","description":"The complete task for the agent."}},"required":["prompt"]}}}""";
    private static final String BOSS = "You delegate to the worker and then say what it found.";
    private static final String FINDER = "You look things up with your tool and say what you found.";

    @Override
    public List<String> of(String marker) {
        String asked = user("please work on " + marker);
        String delegated = asked + "," + user("work on " + marker);
        return List.of(
                body("supervisor", BOSS, asked, WORKER),
                body("worker", FINDER, delegated, LOOK),
                body("worker", FINDER, delegated + "," + call(marker, "look", "query", marker, "seen " + marker), LOOK),
                body(
                        "supervisor",
                        BOSS,
                        asked + "," + call(marker, "agent-worker", "prompt", "work on " + marker, "found " + marker),
                        WORKER));
    }

    private static String body(String model, String instructions, String messages, String tool) {
        return "{\"model\":\"" + model + "\",\"messages\":[{\"role\":\"system\",\"content\":\"" + instructions + "\"},"
                + messages + "],\"tools\":[" + tool
                + "],\"stream\":true,\"stream_options\":{\"include_usage\":true}}";
    }

    private static String user(String text) {
        return "{\"role\":\"user\",\"content\":\"" + text + "\"}";
    }

    private static String call(String marker, String tool, String argument, String value, String result) {
        return "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"call_" + marker
                + "\",\"type\":\"function\",\"function\":{\"name\":\"" + tool + "\",\"arguments\":\"{\\\"" + argument
                + "\\\":\\\"" + value + "\\\"}\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"call_" + marker
                + "\",\"content\":\"" + result + "\"}";
    }
}
