package dev.chargehand.completion;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import dev.chargehand.step.ToolOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * What tools and sub-agents returned, for finding cited sources in it.
 *
 * @param text all of it
 * @param words the same in lower case, with single spaces
 * @param addresses the web addresses in it
 */
record SeenSources(String text, String words, Set<String> addresses) {

    /** This many characters distinguish an entry from others; searching for longer ones may take long. */
    private static final int LONGEST_ENTRY = 500;

    /** Score an answer: the share of its sources that were seen. */
    static Score score(ScorerContext context) {
        List<Citation> cited = Citations.in(context.text());
        if (cited.isEmpty()) {
            return Score.pass();
        }
        SeenSources seen = of(context);
        List<String> unlisted = new ArrayList<>();
        List<String> unseen = new ArrayList<>();
        for (Citation citation : cited) {
            if (citation instanceof Citation.Numbered numbered && numbered.entry() == null) {
                unlisted.add(citation.source());
            } else if (!seen.has(citation)) {
                unseen.add(citation.source());
            }
        }
        return Texts.share(
                cited.size() - unlisted.size() - unseen.size(), cited.size(), () -> reason(unlisted, unseen));
    }

    private static String reason(List<String> unlisted, List<String> unseen) {
        List<String> reasons = new ArrayList<>();
        if (!unlisted.isEmpty()) {
            reasons.add("These numbers are not in the answer's list of references: " + String.join(", ", unlisted)
                    + ". End the answer with a line for each, such as [1] docs/concepts.md:12.");
        }
        if (!unseen.isEmpty()) {
            reasons.add("These sources are in nothing that tools or sub-agents returned: " + String.join(", ", unseen)
                    + ". Cite only what they returned, word for word, or look these up first.");
        }
        return String.join(" ", reasons);
    }

    private static SeenSources of(ScorerContext context) {
        List<String> texts = new ArrayList<>();
        for (ToolOutcome outcome : context.toolResults()) {
            outcome.output().ifPresent(output -> collect(output, texts));
        }
        context.messages().stream()
                .flatMap(message -> message.toolResults().stream())
                .filter(result -> !result.error())
                .forEach(result -> collect(asJson(result.output()), texts));
        String text = String.join("\n", texts);
        return new SeenSources(text, words(text), Citations.addressesIn(text));
    }

    /** Messages hold results as texts, JSON or not. */
    private static Json asJson(String result) {
        try {
            return Json.parse(result);
        } catch (InvalidJsonException e) {
            return Json.of(result);
        }
    }

    /** Collect every text of a value. */
    private static void collect(Json value, List<String> texts) {
        if (!value.text().strip().equals("null")) {
            collect(value.as(Object.class), texts);
        }
    }

    private static void collect(@Nullable Object value, List<String> texts) {
        switch (value) {
            case null -> {}
            case Map<?, ?> map ->
                map.forEach((key, below) -> {
                    texts.add(String.valueOf(key));
                    collect(below, texts);
                });
            case Iterable<?> list -> list.forEach(below -> collect(below, texts));
            default -> texts.add(value.toString());
        }
    }

    private boolean has(Citation citation) {
        return switch (citation) {
            case Citation.Url url -> addresses.contains(url.source());
            case Citation.Place place ->
                hasPlace(place.file() + ":" + place.unit() + place.from())
                        || hasPlace(place.lastWord() + ":" + place.unit() + place.from());
            case Citation.Numbered numbered -> words.contains(start(words(numbered.source())));
        };
    }

    /** Neither line 1 of a file is seen in its line 12, nor a file in one whose name ends like its own. */
    private boolean hasPlace(String place) {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("The search was interrupted.");
        }
        for (int at = text.indexOf(place); at >= 0; at = text.indexOf(place, at + 1)) {
            int end = at + place.length();
            boolean begins = at == 0 || !isOfPath(text.charAt(at - 1));
            boolean ends = end == text.length() || !Character.isDigit(text.charAt(end));
            if (begins && ends) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfPath(char c) {
        return Character.isLetterOrDigit(c) || "_./~@+%-".indexOf(c) >= 0;
    }

    private static String start(String words) {
        return words.substring(0, Math.min(words.length(), LONGEST_ENTRY));
    }

    private static String words(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll("[\\s*_]+", " ").strip();
    }
}
