package dev.chargehand.provider.stream;

import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The ids of tool calls as a provider sees them in one request: its own where it gave one that no other call of the
 * request has, else ours. Results use the same.
 */
public final class WireIds {

    private static final int MAX_NAME = 64;
    private static final Pattern NINE = Pattern.compile("[A-Za-z0-9]{9}");
    private static final Pattern REFUSED = Pattern.compile("[^A-Za-z0-9_-]");

    private final Map<String, String> byCallId;

    /** Find the ids of all calls in the messages of a request. */
    public WireIds(List<Message> messages) {
        this(messages, false);
    }

    /**
     * Find the ids of all calls in the messages of a request.
     *
     * @param ofNine whether an id must have nine letters or digits, as at Mistral: others are replaced
     */
    public WireIds(List<Message> messages, boolean ofNine) {
        List<Part.ToolCall> calls = new ArrayList<>();
        for (Message message : messages) {
            for (Part part : message.parts()) {
                if (part instanceof Part.ToolCall call) {
                    calls.add(call);
                }
            }
        }
        this.byCallId = calls.isEmpty() ? Map.of() : onWire(calls, ofNine);
    }

    private static Map<String, String> onWire(List<Part.ToolCall> calls, boolean ofNine) {
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
        if (ofNine) {
            replaceOthers(byCallId);
        }
        return byCallId;
    }

    /** Replace ids that have not nine letters or digits, by the same ones in every request. */
    private static void replaceOthers(Map<String, String> byCallId) {
        Set<String> taken = new HashSet<>(byCallId.values());
        byCallId.replaceAll((callId, id) -> {
            String replaced = id;
            while (!NINE.matcher(replaced).matches() || (!replaced.equals(id) && !taken.add(replaced))) {
                replaced = nine(replaced.equals(id) ? callId : replaced + callId);
            }
            return replaced;
        });
    }

    private static String nine(String id) {
        String digits =
                UUID.nameUUIDFromBytes(id.getBytes(StandardCharsets.UTF_8)).toString();
        return digits.replace("-", "").substring(0, 9);
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
