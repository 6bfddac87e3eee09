package dev.chargehand.event;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.completion.ScorerResult;
import dev.chargehand.json.Json;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.ForkOrigin;
import dev.chargehand.run.ProcessorPhase;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.Store;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes an event as one flat JSON object: its wire name, its origin, then its own fields. */
final class EventJson {

    private EventJson() {}

    static Json of(RunEvent event) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        Origin origin = event.origin();
        fields.put("type", event.type());
        origin.id().ifPresent(id -> fields.put("id", id.toString()));
        fields.put("runId", origin.runId().value());
        if (!origin.tenantId().equals(Store.LOCAL)) {
            fields.put("tenantId", origin.tenantId());
        }
        fields.put("path", origin.path().toString());
        fields.put("step", origin.step());
        fields.put("time", origin.time().toString());
        for (RecordComponent component : event.getClass().getRecordComponents()) {
            Object value = read(component, event);
            if (value != origin) {
                put(fields, component.getName(), value);
            }
        }
        if (event instanceof RunEvent.DelegationEnd end) {
            put(fields, "status", end.status());
        }
        return Json.of(fields);
    }

    /** Values that group components of an event are written as its own fields. */
    private static void put(Map<String, @Nullable Object> fields, String name, @Nullable Object value) {
        switch (value) {
            case null -> {}
            case Duration duration -> fields.put(name + "Millis", plain(duration));
            case DelegatedCall call -> {
                put(fields, "callId", call.callId());
                put(fields, "agentId", call.agentId());
                put(fields, "agentName", call.agentName());
                put(fields, "version", call.version());
                put(fields, "childRunId", call.childRunId());
            }
            case StepDecision decision -> {
                put(fields, "stopReason", decision.stopReason());
                put(fields, "decision", decision.hook());
                put(fields, "feedback", decision.feedback());
            }
            default -> fields.put(name, plain(value));
        }
    }

    private static @Nullable Object read(RecordComponent component, Object of) {
        try {
            return component.getAccessor().invoke(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("The accessor of a public record cannot be called.", e);
        }
    }

    private static Object plain(Object value) {
        return switch (value) {
            case RunId id -> id.value();
            case AgentPath path -> path.toString();
            case Duration duration -> duration.toMillis();
            case Enum<?> constant -> constant.name().toLowerCase(java.util.Locale.ROOT);
            case StopReason reason -> plain(reason);
            case Json json -> json;
            case ForkOrigin fork -> plain(fork);
            case ScorerResult result -> plain(result);
            case PendingApproval approval -> approval.toJson();
            case List<?> list ->
                list.stream().map(each -> each == null ? "" : plain(each)).toList();
            default -> value;
        };
    }

    /** The code of a reason and its details, without a provider's own words. */
    private static Map<String, Object> plain(StopReason reason) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("code", reason.code());
        for (RecordComponent component : reason.getClass().getRecordComponents()) {
            Object value = component.getName().equals("providerMessage") ? null : read(component, reason);
            if (value != null) {
                fields.put(component.getName(), value instanceof ProcessorPhase phase ? phase.key() : plain(value));
            }
        }
        return fields;
    }

    private static Map<String, Object> plain(ForkOrigin fork) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("runId", fork.runId().value());
        fields.put("step", fork.step());
        if (!fork.replaced().isEmpty()) {
            fields.put("replaced", fork.replaced());
        }
        return fields;
    }

    private static Map<String, Object> plain(ScorerResult result) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("scorer", result.scorer());
        fields.put("score", result.score());
        fields.put("threshold", result.threshold());
        fields.put("passed", result.passed());
        fields.put("reason", result.reason());
        fields.put("durationMillis", result.duration().toMillis());
        return fields;
    }
}
