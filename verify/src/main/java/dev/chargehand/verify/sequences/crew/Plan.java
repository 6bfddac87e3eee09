package dev.chargehand.verify.sequences.crew;

import dev.chargehand.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * What a model does in a run, step by step. It is a part of the words that the run is started with, so that the model needs
 * to know nothing else.
 *
 * @param steps the calls of each step; after them the model answers
 */
public record Plan(List<List<Call>> steps) {

    /** The name of a call at which the model fails instead. */
    public static final String FAILURE = "FAILURE";

    private static final String MARK = "PLAN:";

    /** A call of a tool, with its arguments. */
    public record Call(String tool, Json arguments) {}

    /** Return words with this plan behind them. */
    public String behind(String words) {
        byte[] plan = Json.of(this).text().getBytes(StandardCharsets.UTF_8);
        return words + " " + MARK + Base64.getUrlEncoder().withoutPadding().encodeToString(plan) + ":";
    }

    /** Return whether a text has a plan. */
    static boolean isIn(String text) {
        return text.contains(MARK);
    }

    /** Read the last plan of a text; empty if a tool or a template has cut it. */
    static Optional<Plan> of(String text) {
        int start = text.lastIndexOf(MARK) + MARK.length();
        int end = text.indexOf(':', start);
        try {
            byte[] plan = Base64.getUrlDecoder().decode(text.substring(start, end));
            return Optional.of(
                    Json.parse(new String(plan, StandardCharsets.UTF_8)).as(Plan.class));
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }
}
