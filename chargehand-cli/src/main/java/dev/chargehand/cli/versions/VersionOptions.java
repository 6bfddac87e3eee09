package dev.chargehand.cli.versions;

import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.cli.setup.Hints;
import dev.chargehand.cli.setup.TenantStoreOptions;
import dev.chargehand.cli.setup.Workspace;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.config.AgentEntry;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.config.Crew;
import dev.chargehand.store.Store;
import dev.chargehand.version.AgentVersions;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Of which agent versions are, and where: the options of every command over them. */
final class VersionOptions {

    @Parameters(index = "0", paramLabel = "AGENT", description = "The agent, by its id in chargehand.yaml.")
    private String agent = "";

    @Mixin
    private TenantStoreOptions stores = new TenantStoreOptions();

    /** Return the id of the agent. */
    String agent() {
        return agent;
    }

    /** Return hints that repeat the options. */
    Hints hints() {
        return stores.hints();
    }

    /**
     * Work with the versions of the agents of the file, in a runtime that does nothing else.
     *
     * @param makes whether a missing store is made
     * @throws dev.chargehand.error.ConfigurationException if the file has no such agent, or the store is missing
     */
    <T> T with(Shell shell, boolean makes, Function<AgentVersions, T> work) {
        stores.begin();
        AgentsFile file = stores.file(shell);
        AgentEntry entry = file.find(Workspace.option("AGENT", agent));
        try (Workspace workplace = Workspace.of(shell, file, null, null)) {
            Crew crew = workplace.crew();
            Store store = makes ? stores.openOrMake(shell) : stores.open(shell);
            try (AgentRuntime runtime = crew.runtime(store, List.of(crew.agent(entry)))
                    .wakeups(Wakeups.off())
                    .build()) {
                return work.apply(stores.of(runtime).versions());
            }
        }
    }
}
