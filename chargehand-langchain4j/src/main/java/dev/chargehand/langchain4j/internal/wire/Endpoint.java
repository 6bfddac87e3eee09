package dev.chargehand.langchain4j.internal.wire;

import java.net.URI;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The endpoint of a model, with its key; validated.
 *
 * @param displayName the name that users know the model by
 * @param model the name that the provider knows it by
 * @param baseUrl the base URL of the provider's API
 * @param key the key, asked for at every call; nothing if there is none
 * @param keyHint what to set when the key is missing or rejected
 * @param needsKey whether a call without a key fails before it is sent
 */
public record Endpoint(
        String displayName,
        String model,
        URI baseUrl,
        Supplier<Optional<String>> key,
        String keyHint,
        boolean needsKey) {

    /** Return the key of this moment without white space around it; empty if there is none. */
    public String currentKey() {
        return key.get().map(String::strip).orElse("");
    }
}
