package dev.chargehand.openapi;

import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tools that are operations of an HTTP API, made from an OpenAPI document.
 *
 * @param name what they are called together
 * @param at where they are defined
 * @param headers what is sent with every call, variables not yet replaced
 * @param idempotencyHeader the header that carries the key of a call that has effects, or null for none
 * @param timeout how long a call may take
 * @param maxOutput the most bytes of an answer that a model sees
 * @param operations the operations that were chosen, in the file's order
 */
public record HttpApi(
        String name,
        Position at,
        Map<String, Setting> headers,
        @Nullable String idempotencyHeader,
        Duration timeout,
        int maxOutput,
        List<Operation> operations) {

    public HttpApi {
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
        operations = List.copyOf(operations);
    }
}
