package dev.chargehand.testkit.model;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** A protocol whose events are texts. */
interface TextWire extends ModelWire {

    /** Write an answer as its events, each with its line ends. */
    List<String> textEvents(WireAnswer answer);

    /** Write an event with this data, JSON or not. */
    String textEvent(String data);

    @Override
    default List<byte[]> events(WireAnswer answer) {
        return textEvents(answer).stream()
                .map(event -> event.getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    @Override
    default byte[] event(String data) {
        return textEvent(data).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    default byte[] endless() {
        String event = textEvent("{}");
        return event.substring(0, event.indexOf("{}")).getBytes(StandardCharsets.UTF_8);
    }
}
