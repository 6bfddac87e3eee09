package dev.chargehand.cli.memory;

import dev.chargehand.AgentRuntime;
import dev.chargehand.cli.output.MemoryLines;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.cli.threads.StoredThreads;
import dev.chargehand.config.AgentEntry;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.memory.Scope;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.store.memory.Observation;
import dev.chargehand.store.memory.ObservationLog;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code chargehand memory show}: prints what an agent has noted, or the observations of a conversation. */
@Command(
        name = "show",
        description = {
            "Print an agent's working memory: that of a resource, or of a thread if it keeps one for each.",
            "With --observations, print the observations of a thread instead."
        },
        optionListHeading = "%nOptions:%n",
        footer = {"", "The text goes to standard output, its revision or number and its time to standard error."})
final class MemoryShowCommand implements Callable<Integer> {

    private final Shell shell;

    @Option(names = "--observations", description = "Print the observations of the conversation of --thread.")
    private boolean observations;

    @Mixin
    private MemoryOptions options = new MemoryOptions();

    MemoryShowCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        AgentEntry entry = options.entry(options.file(shell));
        return observations ? observations(entry) : workingMemory(entry);
    }

    private int observations(AgentEntry entry) {
        if (!entry.observes()) {
            throw entry.at()
                    .error("agent '" + entry.id() + "' has no observations. Add"
                            + " memory: { observations: { model: openai/gpt-5-nano } } to it.");
        }
        String thread = options.thread()
                .orElseThrow(() -> new ConfigurationException(
                        "--observations needs --thread: it names the conversation whose observations are printed."));
        try (AgentRuntime runtime = StoredThreads.runtime(options.open(shell))) {
            options.requireThread(runtime);
            ObservationLog log = options.of(runtime).memory().observations(options.owner(), thread);
            log.observations().forEach(this::print);
            if (log.observations().isEmpty()) {
                shell.note("nothing was observed yet");
            }
            return ExitCode.COMPLETED;
        }
    }

    private int workingMemory(AgentEntry entry) {
        WorkingMemory memory = entry.workingMemory().orElseThrow(() -> entry.at()
                .error("agent '" + entry.id() + "' keeps no working memory. Add memory: { workingMemory: {} } to it."));
        ScopeRef where = where(entry.id(), memory.scope());
        try (AgentRuntime runtime = StoredThreads.runtime(options.open(shell))) {
            options.requireThread(runtime);
            Optional<WorkingMemoryRevision> newest =
                    options.of(runtime).memory().workingMemory(where);
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
        print(MemoryLines.json(revision), MemoryLines.heading(revision), MemoryLines.of(revision));
    }

    private void print(Observation observation) {
        print(MemoryLines.json(observation), MemoryLines.heading(observation), MemoryLines.of(observation));
    }

    private void print(Json json, String heading, List<String> lines) {
        if (options.isJson()) {
            shell.out().println(Visible.json(json.text()));
        } else {
            shell.note(heading);
            lines.forEach(shell::say);
        }
        shell.out().flush();
    }
}
