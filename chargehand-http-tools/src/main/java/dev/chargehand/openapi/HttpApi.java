package dev.chargehand.openapi;

import dev.chargehand.document.Setting;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the calls of all operations of an HTTP API have in common.
 *
 * @param name the name of the tools together
 * @param headers what is sent with every call, variables not yet replaced
 * @param query what is in the query of every call, variables not yet replaced
 * @param idempotencyHeader the header that carries the key of a call that has effects, or null for none
 * @param timeout how long a call may take
 * @param maxOutput the most bytes of an answer that a model sees
 */
record HttpApi(
        String name,
        Map<String, Setting> headers,
        Map<String, Setting> query,
        @Nullable String idempotencyHeader,
        Duration timeout,
        int maxOutput) {

    HttpApi {
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
        query = Collections.unmodifiableMap(new LinkedHashMap<>(query));
    }
}
