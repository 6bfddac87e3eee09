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

/** Writes pending approvals as JSON, and reads them. */
final class ApprovalJson {

    private ApprovalJson() {}

    static Json write(PendingApproval approval) {
        return Json.of(fields(approval));
    }

    /** Return the values that it has, by their names. */
    static Map<String, @Nullable Object> fields(PendingApproval approval) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("rootRunId", approval.rootRunId().value());
        fields.put("runId", approval.runId().value());
        fields.put("path", approval.path().toString());
        fields.put("callId", approval.callId());
        fields.put("waitNumber", approval.waitNumber());
        fields.put("kind", approval.kind().name().toLowerCase(Locale.ROOT));
        fields.put("toolName", approval.toolName());
        fields.put("arguments", approval.arguments());
        fields.put("digest", approval.digest());
        approval.payload().ifPresent(value -> fields.put("payload", value));
        approval.dataSchema().ifPresent(value -> fields.put("dataSchema", value));
        approval.stepPath().ifPresent(value -> fields.put("stepPath", value));
        approval.requester().ifPresent(value -> fields.put("requester", value));
        approval.threadId().ifPresent(value -> fields.put("threadId", value));
        approval.resourceId().ifPresent(value -> fields.put("resourceId", value));
        fields.put("askedAt", approval.askedAt().toString());
        fields.put("expiresAt", approval.expiresAt().toString());
        return fields;
    }

    static PendingApproval read(Json json) {
        try {
            return PendingApproval.builder(
                            PendingApproval.Kind.valueOf(text(json, "kind").toUpperCase(Locale.ROOT)),
                            new RunId(text(json, "runId")),
                            text(json, "callId"),
                            text(json, "toolName"),
                            need(json, "arguments"))
                    .rootRunId(new RunId(text(json, "rootRunId")))
                    .path(AgentPath.parse(text(json, "path")))
                    .waitNumber(need(json, "waitNumber").as(Integer.class))
                    .digest(text(json, "digest"))
                    .payload(json.at("/payload").orElse(null))
                    .dataSchema(json.at("/dataSchema").orElse(null))
                    .stepPath(textIfPresent(json, "stepPath"))
                    .requester(textIfPresent(json, "requester"))
                    .threadId(textIfPresent(json, "threadId"))
                    .resourceId(textIfPresent(json, "resourceId"))
                    .askedAt(Instant.parse(text(json, "askedAt")))
                    .expiresAt(Instant.parse(text(json, "expiresAt")))
                    .build();
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

    private static @Nullable String textIfPresent(Json json, String field) {
        return json.at("/" + field).flatMap(Json::string).orElse(null);
    }
}
