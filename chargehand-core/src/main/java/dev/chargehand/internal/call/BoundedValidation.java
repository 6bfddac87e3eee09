package dev.chargehand.internal.call;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.json.JsonType;
import dev.chargehand.spi.CallInfo;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Checks values against schemas that may be costly to check, without holding the run up.
 *
 * <p>A small value and a schema of plain keywords are checked at once. Everything else is checked where it can be
 * abandoned, so that the run's time and its cancellation win. Thread-safe.
 */
public final class BoundedValidation {

    private static final int SMALL = 16_384;

    /** Keywords whose cost is not in proportion to the value, and dialects that have more of them. */
    private static final List<String> COSTLY = List.of("\"pattern", "\"uniqueItems\"", "\"$schema\"");

    private final BoundedCalls callouts;
    private final Cancellation cancellation;
    private final Duration limit;
    private final Function<String, CallSite> site;

    /** Prepare checks that end with a cancellation, and take no longer than a limit each. */
    public BoundedValidation(BoundedCalls callouts, Cancellation cancellation, Duration limit) {
        this(callouts, cancellation, limit, name -> CallSite.of(CallInfo.Kind.CHECK, name));
    }

    /**
     * Prepare checks that end with a cancellation, and take no longer than a limit each.
     *
     * @param site describes the check of a named value
     */
    public BoundedValidation(
            BoundedCalls callouts, Cancellation cancellation, Duration limit, Function<String, CallSite> site) {
        this.site = site;
        this.callouts = callouts;
        this.cancellation = cancellation;
        this.limit = limit;
    }

    /**
     * Return what is wrong with a value; see {@link JsonSchema#violations}.
     *
     * @param what names the value, for thread dumps and metrics
     * @throws RunInterruptedException if the run is to end
     */
    public List<String> violations(String what, JsonSchema schema, Json value) {
        return value.text().length() <= SMALL && isPlain(schema)
                ? schema.violations(value)
                : bounded(what, () -> schema.violations(value));
    }

    /**
     * Return what is wrong with a value that will be read as the Java type of its schema: what {@link #violations} returns and, if that is
     * nothing, why it cannot be read so. A date may not exist, and a constructor of the application may reject what the schema allows.
     *
     * @param what names the value, for thread dumps and metrics
     * @param reason what to say of a value that cannot be read so, without a full stop
     * @throws RunInterruptedException if the run is to end
     */
    public List<String> misfits(
            String what, JsonSchema schema, Json value, Function<InvalidJsonException, String> reason) {
        List<String> violations = violations(what, schema, value);
        JsonType<?> type = schema.type().orElse(null);
        return !violations.isEmpty() || type == null
                ? violations
                : bounded(what, () -> unreadable(value, type, reason));
    }

    private static List<String> unreadable(
            Json value, JsonType<?> type, Function<InvalidJsonException, String> reason) {
        try {
            Object ignored = value.as(type);
            return List.of();
        } catch (InvalidJsonException e) {
            return List.of(reason.apply(e));
        }
    }

    private List<String> bounded(String what, Supplier<List<String>> check) {
        try {
            return callouts.call(site.apply(what), limit, cancellation, check::get);
        } catch (BoundedCalls.TimedOutException e) {
            return List.of("cannot be checked within the time limit; a shorter value may be");
        } catch (BoundedCalls.ThrewException e) {
            throw new IllegalStateException("The check of " + what + " failed.", e.thrown());
        }
    }

    private static boolean isPlain(JsonSchema schema) {
        String text = schema.json().text();
        for (String keyword : COSTLY) {
            if (text.contains(keyword)) {
                return false;
            }
        }
        return true;
    }
}
