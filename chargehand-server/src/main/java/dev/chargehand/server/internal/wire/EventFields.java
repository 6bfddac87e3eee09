package dev.chargehand.server.internal.wire;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import java.util.Map;

/** Events as clients may see them where a wire has no form of its own for them. */
public final class EventFields {

    private EventFields() {}

    /** Return the fields of an event, without the words of a model's provider. */
    public static Map<String, Json> of(RunEvent event) {
        Map<String, Json> fields = event.toJson().fields();
        fields.remove("providerMessage");
        return fields;
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
