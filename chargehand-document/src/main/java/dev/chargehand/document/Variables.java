package dev.chargehand.document;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Puts environment variables into settings: {@code ${NAME}}, or {@code ${NAME:-default}} for one that may be unset.
 *
 * <p>A variable that is set to nothing counts as unset, as in a shell.
 */
public final class Variables {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]{0,4000}))?}");

    private final Function<String, @Nullable String> environment;

    /** Read variables from an environment. */
    public Variables(Function<String, @Nullable String> environment) {
        this.environment = environment;
    }

    /**
     * A setting with its variables replaced.
     *
     * @param text what it comes to
     * @param byDefault whether it contains a default for a variable that is not set
     */
    public record Resolved(String text, boolean byDefault) {}

    /** Return a variable, or null if it is unset or empty. */
    public @Nullable String get(String name) {
        String value = environment.apply(name);
        return value == null || value.isEmpty() ? null : value;
    }

    /** Return the values of those variables of a setting that are set. */
    public List<String> used(Setting setting) {
        return VARIABLE.matcher(setting.text())
                .results()
                .map(variable -> get(variable.group(1)))
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * Replace the variables of a setting.
     *
     * @throws dev.chargehand.error.ConfigurationException if a variable without a default is unset, or one is misspelt
     */
    public Resolved resolve(Setting setting) {
        StringBuilder text = new StringBuilder();
        boolean byDefault = false;
        int from = 0;
        Matcher variable = VARIABLE.matcher(setting.text());
        while (variable.find()) {
            String name = variable.group(1);
            String value = get(name);
            if (value == null) {
                value = variable.group(2);
                byDefault = true;
            }
            if (value == null) {
                throw setting.at()
                        .error("the environment variable " + name + " is not set. Set it, or give a default: ${" + name
                                + ":-...}.");
            }
            text.append(plain(setting, setting.text().substring(from, variable.start())))
                    .append(value);
            from = variable.end();
        }
        text.append(plain(setting, setting.text().substring(from)));
        if (text.toString().isBlank()) {
            throw setting.at().error("'" + setting.text() + "' is empty. Write a value or a default.");
        }
        return new Resolved(text.toString().strip(), byDefault);
    }

    private static String plain(Setting setting, String text) {
        if (text.contains("${")) {
            throw setting.at()
                    .error("'" + setting.text() + "' has a variable that cannot be read. Allowed: ${NAME} and"
                            + " ${NAME:-default}.");
        }
        return text;
    }
}
