package dev.chargehand.approval;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call that waits for an answer from outside: for a human to approve it, or for data that its tool asked for.
 *
 * <p>It is a description, fit to be shown, sent elsewhere as JSON and brought back days later; what holds is what is
 * stored. An answer is taken only for the very call, arguments and round that are described here.
 *
 * @param rootRunId the run at the top of the tree, which is suspended as a whole
 * @param runId the run that makes the call; the root or a nested one
 * @param path the agent that makes the call
 * @param callId the call
 * @param round how often the call has waited, this time included, from 1
 * @param kind what it waits for
 * @param toolName the tool's name; {@code agent-<key>} for a sub-agent
 * @param arguments the arguments the call will be executed with
 * @param digest SHA-256 of the canonical form of the arguments, in hexadecimal
 * @param payload what the tool says about the data it asks for, or null
 * @param dataSchema JSON Schema of the data it asks for, or null if any will do
 * @param requester on whose behalf the run works, or null if that is not known
 * @param threadId the conversation, or null
 * @param resourceId whom the conversation belongs to, or null
 * @param askedAt since when it waits
 * @param expiresAt from when on it counts as declined
 */
public record PendingApproval(
        RunId rootRunId,
        RunId runId,
        AgentPath path,
        String callId,
        int round,
        Kind kind,
        String toolName,
        Json arguments,
        String digest,
        @Nullable Json payload,
        @Nullable Json dataSchema,
        @Nullable String requester,
        @Nullable String threadId,
        @Nullable String resourceId,
        Instant askedAt,
        Instant expiresAt) {

    /** What a call waits for. */
    public enum Kind {
        /** Somebody must approve the call before it is executed. */
        APPROVAL,
        /** The tool asked for data; with it, the tool is executed again. */
        DATA,
        /**
         * The process died while the tool was at work, so that its outcome is unknown: approve to execute it again, give
         * data to take as its result, or decline to tell the model.
         */
        INTERRUPTED
    }

    /** Writes it as a JSON object. */
    public Json toJson() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("rootRunId", rootRunId.value());
        fields.put("runId", runId.value());
        fields.put("path", path.toString());
        fields.put("callId", callId);
        fields.put("round", round);
        fields.put("kind", kind.name().toLowerCase(Locale.ROOT));
        fields.put("toolName", toolName);
        fields.put("arguments", arguments);
        fields.put("digest", digest);
        putIfThere(fields, "payload", payload);
        putIfThere(fields, "dataSchema", dataSchema);
        putIfThere(fields, "requester", requester);
        putIfThere(fields, "threadId", threadId);
        putIfThere(fields, "resourceId", resourceId);
        fields.put("askedAt", askedAt.toString());
        fields.put("expiresAt", expiresAt.toString());
        return Json.of(fields);
    }

    private static void putIfThere(Map<String, @Nullable Object> fields, String name, @Nullable Object value) {
        if (value != null) {
            fields.put(name, value);
        }
    }

    /**
     * Reads what {@link #toJson} wrote.
     *
     * @throws InvalidJsonException if it is not that
     */
    public static PendingApproval fromJson(Json json) {
        try {
            return new PendingApproval(
                    new RunId(text(json, "rootRunId")),
                    new RunId(text(json, "runId")),
                    AgentPath.parse(text(json, "path")),
                    text(json, "callId"),
                    need(json, "round").as(Integer.class),
                    Kind.valueOf(text(json, "kind").toUpperCase(Locale.ROOT)),
                    text(json, "toolName"),
                    need(json, "arguments"),
                    text(json, "digest"),
                    json.at("/payload").orElse(null),
                    json.at("/dataSchema").orElse(null),
                    textIfThere(json, "requester"),
                    textIfThere(json, "threadId"),
                    textIfThere(json, "resourceId"),
                    Instant.parse(text(json, "askedAt")),
                    Instant.parse(text(json, "expiresAt")));
        } catch (IllegalArgumentException | DateTimeParseException e) {
            throw new InvalidJsonException("This is not a pending approval: " + e.getMessage(), e);
        }
    }

    private static Json need(Json json, String field) {
        return json.at("/" + field)
                .orElseThrow(() -> new InvalidJsonException("A pending approval lacks '" + field + "'.", null));
    }

    private static String text(Json json, String field) {
        return need(json, field)
                .string()
                .orElseThrow(
                        () -> new InvalidJsonException("'" + field + "' of a pending approval must be a text.", null));
    }

    private static @Nullable String textIfThere(Json json, String field) {
        return json.at("/" + field).flatMap(Json::string).orElse(null);
    }
}
