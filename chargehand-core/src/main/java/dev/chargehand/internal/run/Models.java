package dev.chargehand.internal.run;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ModelException;
import dev.chargehand.internal.limit.Redactor;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelProvider;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** Makes models of names with the providers of a runtime; each once. Thread-safe. */
public final class Models {

    private final List<ModelProvider> providers;
    private final Redactor redactor;
    private final Map<String, Model> made = new ConcurrentHashMap<>();

    /** Makes models with providers, the first that knows a name first. */
    public Models(List<ModelProvider> providers, Redactor redactor) {
        this.providers = List.copyOf(providers);
        this.redactor = redactor;
    }

    /**
     * Returns the models of a choice, in its order.
     *
     * @throws ModelException {@code UNKNOWN_MODEL} if no provider knows one of them
     */
    public List<Model> of(ModelChoice choice) {
        return choice.candidates().stream()
                .map(candidate -> switch (candidate) {
                    case ModelChoice.Candidate.Given given -> learned(given.model());
                    case ModelChoice.Candidate.Named named -> made.computeIfAbsent(named.name(), this::make);
                })
                .toList();
    }

    private Model make(String name) {
        for (ModelProvider provider : providers) {
            Optional<Model> found = provider.find(name);
            if (found == null) {
                throw new ConfigurationException(
                        "Model provider " + provider.getClass().getName() + " returned null for '" + name
                                + "'; it returns an empty Optional for a model it does not know.");
            }
            if (found.isPresent()) {
                return learned(found.get());
            }
        }
        throw new ModelException(
                ModelException.Kind.UNKNOWN_MODEL,
                "No provider knows the model '" + name + "'. " + whatToDo(name),
                null);
    }

    private String whatToDo(String name) {
        for (ModelProvider provider : providers) {
            var advice = provider.adviceOn(name);
            if (advice.isPresent()) {
                return advice.get();
            }
        }
        TreeSet<String> known = new TreeSet<>();
        providers.forEach(provider -> known.addAll(provider.names()));
        return known.isEmpty()
                ? "There is no provider on the class path; add chargehand-models, or give a Model object."
                : "Known providers: " + String.join(", ", known) + ".";
    }

    private Model learned(Model model) {
        Set<String> secrets = model.secrets();
        if (model.name() == null || secrets == null) {
            throw new ConfigurationException("Model " + model.getClass().getName()
                    + " returned null for its name or its secrets; return a name, and an empty set for no secrets.");
        }
        redactor.learn(secrets);
        return model;
    }
}
