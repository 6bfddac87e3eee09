package dev.chargehand.cli.setup;

import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** How a list is printed: the options of every command that prints one. */
public final class ListOptions {

    /** How many there can be at most. */
    public static final int MOST = 1000;

    @Option(
            names = {"-n", "--limit"},
            paramLabel = "N",
            description = "The most to list. Default: 20.")
    private int limit = 20;

    @Option(names = "--json", description = "Print each as one line of JSON.")
    private boolean json;

    /** Return how many are wanted. */
    public int limit() {
        if (limit < 1 || limit > MOST) {
            throw new ConfigurationException("--limit must be 1 to " + MOST + ", but is " + limit + ".");
        }
        return limit;
    }

    /**
     * Print the results.
     *
     * @param found at most one more than requested; the additional one means that there are more
     * @param what it is called, for when there is nothing
     * @param next says with which option the next ones are listed, given the last that is printed
     */
    public <T> void print(
            Shell shell,
            List<T> found,
            String what,
            Function<T, Json> asJson,
            Function<List<T>, List<String>> asLines,
            Function<T, String> next) {
        boolean more = found.size() > limit;
        List<T> page = more ? found.subList(0, limit) : found;
        List<String> lines = json
                ? page.stream()
                        .map(each -> Visible.json(asJson.apply(each).text()))
                        .toList()
                : asLines.apply(page);
        lines.forEach(json ? shell.out()::println : shell::say);
        shell.out().flush();
        if (page.isEmpty()) {
            shell.note("no such " + what);
        } else if (more) {
            shell.note("there are more: " + next.apply(page.getLast()));
        }
    }
}
