package dev.chargehand.cli.runs;

import dev.chargehand.RunOptions;
import dev.chargehand.cli.setup.Hints;
import dev.chargehand.cli.setup.TenantOption;
import dev.chargehand.cli.setup.Workspace;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.config.AgentEntry;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.store.Store;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which agent is run, with what and for whom: the options of every command that starts runs of agents. */
public final class StartOptions {

    @Option(
            names = "--agent",
            paramLabel = "ID",
            description = "The agent to run. Default: 'default' in chargehand.yaml.")
    private @Nullable String agent;

    @Option(
            names = "--thread",
            paramLabel = "ID",
            description =
                    "The conversation to start or continue. It is stored in .chargehand/ unless --store is given.")
    private @Nullable String thread;

    @Option(names = "--resource", paramLabel = "ID", description = "The resource that the conversation belongs to.")
    private @Nullable String resource;

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
     * Open the store.
     *
     * @param lasting whether something is to be found again by the next command
     */
    public Store open(Shell shell, AgentsFile file, boolean lasting) {
        return work.open(shell, file, lasting);
    }

    /** Return the conversation that was named. */
    public Optional<String> thread() {
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
