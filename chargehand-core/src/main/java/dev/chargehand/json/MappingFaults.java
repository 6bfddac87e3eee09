package dev.chargehand.json;

import java.net.URI;
import java.time.Duration;
import java.time.Period;
import java.time.ZoneId;
import java.time.temporal.Temporal;
import java.util.Arrays;
import java.util.Currency;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.exc.JsonNodeException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.ValueInstantiationException;

/**
 * Says what is wrong with a value in words that a model may receive: where it stands and what is allowed there, but no
 * name of a Java class, and no word of what a constructor or a deserialiser threw.
 */
final class MappingFaults {

    static final String TOO_LARGE = "it is larger, or nested more deeply, than is read";

    private static final String ENDLESS = "it is too large, nested too deeply, or contains itself";

    /** What the library says of its settings, and of the place of a bracket, which it does not know. */
    private static final Pattern INTERNAL = Pattern.compile(
            "(?: for `ObjectNode`)?(?:: | \\()(?:not |enable )[^`']*[`'].*| \\(start marker at \\[Source: .*");

    private static final String FLOAT = "a number from -" + Float.MAX_VALUE + " to " + Float.MAX_VALUE;

    private static final Map<Class<?>, String> ALLOWED = Map.ofEntries(
            Map.entry(byte.class, wholeNumber(Byte.MIN_VALUE, Byte.MAX_VALUE)),
            Map.entry(short.class, wholeNumber(Short.MIN_VALUE, Short.MAX_VALUE)),
            Map.entry(int.class, wholeNumber(Integer.MIN_VALUE, Integer.MAX_VALUE)),
            Map.entry(long.class, wholeNumber(Long.MIN_VALUE, Long.MAX_VALUE)),
            Map.entry(Byte.class, wholeNumber(Byte.MIN_VALUE, Byte.MAX_VALUE)),
            Map.entry(Short.class, wholeNumber(Short.MIN_VALUE, Short.MAX_VALUE)),
            Map.entry(Integer.class, wholeNumber(Integer.MIN_VALUE, Integer.MAX_VALUE)),
            Map.entry(Long.class, wholeNumber(Long.MIN_VALUE, Long.MAX_VALUE)),
            Map.entry(float.class, FLOAT),
            Map.entry(Float.class, FLOAT),
            Map.entry(boolean.class, "true or false"),
            Map.entry(Boolean.class, "true or false"),
            Map.entry(char.class, "one character"),
            Map.entry(Character.class, "one character"),
            Map.entry(UUID.class, "a UUID, such as 123e4567-e89b-12d3-a456-426614174000"),
            Map.entry(URI.class, "a URI, such as https://example.com/page"),
            Map.entry(Duration.class, "a duration as ISO 8601 writes it, such as PT90S"),
            Map.entry(Period.class, "a period as ISO 8601 writes it, such as P1M"),
            Map.entry(ZoneId.class, "a time zone, such as Europe/Berlin"),
            Map.entry(Currency.class, "the code of a currency, such as EUR"),
            Map.entry(Pattern.class, "a regular expression"));

    private MappingFaults() {}

    /** Return what is wrong with a text that is not JSON, without what is said of settings and types of the library. */
    static String ofText(JacksonException e) {
        return e instanceof StreamConstraintsException
                ? TOO_LARGE + "."
                : INTERNAL.matcher(e.getOriginalMessage()).replaceFirst("");
    }

    /** Return what is wrong with a value that has no JSON form, as the end of a sentence. */
    static String ofValue(JacksonException e) {
        if (isEndless(e)) {
            return ENDLESS;
        }
        String place = place(e);
        return place.isEmpty() ? "it has no JSON form" : "its value at " + place + " has no JSON form";
    }

    /** Return the same as a sentence, with what is known of the part that has no JSON form. */
    static String ofPart(JacksonException e) {
        return isEndless(e) ? ENDLESS + "." : e.getOriginalMessage();
    }

    private static boolean isEndless(JacksonException e) {
        return e instanceof StreamConstraintsException
                || e.getCause() instanceof StreamConstraintsException
                || e.getCause() instanceof StackOverflowError;
    }

    /** Return what is wrong with a value that does not fit a type, as a sentence. */
    static String ofFit(RuntimeException e) {
        String place = e instanceof JacksonException at ? place(at) : "";
        String allowed = e instanceof ValueInstantiationException ? null : allowed(e);
        return "The value" + (place.isEmpty() ? "" : " at " + place) + " is not valid"
                + (allowed == null ? "." : "; it must be " + allowed + ".");
    }

    /** Return where the value stands, as a JSON Pointer. */
    private static String place(JacksonException e) {
        return e.getPath().stream()
                .map(step -> "/" + (step.getPropertyName() == null ? step.getIndex() : step.getPropertyName()))
                .collect(Collectors.joining());
    }

    private static @Nullable String allowed(RuntimeException e) {
        if (e instanceof JsonNodeException) { // a decimal number that no double is near
            return "a number from -" + Double.MAX_VALUE + " to " + Double.MAX_VALUE;
        }
        Class<?> type = e instanceof MismatchedInputException mismatch
                ? mismatch.getTargetType()
                : e instanceof InputCoercionException coercion ? coercion.getTargetType() : null;
        if (type == null) {
            return null;
        }
        if (type.isEnum()) {
            return "one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(constant -> ((Enum<?>) constant).name())
                            .collect(Collectors.joining(", "));
        }
        if (Temporal.class.isAssignableFrom(type)) {
            return "a date or time as ISO 8601 writes it";
        }
        return ALLOWED.get(type);
    }

    private static String wholeNumber(long least, long most) {
        return "a whole number from " + least + " to " + most;
    }
}
