package dev.chargehand.cli.runs;

import dev.chargehand.document.NameSuggestions;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.run.RunStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The words for where runs stand. */
final class StatusWords {

    private StatusWords() {}

    static String word(RunStatus status) {
        return status.name().toLowerCase(Locale.ROOT);
    }

    /** Read a word of the command line. */
    static RunStatus parse(String word) {
        List<String> words =
                Arrays.stream(RunStatus.values()).map(StatusWords::word).toList();
        return Arrays.stream(RunStatus.values())
                .filter(status -> word(status).equals(word.strip().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new ConfigurationException("--status: unknown status '" + word + "'."
                        + NameSuggestions.allowed("There are", word, words)));
    }
}
