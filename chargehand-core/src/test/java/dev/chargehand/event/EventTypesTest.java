package dev.chargehand.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each event of the core can be selected by its name, and nothing else can. */
class EventTypesTest {

    private static final Map<Class<?>, String> OTHERS = Map.of(
            RunEvent.UsageReport.class,
            "usage",
            RunEvent.PartialObject.class,
            "object",
            RunEvent.Data.class,
            "data-mine",
            RunEvent.NetworkStepFinish.class,
            "network-execution-event-step-finish",
            RunEvent.NetworkFinish.class,
            "network-execution-event-finish");

    private static Stream<Class<?>> records(Class<?> type) {
        return type.isRecord()
                ? Stream.of(type)
                : Stream.of(type.getPermittedSubclasses()).flatMap(EventTypesTest::records);
    }

    private static String name(Class<?> event) {
        return OTHERS.getOrDefault(
                event, event.getSimpleName().replaceAll("(?<=.)(?=[A-Z])", "-").toLowerCase(Locale.ROOT));
    }

    @Test
    void eachEventIsKnown() {
        assertThat(records(RunEvent.class).map(EventTypesTest::name))
                .hasSizeGreaterThan(60)
                .allMatch(EventTypes::isKnown);
    }

    @Test
    void eachEventOfANetworkIsKnown() {
        assertThat(Stream.of(
                        "routing-agent-start",
                        "routing-agent-text-delta",
                        "agent-execution-start",
                        "agent-execution-event-start",
                        "agent-execution-event-text-delta",
                        "agent-execution-event-data-mine",
                        "workflow-execution-event-step-result",
                        "tool-execution-event-tool-call-approval",
                        "network-validation-end",
                        "network-object-result"))
                .allMatch(EventTypes::isKnown);
    }

    @Test
    void nothingElseIs() {
        assertThat(Stream.of("", " ", "run-finsh", "RUN-START", "data-", "routing-agent-", "agent-execution-event-x"))
                .noneMatch(EventTypes::isKnown);
    }

    @Test
    void whatIsDescribedIsKnown() {
        assertThat(EventTypes.described().split(" and ")[0].split(", "))
                .hasSizeGreaterThan(60)
                .allMatch(type -> type.equals("data-…") || EventTypes.isKnown(type));
    }
}
