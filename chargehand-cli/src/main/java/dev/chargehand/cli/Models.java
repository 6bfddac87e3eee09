package dev.chargehand.cli;

import dev.chargehand.cli.config.AgentEntry;
import dev.chargehand.cli.config.AgentsFile;
import dev.chargehand.cli.config.ProviderEntry;
import dev.chargehand.cli.config.Setting;
import dev.chargehand.cli.config.Variables;
import dev.chargehand.error.ConfigurationException;
import java.util.List;
import java.util.Optional;

/** Tells which models the agents of a file use in this environment, and whether their keys are there. */
final class Models implements AutoCloseable {

    private final AgentsFile file;
    private final Variables variables;
    private final EveryProvider provider;
    private final ModelSelection selection;

    Models(Shell shell, AgentsFile file) {
        this.file = file;
        this.variables = new Variables(shell.environment());
        this.provider = Providers.of(file, variables, shell.environment());
        this.selection = new ModelSelection(null, file, variables, List.of(provider));
    }

    /** Returns the names of an agent's models, the first choice first. */
    List<String> of(AgentEntry agent) {
        return selection.names(agent);
    }

    /** Says of a model whether its key is there. */
    String key(String model) {
        if (model.equals(ModelSelection.OFFLINE)) {
            return "a rule-based stand-in, needs no key";
        }
        String name = model.substring(0, model.indexOf('/'));
        Optional<Setting> own = file.providers().stream()
                .filter(entry -> entry.name().equals(name))
                .findFirst()
                .map(ProviderEntry::key);
        if (own.isPresent()) {
            return own.get().text() + (isSet(own.get()) ? " is set" : " is not set");
        }
        return provider.keyVariable(name)
                .map(variable -> variable + (variables.get(variable) == null ? " is not set" : " is set"))
                .orElse("needs no key");
    }

    private boolean isSet(Setting key) {
        try {
            return !variables.resolve(key).text().isEmpty();
        } catch (ConfigurationException e) {
            return false;
        }
    }

    @Override
    public void close() {
        provider.close();
    }
}
