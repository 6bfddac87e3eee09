package dev.chargehand.cli.setup;

import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.config.StoreLocation;
import dev.chargehand.document.Position;
import dev.chargehand.document.Variables;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where the runs are that a command is about: the options of every command over stored runs. */
public sealed class StoreOptions permits TenantStoreOptions {

    @Option(
            names = {"-s", "--store"},
            paramLabel = "FILE|URL",
            description = "The store of the runs: a SQLite file or the URL of a database, as for run."
                    + " Default: 'store' in chargehand.yaml, otherwise the SQLite file in .chargehand/.")
    private @Nullable String store;

    @Mixin
    private FileOptions files = new FileOptions();

    /** Configure logging, before the first message is logged. */
    public void begin() {
        files.begin();
    }

    /** Read the agents. */
    public AgentsFile file(Shell shell) {
        return files.file(shell);
    }

    /**
     * Open the store, which is never made: there would be nothing in it.
     *
     * @throws ConfigurationException if it is missing
     */
    public Store open(Shell shell) {
        StoreLocation place = place(shell);
        if (place instanceof StoreLocation.OfFile file && !Files.exists(file.path())) {
            throw new ConfigurationException(
                    "There is no store '" + file.path() + "', so it has no runs."
                            + " 'chargehand run' makes it, or the one that its --store names; name that one here.");
        }
        return place.open();
    }

    /** Open the store, which is made if it is missing. */
    public Store openOrMake(Shell shell) {
        boolean named = store != null
                || files.store(shell, new Variables(shell.environment())).isPresent();
        return named ? place(shell).open() : files.state(shell).openStore();
    }

    private StoreLocation place(Shell shell) {
        Variables variables = new Variables(shell.environment());
        if (store != null) {
            return StoreLocation.of(store, new Position("--store"), shell.folder(), variables);
        }
        return files.store(shell, variables)
                .orElseGet(() -> new StoreLocation.OfFile(files.state(shell).store()));
    }

    /** Return hints that repeat these options. */
    public Hints hints() {
        return files.hints(store);
    }

    /** Return the error of a conversation that does not exist. */
    public ConfigurationException missingThread(String id) {
        return new ConfigurationException("There is no thread '" + Visible.line(id, 100) + "' in the store. '"
                + hints().command("threads list") + "' lists the existing ones.");
    }

    /**
     * Find a root run.
     *
     * @param id its id, the start of its id, or {@code last} for the run that started last
     * @throws ConfigurationException if it is missing, or is a delegation
     */
    public RunRecord find(Store from, String id) {
        String shown = Visible.line(id, 100);
        RunRecord found = new NamedRun(from)
                .find(id)
                .orElseThrow(() -> new ConfigurationException("There is no run '" + shown + "' in the store. '"
                        + hints().command("runs") + "' lists the existing ones."));
        if (!found.isRoot()) {
            throw new ConfigurationException(
                    "Run '" + shown + "' is a delegation of run " + found.rootRunId() + "; use that one.");
        }
        return found;
    }
}
