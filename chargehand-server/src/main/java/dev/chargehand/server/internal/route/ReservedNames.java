package dev.chargehand.server.internal.route;

import dev.chargehand.json.Json;
import java.util.Map;
import java.util.Set;

/** Names in metadata under which the server keeps what it knows itself, such as where a chat continues. Callers neither set nor see them. */
public final class ReservedNames {

    /** What these names start with. */
    public static final String START = "chargehand.";

    /** Why such a name is rejected; follows the name of the field. */
    public static final String MESSAGE =
            "must not have names that start with '" + START + "': the server has those. Choose another name";

    private ReservedNames() {}

    /** Return whether one of some names is reserved. */
    public static boolean isAmong(Set<String> names) {
        return names.stream().anyMatch(name -> name.startsWith(START));
    }

    /** Return the values that a caller may see. */
    public static Json without(Object metadata) {
        Map<String, Json> fields = Json.of(metadata).fields();
        fields.keySet().removeIf(name -> name.startsWith(START));
        return Json.of(fields);
    }
}
