package dev.chargehand.internal.journal;

import dev.chargehand.internal.fact.DefinitionLink;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.journal.stored.StoredStopReason;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.WaitingCalls;
import dev.chargehand.internal.text.WellFormed;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.Append;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.RunSummary;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Derives from the states of one run what a store lists of it. Used by one thread. */
public final class Summaries {

    private static final int MOST_CHARACTERS = 200;

    /** Why most runs end, in its stored form; it has no details, and is made without what writes those, which takes long to load. */
    static final Json FINISHED = Json.of(Map.of("code", new StopReason.Finished().code()));

    /** How the input of the run starts, which stays the same; null until it is derived. */
    private @Nullable String firstWords;

    /** Return everything that is derived from a run as it is stored, for {@link dev.chargehand.store.Store#index}. */
    public static Append derived(RunRecord run, long epoch, State state) {
        return Append.to(run.runId(), epoch, run.length(), List.of(), run.status(), run.updatedAt())
                .rootRunId(run.rootRunId())
                .summary(new Summaries().of(state))
                .expiresAt(state.waitsUntil())
                .waits(WaitingCalls.listed(state));
    }

    /** Return the summary of a run. */
    RunSummary of(State state) {
        StopReason stop = state.stop();
        DefinitionLink definition = state.started().definition();
        String words = firstWords;
        if (words == null) {
            words = firstWords(state.started());
            firstWords = words;
        }
        return RunSummary.of(state.kind(), words)
                .step(state.stepNumber())
                .usage(state.spent().totalUsage(), state.spent().cost())
                .version(definition == null ? null : definition.version())
                .stop(stop == null ? null : listed(stop));
    }

    private static Json listed(StopReason stop) {
        return stop instanceof StopReason.Finished ? FINISHED : json(stop);
    }

    private static Json json(StopReason stop) {
        return Json.parse(StoredJson.write(StoredStopReason.listed(stop)));
    }

    /** Return how the input of a run starts, in one line. */
    private static String firstWords(Fact.Started started) {
        StringBuilder words = new StringBuilder(MOST_CHARACTERS);
        for (Message message : started.input()) {
            append(message.text(), words);
            append(" ", words);
        }
        return WellFormed.text(words.toString().strip());
    }

    private static void append(String text, StringBuilder words) {
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int character = text.codePointAt(i);
            boolean blank = Character.isWhitespace(character) || Character.isISOControl(character);
            boolean afterBlank = words.isEmpty() || words.charAt(words.length() - 1) == ' ';
            if (words.length() + Character.charCount(character) > MOST_CHARACTERS) {
                return;
            }
            if (!blank) {
                words.appendCodePoint(character);
            } else if (!afterBlank) {
                words.append(' ');
            }
        }
    }
}
