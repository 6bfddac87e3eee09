package dev.chargehand.server.internal.api;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.server.Principal;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.store.WaitingCall.WaitingFilter;
import dev.chargehand.store.WaitingCall.WaitingFilter.Position;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;

/**
 * The cursors of one list of waiting calls: where its next page starts, as a text without a meaning for clients. A cursor is rejected by the
 * lists of other tenants, resources, agents and tools. The digest in it detects mistakes and keeps nothing secret, since a page has the calls
 * of its caller wherever it starts.
 *
 * @param of names the list
 */
record ApprovalCursors(String of) {

    private static final String VERSION = "1.";

    /** Return those of the list that a caller reads; a page of it has the same ones. */
    static ApprovalCursors of(Principal caller, WaitingFilter list) {
        return new ApprovalCursors(Owners.digest(
                caller.tenantId(),
                list.resourceId().orElse(""),
                list.agent().orElse(""),
                list.toolName().orElse(""),
                list.expiresBefore().map(Instant::toString).orElse("")));
    }

    /** Return the cursor of the page after a call. */
    String after(PendingApproval last) {
        return text(new Position(last.askedAt(), last.runId(), last.callId()));
    }

    private String text(Position place) {
        String since = Long.toString(place.since().toEpochMilli());
        String run = place.runId().value();
        Map<String, String> parts = Map.of(
                "since",
                since,
                "run",
                run,
                "call",
                place.callId(),
                "of",
                Owners.digest(of, since, run, place.callId()));
        byte[] form = Json.of(parts).canonical().text().getBytes(StandardCharsets.UTF_8);
        return VERSION + Base64.getUrlEncoder().withoutPadding().encodeToString(form);
    }

    /** Read a cursor, in the only form in which this list writes it. */
    Position parse(String text) {
        try {
            byte[] form = Base64.getUrlDecoder().decode(text.substring(VERSION.length()));
            Json parts = Json.parse(new String(form, StandardCharsets.UTF_8));
            Position place = new Position(
                    Instant.ofEpochMilli(Long.parseLong(part(parts, "since"))),
                    new RunId(part(parts, "run")),
                    part(parts, "call"));
            if (text(place).equals(text)) {
                return place;
            }
        } catch (RuntimeException e) {
            // it is not one
        }
        throw Problem.BAD_CURSOR.of(
                "The parameter 'after' is not a cursor of this list. Send the 'next' of the page before, with the"
                        + " same 'resource', 'agent' and 'tool', or none for the first page.");
    }

    private static String part(Json parts, String name) {
        return parts.at("/" + name).flatMap(Json::string).orElseThrow();
    }
}
