package dev.chargehand.cli.runs;

import dev.chargehand.RunOptions;
import dev.chargehand.TenantRuntime;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.setup.Hints;
import dev.chargehand.cli.setup.TenantOption;
import dev.chargehand.cli.setup.Workspace;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.config.AgentEntry;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.document.Setting;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.store.Store;
import dev.chargehand.version.AgentVersions;
import dev.chargehand.version.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which agent is run, with what and for whom: the options of every command that starts runs of agents. */
public final class StartOptions {

    /** How many saved versions an error names. */
    private static final int MOST_NAMED = 20;

    @Option(
            names = {"-a", "--agent"},
            paramLabel = "ID",
            description = "The agent to run. Default: 'default' in chargehand.yaml.")
    private @Nullable String agent;

    @Option(
            names = {"-t", "--thread"},
            paramLabel = "ID",
            description =
                    "The conversation to start or continue. It is stored in .chargehand/ unless --store is given.")
    private @Nullable String thread;

    @Option(
            names = {"-r", "--resource"},
            paramLabel = "ID",
            description = "The resource that the conversation belongs to.")
    private @Nullable String resource;

    @Option(
            names = "--version",
            paramLabel = "AGENT=VERSION",
            description = "The version of an agent: its id, published or latest. Can be given for several agents.")
    private List<String> versions = List.of();

    @Mixin
    private WorkOptions work = new WorkOptions();

    /** Configure logging, before the first message is logged. */
    public void begin() {
        work.begin();
    }

    /** Read the agents. */
    public AgentsFile file(Shell shell) {
        return work.file(shell);
    }

    /** Return the agent to run. */
    public AgentEntry entry(AgentsFile file) {
        return file.agent(agent == null ? null : Workspace.option("--agent", agent));
    }

    /** Open the place where the agents work. */
    public Workspace workplace(Shell shell, AgentsFile file) {
        return work.workplace(shell, file);
    }

    /**
     * Open the place where the agents work with another model.
     *
     * @param model the model of all agents, or null for those of the file
     */
    public Workspace workplace(Shell shell, AgentsFile file, @Nullable Setting model) {
        return work.workplace(shell, file, model);
    }

    /** Return the model of all agents that was named, or null for those of the file. */
    public @Nullable Setting model() {
        return work.model();
    }

    /**
     * Open the store.
     *
     * @param required whether the run needs a store that the next command finds; else it is kept in memory if none can be made
     */
    public Store open(Shell shell, AgentsFile file, boolean required) {
        return work.open(shell, file, required);
    }

    /** Return the conversation that was named. */
    public Optional<String> thread() {
        if (thread != null && thread.isBlank()) {
            throw new ConfigurationException("--thread is empty. Name the conversation, such as --thread t1, or leave"
                    + " --thread out for a new one.");
        }
        return Optional.ofNullable(thread);
    }

    /** Return the owner of the conversation, if named. */
    public Optional<String> resource() {
        return Optional.ofNullable(resource);
    }

    /** Set the owner of a run. */
    public void requester(Shell shell, RunOptions.Builder options) {
        if (resource != null) {
            options.resource(resource);
        } else {
            work.requester(shell, options);
        }
    }

    /** Return whether versions are selected, which are in the file or in the store. */
    public boolean selectsVersions() {
        return !versions.isEmpty();
    }

    /**
     * Select the versions of a run.
     *
     * @throws ConfigurationException if an option is not an agent and a version
     */
    public void selectVersions(RunOptions.Builder options) {
        for (String given : versions) {
            int at = given.indexOf('=');
            if (at < 1 || at == given.length() - 1) {
                throw new ConfigurationException("--version is '" + Visible.line(given, 100)
                        + "', but must be an agent and its version, such as writer=published, writer=latest or"
                        + " writer=2026-11.");
            }
            options.version(given.substring(0, at), version(given.substring(at + 1)));
        }
    }

    /**
     * Check that the selected versions exist: that of a sub-agent would be looked for only when the agent is called.
     *
     * @throws ConfigurationException if one does not, or the file has no such agent
     */
    public void requireVersions(AgentsFile file, TenantRuntime runtime) {
        RunOptions ignored =
                RunOptions.defaults().with(this::selectVersions); // rejects a value without an agent or a version
        for (String given : versions) {
            int at = given.indexOf('=');
            AgentEntry entry = file.find(Workspace.option("--version", given.substring(0, at)));
            requireVersion(entry, given.substring(at + 1), runtime.versions());
        }
    }

    private static void requireVersion(AgentEntry entry, String name, AgentVersions saved) {
        List<String> known = new ArrayList<>(entry.version().stream().toList());
        known.addAll(entry.versions());
        if (!known.contains(name) && saved.find(entry.id(), version(name)).isEmpty()) {
            saved.list(entry.id(), null, MOST_NAMED).forEach(each -> known.add(each.id()));
            boolean published = name.equals("published") || name.equals("latest");
            throw new ConfigurationException("--version: there is no version "
                    + (published ? name : "'" + Visible.line(name, 100) + "'") + " of agent '" + entry.id() + "'."
                    + (known.isEmpty()
                            ? " It has none in the file or the store; 'chargehand versions save' adds one."
                            : NameSuggestions.allowed("There are", name, known))
                    + (name.equals("published")
                            ? " 'chargehand versions publish " + entry.id() + " VERSION' publishes a saved one."
                            : ""));
        }
    }

    private static Version version(String name) {
        return switch (name) {
            case "published" -> Version.published();
            case "latest" -> Version.latest();
            default -> Version.id(name);
        };
    }

    /** Return the tenant for whom runs are started. */
    public TenantOption tenant() {
        return work.tenant();
    }

    public WatchOptions watching() {
        return work.watching();
    }

    /** Return hints that repeat the options by which a run is found again. */
    public Hints hints() {
        return work.hints();
    }
}
