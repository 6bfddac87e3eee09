package dev.chargehand.server.internal.wire;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import java.util.Map;

/** Events as clients may see them where a wire has no form of its own for them. */
public final class EventFields {

    private EventFields() {}

    /**
     * Return the fields of an event, without what is for the application: what a model's provider has said, and how code has failed. Of a
     * stop reason its code is left.
     */
    public static Map<String, Json> of(RunEvent event) {
        Map<String, Json> fields = event.toJson().fields();
        fields.remove("providerMessage");
        if (event instanceof RunEvent.ToolError) {
            fields.remove("detail");
        }
        if (event instanceof RunEvent.Error) {
            fields.remove("message");
        }
        fields.computeIfPresent(
                "stopReason",
                (name, reason) -> Json.of(Map.of("code", reason.at("/code").orElse(reason))));
        return fields;
    }

    /** Return whether an event has a name that only networks have; those of nested runs have one too. */
    public static boolean isOfNetworks(RunEvent event) {
        String type = event.type();
        return event.origin().network()
                && (type.startsWith("routing-agent-") || type.startsWith("network-") || type.contains("-execution-"));
    }

    /** Return the arguments of a call: what the model wrote, as a text if it is not JSON. */
    public static Json arguments(String written) {
        try {
            return Json.parse(written);
        } catch (InvalidJsonException e) {
            return Json.of(written);
        }
    }
}
