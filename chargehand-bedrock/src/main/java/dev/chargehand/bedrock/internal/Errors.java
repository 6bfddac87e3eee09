package dev.chargehand.bedrock.internal;

import dev.chargehand.provider.fault.ProviderError;
import java.util.Map;

/** The errors that Bedrock reports in a stream. */
final class Errors {

    /** The statuses that they have outside of one. */
    private static final Map<String, Integer> STATUSES = Map.of(
            "throttlingException", 429,
            "modelNotReadyException", 429,
            "validationException", 400,
            "resourceNotFoundException", 400,
            "accessDeniedException", 403,
            "modelTimeoutException", 408,
            "internalServerException", 500,
            "modelStreamErrorException", 500,
            "serviceUnavailableException", 503);

    private Errors() {}

    /** Return the error of a type; the message comes from Bedrock. */
    static ProviderError of(String type, String message) {
        Integer status = STATUSES.get(type);
        return status == null ? ProviderError.of("", type, message, "") : new ProviderError(status, "", type, message);
    }
}
