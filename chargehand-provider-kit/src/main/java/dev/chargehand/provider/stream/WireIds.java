package dev.chargehand.provider.stream;

import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The ids of tool calls as a provider sees them in one request: its own where it gave one that no other call of the
 * request has, else ours. Results use the same.
 */
public final class WireIds {

    private static final int MAX_NAME = 64;
    private static final Pattern REFUSED = Pattern.compile("[^A-Za-z0-9_-]");

    private final Map<String, String> byCallId;

    /** Find the ids of all calls in the messages of a request. */
    public WireIds(List<Message> messages) {
        List<Part.ToolCall> calls = new ArrayList<>();
        for (Message message : messages) {
            for (Part part : message.parts()) {
                if (part instanceof Part.ToolCall call) {
                    calls.add(call);
                }
            }
        }
        this.byCallId = calls.isEmpty() ? Map.of() : onWire(calls);
    }

    private static Map<String, String> onWire(List<Part.ToolCall> calls) {
        Map<String, Integer> uses = new HashMap<>();
        for (Part.ToolCall call : calls) {
            uses.merge(call.callId(), 1, Integer::sum);
            if (call.providerId() != null && !call.providerId().equals(call.callId())) {
                uses.merge(call.providerId(), 1, Integer::sum);
            }
        }
        Map<String, String> byCallId = new HashMap<>();
        for (Part.ToolCall call : calls) {
            byCallId.put(call.callId(), onWire(call, uses));
        }
        return byCallId;
    }

    /** Return the id that a call of ours has on the wire. */
    public String of(String callId) {
        return byCallId.getOrDefault(callId, callId);
    }

    private static String onWire(Part.ToolCall call, Map<String, Integer> uses) {
        String theirs = call.providerId();
        return theirs == null || theirs.isEmpty() || uses.getOrDefault(theirs, 0) != 1 ? call.callId() : theirs;
    }

    /** Return a name that a model made up in a form that providers accept in a request. */
    public static String validName(String name) {
        if (name.isEmpty()) {
            return "unknown_tool";
        }
        String cut = name.length() > MAX_NAME ? name.substring(0, MAX_NAME) : name;
        return REFUSED.matcher(cut).replaceAll("_");
    }
}
