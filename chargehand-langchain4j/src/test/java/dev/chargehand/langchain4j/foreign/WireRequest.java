package dev.chargehand.langchain4j.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** A request as it reached the server. */
record WireRequest(String model, List<Message> messages, List<String> tools, Json body) {

    /** The fence around the words of a sub-agent. */
    private static final Pattern FENCE =
            Pattern.compile("<((?:result|error)-[0-9a-f]{16}) of=\"agent [^\"]*\">\\n(.*?)\\n</\\1>", Pattern.DOTALL);

    record Call(String id, String name) {}

    /** One message; {@code calls} are an assistant's, {@code answers} is the id of the call that a result is for. */
    record Message(String role, String text, List<Call> calls, String answers) {}

    static WireRequest of(Json body) {
        List<Message> messages = new ArrayList<>();
        for (Json message : list(body, "/messages")) {
            List<Call> calls = list(message, "/tool_calls").stream()
                    .map(call -> new Call(text(call, "/id"), text(call, "/function/name")))
                    .toList();
            messages.add(new Message(
                    text(message, "/role"), text(message, "/content"), calls, text(message, "/tool_call_id")));
        }
        List<String> tools = list(body, "/tools").stream()
                .map(tool -> text(tool, "/function/name"))
                .toList();
        return new WireRequest(text(body, "/model"), List.copyOf(messages), tools, body);
    }

    /** Returns each message as its role, a colon and its text without fences. */
    List<String> lines() {
        return messages.stream()
                .map(message ->
                        message.role + ": " + FENCE.matcher(message.text).replaceAll("$2"))
                .toList();
    }

    /** Every call of an assistant is answered right after it, once, in the order of the calls; nothing else is. */
    void assertPaired() {
        List<String> open = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (Message message : messages) {
            if (message.role.equals("tool")) {
                assertThat(open).as("calls that wait for a result in %s", body).isNotEmpty();
                assertThat(message.answers).isEqualTo(open.removeFirst());
            } else {
                assertThat(open).as("calls without a result in %s", body).isEmpty();
                message.calls.forEach(call -> {
                    assertThat(call.id).isNotEmpty();
                    assertThat(ids.add(call.id)).as("the id %s is new", call.id).isTrue();
                    open.add(call.id);
                });
            }
        }
        assertThat(open).as("calls without a result in %s", body).isEmpty();
    }

    private static List<Json> list(Json json, String pointer) {
        return json.at(pointer).map(found -> List.of(found.as(Json[].class))).orElse(List.of());
    }

    private static String text(Json json, String pointer) {
        return json.at(pointer).flatMap(Json::string).orElse("");
    }
}
