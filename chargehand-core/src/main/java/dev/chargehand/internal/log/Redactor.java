package dev.chargehand.internal.log;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ModelException;
import dev.chargehand.internal.text.WellFormed;
import dev.chargehand.json.Json;
import dev.chargehand.run.StopReason;
import java.util.Comparator;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Takes known secrets out of texts that leave the framework: errors, events, logs, stored results. Thread-safe. */
public final class Redactor {

    /** A secret shorter than this would blank out ordinary words. */
    private static final int SHORTEST = 6;

    /** How much of a description is kept. */
    private static final int LONGEST = 4_000;

    /** A chain of causes may be a circle. */
    private static final int MOST_CAUSES = 16;

    private static final String REPLACEMENT = "[redacted]";

    /** What follows one would be a line of the log of its own, in the words of another. */
    private static final Pattern LINE_BREAK = Pattern.compile("\\R\\s*+");

    /** The secrets of which {@link #secrets} has all forms: each model call reports its secrets again. */
    private final Set<String> learned = ConcurrentHashMap.newKeySet();

    /** Longest first, so that a secret that contains another leaves nothing of itself behind. */
    private final Set<String> secrets = new ConcurrentSkipListSet<>(
            Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder()));

    /** Learn secrets, and how they are written within JSON that is in a text. */
    public void learn(Set<String> more) {
        for (String secret : more) {
            if (secret.length() >= SHORTEST && !learned.contains(secret)) {
                learn(secret);
                learned.add(secret);
            }
        }
    }

    private void learn(String secret) {
        String quoted = Json.of(secret).text();
        String escaped = quoted.substring(1, quoted.length() - 1);
        secrets.add(secret);
        secrets.add(escaped);
        secrets.add(escaped.replace("/", "\\/"));
        secrets.add(inAscii(escaped, "\\u%04x"));
        secrets.add(inAscii(escaped, "\\u%04X"));
    }

    private static String inAscii(String text, String escape) {
        StringBuilder ascii = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                ascii.append(c);
            } else {
                ascii.append(String.format(Locale.ROOT, escape, (int) c));
            }
        }
        return ascii.toString();
    }

    /**
     * Return the value without secrets. They are looked for in its strings, keys and numbers, never in its text: the
     * outcome is always JSON.
     */
    public Json redact(Json json) {
        boolean mayHoldSome = json.text().indexOf('\\') >= 0 || holdsSecret(json.text());
        return mayHoldSome && !secrets.isEmpty() ? json.withTexts(this::redact) : json;
    }

    private boolean holdsSecret(String text) {
        for (String secret : secrets) {
            if (text.contains(secret)) {
                return true;
            }
        }
        return false;
    }

    /** Return the text without secrets, and well formed. */
    public String redact(String text) {
        String clean = WellFormed.text(text);
        for (String secret : secrets) {
            clean = clean.replace(secret, REPLACEMENT);
        }
        return clean;
    }

    /**
     * Return what an exception says, for events, results and messages, which people outside read: without its class, without secrets,
     * without words of a provider, and cut where it is long. Never throws.
     */
    public String words(Throwable thrown) {
        return cut(redact(Thrown.words(thrown)));
    }

    /** Return what an exception says as the end of a sentence: with one stop. */
    public String sentence(Throwable thrown) {
        String words = words(thrown);
        return words.endsWith(".") ? words : words + ".";
    }

    /**
     * Describe an exception for a log, or for the details that only the application reads: with its class, without secrets, without words
     * of a provider, in one line, and cut where it is long. Never throws.
     */
    public String describe(Throwable thrown) {
        return cut(LINE_BREAK.matcher(redact(Thrown.describe(thrown))).replaceAll(" "));
    }

    /**
     * Describe an exception and what caused it in one bounded text, without secrets and without words of a provider.
     */
    public String describeWithCauses(Throwable thrown) {
        StringBuilder all = new StringBuilder(describe(thrown));
        Throwable cause = thrown.getCause();
        for (int depth = 1; cause != null && depth < MOST_CAUSES && all.length() < LONGEST; depth++) {
            all.append("; caused by ").append(describe(cause));
            cause = cause.getCause();
        }
        return cut(all.toString());
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "\u2026";
    }

    /** Return the stop reason of a run that ends with an error, without secrets. */
    public StopReason.Failed failure(ChargehandException e) {
        String words = providerMessage(e);
        return new StopReason.Failed(
                e.code(), redact(e.publicMessage()), e.retryable(), words == null ? null : redact(words));
    }

    /** Return what a provider said about the failed call that led to an exception; null if nothing. */
    private static @Nullable String providerMessage(Throwable thrown) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
            if (cause instanceof ModelException failed) {
                return failed.providerMessage().orElse(null);
            }
            cause = cause.getCause();
        }
        return null;
    }
}
