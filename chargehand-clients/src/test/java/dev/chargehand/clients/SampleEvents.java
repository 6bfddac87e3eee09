package dev.chargehand.clients;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One event of each type, those included that generated runs do not have. */
final class SampleEvents {

    /** The run that they are of. */
    static final RunId ROOT = new RunId("run-1");

    private static final Json OBJECT = Json.of(Map.of("amount", 1));
    private static final Map<Class<?>, Object> VALUES = Map.ofEntries(
            Map.entry(Origin.class, new Origin(ROOT, AgentPath.root("top"), 1, Instant.EPOCH)),
            Map.entry(RunId.class, new RunId("run-2")),
            Map.entry(String.class, "text"),
            Map.entry(int.class, 1),
            Map.entry(long.class, 1L),
            Map.entry(boolean.class, false),
            Map.entry(Duration.class, Duration.ofMillis(1)),
            Map.entry(Instant.class, Instant.EPOCH),
            Map.entry(Json.class, OBJECT),
            Map.entry(Usage.class, Usage.of(1, 2)),
            Map.entry(List.class, List.of()),
            Map.entry(StopReason.class, new StopReason.Finished()),
            Map.entry(
                    PendingApproval.class,
                    PendingApproval.builder(PendingApproval.Kind.APPROVAL, ROOT, "call", "pay", OBJECT)
                            .build()));

    private SampleEvents() {}

    /** Return them all. */
    static List<RunEvent> all() {
        return types(RunEvent.class).map(type -> (RunEvent) sample(type)).toList();
    }

    private static Stream<Class<?>> types(Class<?> type) {
        return type.isRecord()
                ? Stream.of(type)
                : Arrays.stream(type.getPermittedSubclasses())
                        .flatMap(SampleEvents::types)
                        .distinct();
    }

    private static @Nullable Object sample(Class<?> type) {
        Object value = VALUES.get(type);
        if (value != null) {
            return value;
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        if (!type.isRecord()) {
            return null;
        }
        RecordComponent[] parts = type.getRecordComponents();
        try {
            var constructor = type.getDeclaredConstructor(
                    Arrays.stream(parts).map(RecordComponent::getType).toArray(Class<?>[]::new));
            return constructor.newInstance(
                    Arrays.stream(parts).map(part -> sample(part.getType())).toArray());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("There is no sample of " + type, e);
        }
    }
}
