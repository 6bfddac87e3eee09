package dev.chargehand.verify.sequences;

import dev.chargehand.error.ChargehandException;
import java.util.concurrent.Callable;

/** What an operation gives or throws, as text. */
final class Outcome {

    /** What the text of an error starts with. */
    static final String REJECTED = "threw ";

    private Outcome() {}

    /** Do something that may be rejected. */
    static String of(Callable<?> body) {
        try {
            return Shown.of(body.call());
        } catch (ChargehandException | IllegalArgumentException e) {
            return REJECTED + Shown.error(e);
        } catch (Exception e) {
            throw new IllegalStateException("An error that no application expects: " + Shown.error(e), e);
        }
    }
}
