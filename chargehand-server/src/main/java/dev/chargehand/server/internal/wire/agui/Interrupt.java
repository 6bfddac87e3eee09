package dev.chargehand.server.internal.wire.agui;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.run.RunId;
import dev.chargehand.server.internal.wire.Outcome;
import dev.chargehand.server.internal.wire.WireAnswers;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Waiting calls as interrupts of AG-UI. */
final class Interrupt {

    private static final Instant LAST = Instant.parse("9999-01-01T00:00:00Z");

    private Interrupt() {}

    /** Return the interrupt of a call; it says what is executed if it is approved. */
    static Map<String, Object> of(PendingApproval call, RunId root) {
        boolean data = call.kind() == PendingApproval.Kind.DATA;
        Map<String, Object> fields = new HashMap<>();
        fields.put("id", Outcome.waitingId(call));
        fields.put("reason", data ? "tool_data" : "tool_approval");
        fields.put("message", (data ? "Data for " : "Approval of ") + "'" + call.toolName() + "' is needed.");
        fields.put("toolCallId", call.callId());
        if (!data) {
            fields.put("responseSchema", WireAnswers.DECISION);
        }
        call.dataSchema().ifPresent(schema -> fields.put("responseSchema", schema));
        if (call.expiresAt().isBefore(LAST)) {
            fields.put("expiresAt", call.expiresAt().toString());
        }
        if (!call.runId().equals(root)) {
            fields.put("subagentRunId", call.runId().value());
        }
        Map<String, Object> metadata = new HashMap<>();
        metadata.put("digest", call.digest());
        metadata.put("toolName", call.toolName());
        metadata.put("arguments", call.arguments());
        call.payload().ifPresent(payload -> metadata.put("payload", payload));
        fields.put("metadata", metadata);
        return fields;
    }
}
