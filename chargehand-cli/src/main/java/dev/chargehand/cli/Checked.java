package dev.chargehand.cli;

import dev.chargehand.cli.config.AgentEntry;
import dev.chargehand.cli.config.AgentsFile;
import dev.chargehand.cli.config.CommandEntry;
import dev.chargehand.cli.config.Setting;
import dev.chargehand.cli.config.Variables;
import dev.chargehand.error.ConfigurationException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What else is wrong with a file that can be read: models nobody knows, folders that are not there, and the like. */
final class Checked {

    private final Set<String> mistakes = new LinkedHashSet<>();

    private Checked() {}

    /** Returns the mistakes, each once; empty if every agent of the file can be built. */
    static List<String> of(Shell shell, AgentsFile file) {
        Checked checked = new Checked();
        Variables variables = new Variables(shell.environment());
        checked.attempt(() -> Stores.named(file, variables));
        checked.folders(file);
        checked.attempt(() -> {
            try (Workplace workplace = Workplace.of(shell, file, null, null)) {
                for (AgentEntry agent : file.agents().values()) {
                    checked.attempt(() -> workplace.agent(agent));
                }
            }
        });
        return new ArrayList<>(checked.mistakes);
    }

    private void folders(AgentsFile file) {
        for (CommandEntry command : file.commands().values()) {
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
