package dev.chargehand.cli.runs;

import dev.chargehand.RunOptions;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.setup.FileOptions;
import dev.chargehand.cli.setup.Hints;
import dev.chargehand.cli.setup.TenantOption;
import dev.chargehand.cli.setup.Workspace;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.config.StateFolder;
import dev.chargehand.config.StoreLocation;
import dev.chargehand.config.choice.CrewOptionException;
import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import dev.chargehand.document.Variables;
import dev.chargehand.error.StoreException;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** With which file, models, documents and store something is run: the options of every command that starts runs. */
public final class WorkOptions {

    @Option(
            names = {"-m", "--model"},
            paramLabel = "NAME",
            description = "The model of all agents: provider/name such as openai/gpt-5-mini, or offline.")
    private @Nullable String model;

    @Option(
            names = {"-d", "--docs"},
            paramLabel = "DIR",
            description = "The folder for the tool search-files.")
    private @Nullable Path docs;

    @Option(
            names = {"-s", "--store"},
            paramLabel = "FILE|URL",
            description = {
                "The store of runs and conversations: a SQLite file, or a database such as"
                        + " jdbc:postgresql://localhost/runs, with CHARGEHAND_STORE_USER and CHARGEHAND_STORE_PASSWORD."
                        + " Default: 'store' in chargehand.yaml, otherwise the SQLite file in .chargehand/."
            })
    private @Nullable String store;

    @Mixin
    private TenantOption tenant = new TenantOption();

    @Mixin
    private FileOptions files = new FileOptions();

    @Mixin
    private WatchOptions watching = new WatchOptions();

    /** Configure logging, before the first message is logged. */
    public void begin() {
        files.begin();
    }

    /** Read the agents and workflows. */
    public AgentsFile file(Shell shell) {
        return files.file(shell);
    }

    /** Open the place where the agents work. */
    public Workspace workplace(Shell shell, AgentsFile file) {
        return workplace(shell, file, model());
    }

    /** Open the place where the agents work with another model; null for those of the file. */
    Workspace workplace(Shell shell, AgentsFile file, @Nullable Setting other) {
        return Workspace.of(shell, file, other, docs);
    }

    /** Return the model of all agents that was named, or null for those of the file. */
    @Nullable
    Setting model() {
        return Workspace.model(model);
    }

    /**
     * Open the store: the named one, or the one next to the agents' file, which is made if it is missing.
     *
     * @param required whether the run needs a store that the next command finds; else it is kept in memory if none can be made
     */
    public Store open(Shell shell, AgentsFile file, boolean required) {
        Variables variables = new Variables(shell.environment());
        Optional<StoreLocation> named = store == null
                ? StoreLocation.of(file, variables)
                : Optional.of(StoreLocation.of(store, new Position("--store"), shell.folder(), variables));
        if (named.isPresent()) {
            return named.get().open();
        }
        try {
            return StateFolder.of(file).openStore();
        } catch (CrewOptionException | StoreException e) {
            if (required) {
                throw e;
            }
            shell.note("chargehand: the run is not stored, so no later command finds it: "
                    + Visible.line(String.valueOf(e.getMessage()), 300));
            return InMemoryStore.create();
        }
    }

    /** Set for whom a run is started: the user of the command. */
    public void requester(Shell shell, RunOptions.Builder options) {
        if (!shell.user().isBlank()) {
            options.requester(shell.user());
        }
    }

    /** Return the tenant for whom runs are started. */
    public TenantOption tenant() {
        return tenant;
    }

    public WatchOptions watching() {
        return watching;
    }

    /** Return hints that repeat the options by which a run is found again. */
    public Hints hints() {
        return tenant.in(files.hints(store));
    }
}
