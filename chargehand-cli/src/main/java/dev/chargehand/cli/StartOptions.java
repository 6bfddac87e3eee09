package dev.chargehand.cli;

import dev.chargehand.RunOptions;
import dev.chargehand.cli.config.AgentEntry;
import dev.chargehand.cli.config.AgentsFile;
import dev.chargehand.cli.config.Position;
import dev.chargehand.cli.config.Variables;
import dev.chargehand.store.Store;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which agent is run, with what and for whom: the options of every command that starts runs. */
final class StartOptions {

    @Option(names = "--agent", paramLabel = "ID", description = "The agent to run. Default: the file's 'default'.")
    private @Nullable String agent;

    @Option(
            names = "--model",
            paramLabel = "NAME",
            description = "The model of all agents: provider/name such as openai/gpt-5-mini, or offline.")
    private @Nullable String model;

    @Option(names = "--docs", paramLabel = "DIR", description = "The folder that the tool search-files searches.")
    private @Nullable Path docs;

    @Option(
            names = "--thread",
            paramLabel = "ID",
            description =
                    "The conversation to begin or go on with. It is kept in .chargehand/ unless a store is named.")
    private @Nullable String thread;

    @Option(names = "--resource", paramLabel = "ID", description = "Whom the conversation belongs to.")
    private @Nullable String resource;

    @Option(
            names = "--store",
            paramLabel = "FILE|URL",
            description = {
                "What keeps runs and conversations: a SQLite file, or a database such as"
                        + " jdbc:postgresql://localhost/runs, with CHARGEHAND_STORE_USER and CHARGEHAND_STORE_PASSWORD."
                        + " Default: the file's 'store', or see --thread."
            })
    private @Nullable String store;

    @Mixin
    private FileOptions files = new FileOptions();

    @Mixin
    private WatchOptions watching = new WatchOptions();

    /** Sets the logging up, before anything logs. */
    void begin() {
        files.begin();
    }

    /** Reads the agents. */
    AgentsFile file(Shell shell) {
        return files.file(shell);
    }

    /** Returns the agent to run. */
    AgentEntry entry(AgentsFile file) {
        return file.agent(Workplace.option("--agent", agent));
    }

    /** Opens the place where the agents work. */
    Workplace workplace(Shell shell, AgentsFile file) {
        return Workplace.of(shell, file, model, docs);
    }

    /**
     * Opens the store.
     *
     * @param lasting whether something is to be found again by the next command
     */
    Store open(Shell shell, AgentsFile file, boolean lasting) {
        Variables variables = new Variables(shell.environment());
        return Stores.open(
                store == null
                        ? Stores.named(file, variables)
                        : StorePlace.of(store, new Position("--store"), shell.folder(), variables),
                lasting,
                file);
    }

    /** Returns the conversation that was named. */
    Optional<String> thread() {
        return Optional.ofNullable(thread);
    }

    /** Returns whom the conversation belongs to, if anybody was named. */
    Optional<String> resource() {
        return Optional.ofNullable(resource);
    }

    /** Sets for whom a run is made. */
    void requester(Shell shell, RunOptions.Builder options) {
        if (resource != null) {
            options.resource(resource);
        } else if (!shell.user().isBlank()) {
            options.requester(shell.user());
        }
    }

    WatchOptions watching() {
        return watching;
    }

    /** Returns hints that repeat the options by which a run is found again. */
    Hints hints() {
        return files.hints(store);
    }
}
