package dev.chargehand.cli.command;

import dev.chargehand.cli.config.CommandEntry;
import dev.chargehand.cli.config.Setting;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Chooses the environment of a program. What is not named here or in the file, keys for example, it does not get. */
final class Surroundings {

    private static final List<String> HARMLESS = List.of(
            "PATH",
            "HOME",
            "USER",
            "LOGNAME",
            "SHELL",
            "LANG",
            "LANGUAGE",
            "LC_ALL",
            "LC_CTYPE",
            "TZ",
            "TMPDIR",
            "TEMP",
            "TMP",
            "SystemRoot",
            "PATHEXT",
            Offspring.VARIABLE);

    private Surroundings() {}

    static Map<String, String> of(CommandEntry entry, Function<String, @Nullable String> environment) {
        Map<String, String> variables = new LinkedHashMap<>();
        Stream.concat(HARMLESS.stream(), entry.environment().stream().map(Setting::text))
                .forEach(name -> {
                    String value = environment.apply(name);
                    if (value != null) {
                        variables.put(name, value);
                    }
                });
        return variables;
    }
}
