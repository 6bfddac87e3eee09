package dev.chargehand.langchain4j.internal;

import java.net.URI;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where a model is asked and as whom; validated.
 *
 * @param displayName the name that users know the model by
 * @param model the name that the provider knows it by
 * @param baseUrl where the provider's API begins
 * @param key the key, asked for at every call; nothing if there is none
 * @param keyHint what to set when the key is missing or refused
 * @param needsKey whether a call without a key fails before it is sent
 */
public record Endpoint(
        String displayName,
        String model,
        URI baseUrl,
        Supplier<Optional<String>> key,
        String keyHint,
        boolean needsKey) {

    /** Returns the key of this moment without white space around it; empty if there is none. */
    String currentKey() {
        return key.get().map(String::strip).orElse("");
    }
}
