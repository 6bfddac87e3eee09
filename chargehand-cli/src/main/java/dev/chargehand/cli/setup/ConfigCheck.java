package dev.chargehand.cli.setup;

import dev.chargehand.cli.shell.Shell;
import dev.chargehand.config.AgentEntry;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.document.Variables;
import dev.chargehand.error.ConfigurationException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Further mistakes of a readable file: unknown models, a store that cannot be used, and the like. */
public final class ConfigCheck {

    private final Set<String> mistakes = new LinkedHashSet<>();

    private ConfigCheck() {}

    /** Return the mistakes, each once; empty if every agent of the file can be built. */
    public static List<String> of(Shell shell, AgentsFile file) {
        ConfigCheck checked = new ConfigCheck();
        Variables variables = new Variables(shell.environment());
        checked.attempt(() -> StoreOpener.named(file, variables));
        checked.attempt(() -> {
            try (Workspace workplace = Workspace.of(shell, file, null, null)) {
                for (AgentEntry agent : file.agents().values()) {
                    checked.attempt(() -> workplace.agent(agent));
                }
            }
        });
        return new ArrayList<>(checked.mistakes);
    }

    private void attempt(Runnable building) {
        try {
            building.run();
        } catch (ConfigurationException e) {
            mistakes.add(e.getMessage());
        }
    }
}
