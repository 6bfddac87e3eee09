package dev.chargehand.internal.engine.tree;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ModelException;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.log.Redactor;
import dev.chargehand.internal.text.NearNames;
import dev.chargehand.model.EmbeddingModel;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.spi.CallInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The model providers of a runtime: makes models of names with them, each once, and closes them. Thread-safe. */
public final class NamedModels {

    private static final Log LOG = Log.of(NamedModels.class);

    /** How long closing a provider may take. */
    private static final Duration CLOSING = Duration.ofSeconds(10);

    private final List<ModelProvider> providers;

    /** Why providers on the class path are missing among them; each text names one. */
    private final Set<String> unusable;

    /** Whether they were given, and those on the class path are not used. */
    private final boolean given;

    private final Redactor redactor;
    private final Map<String, Model> made = new ConcurrentHashMap<>();

    /** Make models with providers, the first that knows a name first. */
    public NamedModels(List<ModelProvider> providers, Redactor redactor) {
        this(providers, Set.of(), true, redactor);
    }

    private NamedModels(List<ModelProvider> providers, Set<String> unusable, boolean given, Redactor redactor) {
        this.providers = List.copyOf(providers);
        this.unusable = unusable;
        this.given = given;
        this.redactor = redactor;
    }

    /**
     * Make models with the providers on the class path, native ones first.
     *
     * <p>A provider that cannot be made, for example since its libraries are missing, is left out with a warning: it may be there only
     * because another dependency brings it, and no agent of the program may use it. The error for a model that no provider knows names it.
     */
    public static NamedModels onClassPath(Redactor redactor) {
        List<ModelProvider> providers = new ArrayList<>();
        Set<String> unusable = new LinkedHashSet<>();
        Iterator<ModelProvider> found = ServiceLoader.load(ModelProvider.class).iterator();
        while (true) {
            try {
                if (!found.hasNext()) {
                    break;
                }
                providers.add(found.next());
            } catch (ServiceConfigurationError | LinkageError e) {
                String why = redactor.describeWithCauses(e);
                if (!unusable.add(why)) {
                    break; // the class path cannot be read any further
                }
                LOG.warn(
                        "A model provider on the class path cannot be used, and is left out: {}. Add the libraries that"
                                + " it needs, or remove its module.",
                        why);
            }
        }
        providers.sort(Comparator.comparing(ModelProvider::isNative).reversed());
        return new NamedModels(providers, unusable, false, redactor);
    }

    /**
     * Return the models of a choice, in its order.
     *
     * @throws ModelException {@code UNKNOWN_MODEL} if no provider knows one of them
     */
    public List<Model> of(ModelChoice choice) {
        List<Model> models = new ArrayList<>();
        for (ModelChoice.Candidate candidate : choice.candidates()) {
            models.add(
                    switch (candidate) {
                        case ModelChoice.Candidate.Given given -> learned(given.model());
                        case ModelChoice.Candidate.Named named -> made.computeIfAbsent(named.name(), this::make);
                    });
        }
        return List.copyOf(models);
    }

    private Model make(String name) {
        for (ModelProvider provider : providers) {
            Optional<Model> found = checked(provider, name, provider.find(name));
            if (found.isPresent()) {
                return learned(found.get());
            }
        }
        throw new ModelException(
                ModelException.Kind.UNKNOWN_MODEL,
                "No provider knows the model '" + name + "'. "
                        + whatToDo(name, true, provider -> provider.adviceOn(name)),
                null);
    }

    /**
     * Return an embedding model.
     *
     * @throws ModelException {@code UNKNOWN_MODEL} if no provider knows it
     */
    public EmbeddingModel embeddingModel(String name) {
        for (ModelProvider provider : providers) {
            Optional<EmbeddingModel> found = checked(provider, name, provider.findEmbeddingModel(name));
            if (found.isPresent()) {
                return found.get();
            }
        }
        throw new ModelException(
                ModelException.Kind.UNKNOWN_MODEL,
                "No provider knows the embedding model '" + name + "'. "
                        + whatToDo(name, false, provider -> provider.adviceOnEmbeddingModel(name)),
                null);
    }

    private static <M> Optional<M> checked(ModelProvider provider, String name, Optional<M> found) {
        if (found == null) {
            throw new ConfigurationException(
                    "Model provider " + provider.getClass().getName() + " returned null for '" + name
                            + "'; it returns an empty Optional for a model it does not know.");
        }
        return found;
    }

    /** Say what to do about a name, of a model that chats or of an embedding model. */
    private String whatToDo(String name, boolean chats, Function<ModelProvider, Optional<String>> adviceOf) {
        String here = providers.stream()
                .flatMap(provider -> adviceOf.apply(provider).stream())
                .findFirst()
                .orElseGet(() -> known(name, chats));
        return unusable.isEmpty()
                ? here
                : here + " On the class path, but cannot be used: " + String.join("; ", unusable)
                        + ". Add the libraries that it needs.";
    }

    private String known(String name, boolean chats) {
        Set<String> all = new TreeSet<>();
        Set<String> embed = new TreeSet<>();
        String model = name.substring(name.indexOf('/') + 1);
        for (ModelProvider provider : providers) {
            for (String known : provider.names()) {
                all.add(known);
                if (!chats && provider.findEmbeddingModel(known + "/" + model).isPresent()) {
                    embed.add(known);
                }
            }
        }
        if (all.isEmpty()) {
            return "There is no provider on the class path; add chargehand-models, or give a Model object.";
        }
        Set<String> known = embed.isEmpty() ? all : embed;
        String wanted = name.substring(0, Math.max(0, name.indexOf('/')));
        String why = known.contains(wanted)
                ? "Provider '" + wanted + "' has no such model. "
                : NearNames.nearest(wanted, known)
                        .map(provider -> "Did you mean '" + provider + "/" + model + "'? ")
                        .orElseGet(this::replaced);
        return why + "Known providers: " + String.join(", ", known)
                + ". Use a model of one of them, or give the runtime the provider, or a Model object.";
    }

    /** Name the providers that would be used if none had been given. */
    private String replaced() {
        if (!given) {
            return "";
        }
        try {
            String types = ServiceLoader.load(ModelProvider.class).stream()
                    .map(provider -> provider.type().getName())
                    .sorted()
                    .collect(Collectors.joining(", "));
            return types.isEmpty()
                    ? ""
                    : "The providers that were given to the runtime replace those on the class path, which are " + types
                            + ": give it the one that you need too. ";
        } catch (ServiceConfigurationError | LinkageError e) {
            LOG.debug("The model providers on the class path cannot be read, and are not named", e);
            return "";
        }
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

    /** Close the providers; one that cannot be closed does not keep the others from being closed. */
    public void close(BoundedCalls callouts) {
        for (ModelProvider provider : providers) {
            try {
                callouts.call(CallSite.of(CallInfo.Kind.CLOSER, "model provider"), CLOSING, new Cancellation(), () -> {
                    provider.close();
                    return true;
                });
            } catch (BoundedCalls.TimedOutException e) {
                LOG.warn(
                        "The provider {} was not closed within {}.",
                        provider.getClass().getName(),
                        CLOSING);
            } catch (BoundedCalls.ThrewException e) {
                LOG.warn(
                        "The provider {} could not be closed: {}",
                        provider.getClass().getName(),
                        redactor.describe(e.thrown()));
            }
        }
    }
}
