package dev.chargehand.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Chooses the environment of a program. Other variables, keys for example, are not passed to it. */
final class ProgramEnvironment {

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
            ProcessDescendants.VARIABLE);

    private ProgramEnvironment() {}

    static Map<String, String> of(CommandDefinition entry, Function<String, @Nullable String> environment) {
        Map<String, String> variables = new LinkedHashMap<>();
        Stream.concat(HARMLESS.stream(), entry.environment().stream()).forEach(name -> {
            String value = environment.apply(name);
            if (value != null) {
                variables.put(name, value);
            }
        });
        return variables;
    }
}
