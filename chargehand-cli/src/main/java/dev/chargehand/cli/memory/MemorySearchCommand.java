package dev.chargehand.cli.memory;

import dev.chargehand.cli.output.MemoryLines;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.memory.FoundMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code chargehand memory search}: finds what was said. */
@Command(
        name = "search",
        description = "Search the messages of a resource's conversations, or of one, by their meaning.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "The embedding model and the threshold are those of the agent's semanticRecall. The nearest messages come",
            "first: their similarity, thread, time, speaker and start."
        })
final class MemorySearchCommand implements Callable<Integer> {

    private static final int MOST = 50;

    private final Shell shell;

    @Parameters(arity = "1..*", paramLabel = "WORDS", description = "What to search for.")
    private List<String> words = new ArrayList<>();

    @Option(names = "--top", paramLabel = "K", description = "The most messages to find. Default: 4.")
    private int top = 4;

    @Mixin
    private MemoryOptions options = new MemoryOptions();

    MemorySearchCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        String query = String.join(" ", words);
        requireSense(query);
        print(options.recalling(shell, (memory, agentId, where) -> memory.search(agentId, where, query, top)));
        return ExitCode.COMPLETED;
    }

    private void requireSense(String query) {
        if (query.isBlank()) {
            throw new ConfigurationException("There is nothing to search for. Name the words.");
        }
        if (top < 1 || top > MOST) {
            throw new ConfigurationException("--top must be 1 to " + MOST + ", but is " + top + ".");
        }
        options.requireWhere();
    }

    private void print(List<FoundMessage> found) {
        List<String> lines = options.isJson()
                ? found.stream()
                        .map(message -> Visible.json(MemoryLines.json(message).text()))
                        .toList()
                : MemoryLines.of(found);
        lines.forEach(options.isJson() ? shell.out()::println : shell::say);
        shell.out().flush();
        if (found.isEmpty()) {
            shell.note("no such messages");
        }
    }
}
