package dev.chargehand.cli.memory;

import dev.chargehand.AgentRuntime;
import dev.chargehand.cli.output.MemoryLines;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.cli.threads.StoredThreads;
import dev.chargehand.config.AgentEntry;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.memory.Scope;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code chargehand memory show}: prints what an agent has noted. */
@Command(
        name = "show",
        description = "Print an agent's working memory: that of a resource, or of a thread if it keeps one for each.",
        optionListHeading = "%nOptions:%n",
        footer = {"", "The text goes to standard output, its revision and time to standard error."})
final class MemoryShowCommand implements Callable<Integer> {

    private final Shell shell;

    @Mixin
    private MemoryOptions options = new MemoryOptions();

    MemoryShowCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        AgentEntry entry = options.entry(options.file(shell));
        WorkingMemory memory = entry.workingMemory().orElseThrow(() -> entry.at()
                .error("agent '" + entry.id() + "' keeps no working memory. Add memory: { workingMemory: {} } to it."));
        ScopeRef where = where(entry.id(), memory.scope());
        try (AgentRuntime runtime = StoredThreads.runtime(options.open(shell))) {
            options.requireThread(runtime);
            Optional<WorkingMemoryRevision> newest = runtime.memory().workingMemory(where);
            newest.ifPresentOrElse(this::print, () -> shell.note("nothing was noted yet"));
            return ExitCode.COMPLETED;
        }
    }

    private ScopeRef where(String id, Scope scope) {
        return switch (scope) {
            case RESOURCE -> {
                if (options.thread().isPresent() || options.resource().isEmpty()) {
                    throw new ConfigurationException("Agent '" + id
                            + "' keeps a working memory for each resource; name the resource with --resource, and no"
                            + " --thread.");
                }
                yield new ScopeRef(options.owner(), null);
            }
            case THREAD ->
                ScopeRef.thread(
                        options.owner(),
                        options.thread()
                                .orElseThrow(() -> new ConfigurationException("Agent '" + id
                                        + "' keeps a working memory for each thread; name the thread with --thread.")));
        };
    }

    private void print(WorkingMemoryRevision revision) {
        if (options.isJson()) {
            shell.out().println(Visible.json(MemoryLines.json(revision).text()));
        } else {
            shell.note(MemoryLines.heading(revision));
            MemoryLines.of(revision).forEach(shell.out()::println);
        }
        shell.out().flush();
    }
}
