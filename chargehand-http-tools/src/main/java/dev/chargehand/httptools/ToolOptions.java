package dev.chargehand.httptools;

import dev.chargehand.document.Mistake;
import dev.chargehand.document.Mistakes;
import dev.chargehand.document.Position;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.tool.Tool;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Options of a builder of tools, and the places where they were given. Used by one thread. */
public final class ToolOptions {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final String name;
    private final int mostOutput;
    private final Map<String, Position> places = new HashMap<>();
    private final Set<Position> names = new HashSet<>();
    private Duration timeout = TIMEOUT;
    private int maxOutput;

    /** Start with the defaults; {@code mostOutput} is the largest {@code maxOutput} that is allowed. */
    public ToolOptions(String name, int maxOutput, int mostOutput) {
        this.name = name;
        this.maxOutput = maxOutput;
        this.mostOutput = mostOutput;
    }

    public String name() {
        return name;
    }

    /** Return the name of the tool in messages. */
    public String what() {
        return "tool '" + Section.shown(name) + "'";
    }

    public Duration timeout() {
        return timeout;
    }

    public void timeout(Duration value) {
        this.timeout = given("timeout", value);
    }

    public int maxOutput() {
        return maxOutput;
    }

    public void maxOutput(int value) {
        this.maxOutput = value;
    }

    /** Return a value that a caller passed; fail if it is null. */
    public <T> T given(String option, @Nullable T value) {
        if (value == null) {
            throw new ConfigurationException(what() + ": '" + option + "' must not be null.");
        }
        return value;
    }

    /** State where an option was given. */
    public void at(String option, Position position) {
        places.put(option, position);
    }

    /**
     * Return the place of the first of some options for which one was stated, or of the tool; else the first's name.
     */
    public Position place(String option, String... orElse) {
        Position stated = places.get(option);
        for (String other : orElse) {
            stated = stated == null ? places.get(other) : stated;
        }
        stated = stated == null ? places.get("") : stated;
        if (stated != null) {
            return stated;
        }
        Position named = new Position(option.isEmpty() ? what() : what() + ", " + option);
        names.add(named);
        return named;
    }

    /** Return a value with its place. */
    public Setting setting(String text, String option, String... orElse) {
        return new Setting(text, place(option, orElse));
    }

    /** Note what is wrong with the name and the limits. */
    public void check(Mistakes mistakes) {
        requireName(name, what(), place(""), mistakes);
        if (!timeout.isPositive()) {
            mistakes.add(place("timeout"), "'timeout' of " + what() + " must be above zero, but is " + timeout + ".");
        }
        if (maxOutput < 1 || maxOutput > mostOutput) {
            mistakes.add(
                    place("maxOutput"),
                    "'maxOutput' of " + what() + " must be a whole number from 1 to " + mostOutput + ", but is "
                            + maxOutput + ".");
        }
    }

    /** Note a name that a tool cannot have. */
    public static void requireName(String name, String what, Position at, Mistakes mistakes) {
        if (!Tool.isValidName(name) || name.startsWith("agent-")) {
            mistakes.add(
                    at,
                    what + " has a name that cannot be used. Allowed are 1 to 64 letters, digits, '_' and '-', and not"
                            + " starting with 'agent-'.");
        }
    }

    /**
     * Build, and fail with all mistakes at once.
     *
     * @param building returns the result and notes the mistakes
     * @throws ConfigurationException if there are any; its message has a line for each
     */
    public <T> T require(Function<Mistakes, T> building) {
        Mistakes mistakes = new Mistakes(what());
        T built = building.apply(mistakes);
        List<Mistake> found = mistakes.found();
        if (!found.isEmpty()) {
            throw new ConfigurationException(found.stream().map(this::line).collect(Collectors.joining("\n")));
        }
        return built;
    }

    /** An option is named by its message already; a place in a document is not. */
    private String line(Mistake mistake) {
        return names.contains(mistake.at()) ? mistake.message() : mistake.toString();
    }
}
