package dev.chargehand.cli.memory;

import dev.chargehand.AgentRuntime;
import dev.chargehand.TenantRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.cli.setup.TenantStoreOptions;
import dev.chargehand.cli.setup.Workspace;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.cli.threads.StoredThreads;
import dev.chargehand.config.AgentEntry;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.config.Crew;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.memory.MemoryApi;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.store.Store;
import dev.chargehand.thread.ThreadOwner;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whose memory a command is about, and how it is printed: the options of every command over one. */
final class MemoryOptions {

    @Option(
            names = {"-a", "--agent"},
            paramLabel = "ID",
            description = "The agent that remembers. Default: 'default' in chargehand.yaml.")
    private @Nullable String agent;

    @Option(
            names = {"-r", "--resource"},
            paramLabel = "ID",
            description = "The resource that its conversations belong to.")
    private @Nullable String resource;

    @Option(
            names = {"-t", "--thread"},
            paramLabel = "ID",
            description = "One conversation.")
    private @Nullable String thread;

    @Option(names = "--json", description = "Print JSON, an object for each line.")
    private boolean json;

    @Mixin
    private TenantStoreOptions stores = new TenantStoreOptions();

    /** Configure logging, and read the agents. */
    AgentsFile file(Shell shell) {
        stores.begin();
        return stores.file(shell);
    }

    /** Return the agent that remembers. */
    AgentEntry entry(AgentsFile file) {
        return file.agent(agent == null ? null : Workspace.option("--agent", agent));
    }

    /**
     * Return the agent that remembers.
     *
     * @throws ConfigurationException if it has no semantic recall
     */
    private AgentEntry recalling(AgentsFile file) {
        AgentEntry entry = entry(file);
        if (!entry.recalls()) {
            throw entry.at()
                    .error("agent '" + entry.id() + "' has no semantic recall, so messages cannot be searched. Add"
                            + " memory: { semanticRecall: { model: openai/text-embedding-3-small } } to it.");
        }
        return entry;
    }

    /**
     * Check that conversations are named.
     *
     * @throws ConfigurationException if neither a resource nor a conversation is
     */
    void requireWhere() {
        if (resource == null && thread == null) {
            throw new ConfigurationException(
                    "--resource is missing: it names whose conversations are searched. A conversation of no resource is"
                            + " named with --thread.");
        }
    }

    Store open(Shell shell) {
        return stores.open(shell);
    }

    /** Works with the memory of an agent that recalls. */
    @FunctionalInterface
    interface Recalling<T> {

        T of(MemoryApi memory, String agentId, ScopeRef where);
    }

    /**
     * Work with what an agent recalls, in a runtime that does nothing else.
     *
     * @throws ConfigurationException if the agent has no semantic recall, or the conversation is missing
     */
    <T> T recalling(Shell shell, Recalling<T> work) {
        AgentsFile file = file(shell);
        AgentEntry entry = recalling(file);
        try (Workspace workplace = Workspace.of(shell, file, null, null)) {
            Crew crew = workplace.crew();
            try (AgentRuntime runtime = crew.runtime(open(shell), List.of(crew.rememberer(entry)))
                    .wakeups(Wakeups.off())
                    .build()) {
                requireThread(runtime);
                return work.of(of(runtime).memory(), entry.id(), new ScopeRef(owner(), thread));
            }
        }
    }

    /** Return the methods of a runtime for the tenant. */
    TenantRuntime of(AgentRuntime runtime) {
        return stores.of(runtime);
    }

    Optional<String> thread() {
        return Optional.ofNullable(thread);
    }

    Optional<String> resource() {
        return Optional.ofNullable(resource);
    }

    /** Return the given owner of the conversations; the store rejects another one. */
    ThreadOwner owner() {
        return ThreadOwner.of(resource);
    }

    /**
     * Check that the conversation exists, if one was named.
     *
     * @throws ConfigurationException if it is missing
     * @throws dev.chargehand.error.ThreadOwnershipException if it belongs to another resource
     */
    void requireThread(AgentRuntime runtime) {
        if (thread != null
                && new StoredThreads(of(runtime)).find(thread, owner()).isEmpty()) {
            throw stores.missingThread(thread);
        }
    }

    boolean isJson() {
        return json;
    }
}
