package dev.chargehand.cli.setup;

import dev.chargehand.cli.shell.Shell;
import dev.chargehand.command.CommandDefinition;
import dev.chargehand.config.AgentEntry;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.document.Setting;
import dev.chargehand.document.Variables;
import dev.chargehand.error.ConfigurationException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Further mistakes of a readable file: unknown models, missing folders, and the like. */
public final class ConfigCheck {

    private final Set<String> mistakes = new LinkedHashSet<>();

    private ConfigCheck() {}

    /** Return the mistakes, each once; empty if every agent of the file can be built. */
    public static List<String> of(Shell shell, AgentsFile file) {
        ConfigCheck checked = new ConfigCheck();
        Variables variables = new Variables(shell.environment());
        checked.attempt(() -> StoreOpener.named(file, variables));
        checked.folders(file);
        checked.attempt(() -> {
            try (Workspace workplace = Workspace.of(shell, file, null, null)) {
                for (AgentEntry agent : file.agents().values()) {
                    checked.attempt(() -> workplace.agent(agent));
                }
            }
        });
        return new ArrayList<>(checked.mistakes);
    }

    private void folders(AgentsFile file) {
        for (CommandDefinition command : file.commands().values()) {
            Setting named = command.folder();
            Path folder = named == null ? file.folder() : file.folder().resolve(named.text());
            if (named != null && !Files.isDirectory(folder)) {
                mistakes.add(named.at() + ": there is no folder '" + folder + "', in which the tool '" + command.name()
                        + "' is to run.");
            }
        }
    }

    private void attempt(Runnable building) {
        try {
            building.run();
        } catch (ConfigurationException e) {
            mistakes.add(e.getMessage());
        }
    }
}
