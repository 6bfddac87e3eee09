package dev.chargehand.cli.memory;

import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.json.Json;
import dev.chargehand.memory.Reindexed;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code chargehand memory reindex}: lets all that was said be found. */
@Command(
        name = "reindex",
        description =
                "Embed all messages of a resource's conversations, or of one, that the embedding model has not embedded.",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "The embedding model is that of the agent's semanticRecall. It is for conversations from before that model: else only",
            "500 of their messages are embedded after each run. What was embedded stays if the command is ended, and the next one",
            "continues."
        })
final class MemoryReindexCommand implements Callable<Integer> {

    private final Shell shell;

    @Mixin
    private MemoryOptions options = new MemoryOptions();

    MemoryReindexCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        options.requireWhere();
        print(options.recalling(shell, (memory, agentId, where) -> memory.reindex(agentId, where)));
        return ExitCode.COMPLETED;
    }

    private void print(Reindexed done) {
        if (options.isJson()) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("threads", done.threads());
            fields.put("messages", done.messages());
            fields.put("left", done.left());
            fields.put("tokens", done.usage().totalTokens());
            shell.out().println(Json.of(fields).text());
            shell.out().flush();
        } else {
            shell.note("indexed " + MemoryForgetCommand.count(done.messages(), "message") + " of "
                    + MemoryForgetCommand.count(done.threads(), "thread") + " with "
                    + done.usage().totalTokens()
                    + " tokens");
        }
        if (!done.isComplete()) {
            shell.note(MemoryForgetCommand.count(done.left(), "thread")
                    + " left out, because another process works on their memory; run the command again");
        }
    }
}
