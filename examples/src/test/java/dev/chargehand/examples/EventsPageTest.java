package dev.chargehand.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.error.ModelException;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.DelegatedCall;
import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.StepDecision;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/** The pages of all events and of all error codes have every one there is, and no other. */
class EventsPageTest {

    @Test
    void everyEventStandsUnderItsNameOnTheWireWithItsFields() throws IOException {
        assertThat(Page.of("events.md").rows("Every event"))
                .extracting(row -> row.getFirst(), row -> row.get(1))
                .containsExactlyInAnyOrderElementsOf(records(RunEvent.class)
                        .map(event -> Tuple.tuple(wireName(event), fields(event)))
                        .toList());
    }

    @Test
    void everyCodeOfAModelOrStoreStandsWithWhetherAnotherTryMayHelp() throws IOException {
        Stream<Tuple> model = Arrays.stream(ModelException.Kind.values())
                .map(kind -> new ModelException(kind, "", null))
                .map(e -> Tuple.tuple(e.code(), e.retryable() ? "yes" : "no"));
        Stream<Tuple> store = Arrays.stream(StoreException.Kind.values())
                .map(kind -> new StoreException(kind, "", null))
                .map(e -> Tuple.tuple(e.code(), e.retryable() ? "yes" : "no"));
        assertThat(Page.of("errors.md").rows())
                .extracting(row -> row.getFirst(), row -> row.get(2))
                .containsAll(Stream.concat(model, store).toList());
    }

    /** Returns the records of a sealed type, also those of the sealed types it permits. */
    private static Stream<Class<?>> records(Class<?> type) {
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(EventsPageTest::records)
                : Stream.of(type);
    }

    private static String fields(Class<?> event) {
        String fields = Arrays.stream(event.getRecordComponents())
                .filter(component -> !component.getName().equals("origin"))
                .map(EventsPageTest::field)
                .collect(Collectors.joining(", "));
        return event == RunEvent.DelegationEnd.class ? fields + ", status" : fields;
    }

    /** Values that group components are written as fields of the event. */
    private static String field(RecordComponent component) {
        if (component.getType() == DelegatedCall.class) {
            return "callId, agentId, agentName, version, childRunId";
        }
        if (component.getType() == StepDecision.class) {
            return "stopReason, decision, feedback";
        }
        return component.getName() + (component.getType() == Duration.class ? "Millis" : "");
    }

    private static String wireName(Class<?> event) {
        RecordComponent[] components = event.getRecordComponents();
        try {
            Object any = event.getDeclaredConstructor(Arrays.stream(components)
                            .map(RecordComponent::getType)
                            .toArray(Class<?>[]::new))
                    .newInstance(Arrays.stream(components)
                            .map(component -> anyValue(component.getType()))
                            .toArray());
            return ((RunEvent) any).type();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("No event could be made of " + event, e);
        }
    }

    private static Object anyValue(Class<?> type) {
        if (type == Origin.class) {
            return new Origin(new RunId("run"), AgentPath.root("agent"), 1, Instant.EPOCH);
        }
        if (type == long.class) {
            return 1L;
        }
        if (type == String.class) {
            return "<name>";
        }
        if (type == List.class) {
            return List.of();
        }
        if (type == boolean.class) {
            return false;
        }
        return type == int.class ? 0 : null;
    }
}
