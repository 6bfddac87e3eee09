package dev.chargehand.config;

import dev.chargehand.config.internal.crew.EveryProvider;
import dev.chargehand.config.internal.crew.ModelSelection;
import dev.chargehand.config.internal.crew.Providers;
import dev.chargehand.config.internal.file.FileDefinition;
import dev.chargehand.config.internal.file.ProviderEntry;
import dev.chargehand.document.Setting;
import dev.chargehand.document.Variables;
import dev.chargehand.error.ConfigurationException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reports which models the agents of a file use in this environment, and whether their keys are set. */
public final class CrewModels implements AutoCloseable {

    private final FileDefinition file;
    private final Variables variables;
    private final EveryProvider provider;
    private final ModelSelection selection;

    /**
     * Prepare the report.
     *
     * @param environment the environment variables, null for one that is not set
     */
    public CrewModels(AgentsFile file, Function<String, @Nullable String> environment) {
        this.file = file.definition();
        this.variables = new Variables(environment);
        this.provider = Providers.of(this.file, variables, environment);
        this.selection = new ModelSelection(null, this.file, variables, List.of(provider));
    }

    /** Return the names of an agent's models, the first choice first. */
    public List<String> of(AgentEntry agent) {
        return selection.names(agent.definition());
    }

    /** Return the name of the model that embeds what an agent finds again, if it recalls. */
    public Optional<String> ofRecall(AgentEntry agent) {
        return selection.nameOfEmbedding(agent.definition());
    }

    /** Describe whether the key of a model is set. */
    public String key(String model) {
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
