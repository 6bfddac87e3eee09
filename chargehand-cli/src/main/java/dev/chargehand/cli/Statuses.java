package dev.chargehand.cli;

import dev.chargehand.cli.config.Names;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.run.RunStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The words for where runs stand. */
final class Statuses {

    private Statuses() {}

    static String word(RunStatus status) {
        return status.name().toLowerCase(Locale.ROOT);
    }

    /** Reads a word of the command line. */
    static RunStatus parse(String word) {
        List<String> words =
                Arrays.stream(RunStatus.values()).map(Statuses::word).toList();
        return Arrays.stream(RunStatus.values())
                .filter(status -> word(status).equals(word.strip().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new ConfigurationException(
                        "--status: unknown status '" + word + "'." + Names.allowed("There are", word, words)));
    }
}
