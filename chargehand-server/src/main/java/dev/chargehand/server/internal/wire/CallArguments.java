package dev.chargehand.server.internal.wire;

import dev.chargehand.event.RunEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What was sent of the arguments of calls while they arrived. Used by one thread. */
public final class CallArguments {

    private final Map<String, StringBuilder> sent = new HashMap<>();
    private final Set<String> behind = new HashSet<>();

    /** Note that the arguments of a call start; return whether they are to be sent. */
    public boolean starts(RunEvent.ToolCallInputStart start) {
        return sent.putIfAbsent(start.callId(), new StringBuilder()) == null;
    }

    /** Note that a reader has lost what it had received provisionally: what arrives again of these calls is not sent. */
    public void resume() {
        behind.addAll(sent.keySet());
    }

    /** Return what is sent of a part; empty for nothing. */
    public Optional<String> part(RunEvent.ToolCallDelta delta) {
        StringBuilder text = sent.get(delta.callId());
        if (text == null || behind.contains(delta.callId())) {
            return Optional.empty();
        }
        text.append(delta.fragment());
        return Optional.of(delta.fragment());
    }

    /** Return whether the start of a call was sent. */
    public boolean hasStarted(String callId) {
        return sent.containsKey(callId);
    }

    /** Return what was not sent of the arguments of a call that is complete. */
    public String rest(RunEvent.ToolCall call) {
        StringBuilder text = sent.get(call.callId());
        return text != null && call.arguments().startsWith(text.toString())
                ? call.arguments().substring(text.length())
                : "";
    }
}
