package dev.chargehand.config.internal.crew;

import dev.chargehand.config.choice.CrewOption;
import dev.chargehand.config.choice.CrewOptionException;
import dev.chargehand.config.choice.KnownKeys;
import dev.chargehand.config.choice.ModelNote;
import dev.chargehand.config.internal.file.AgentDefinition;
import dev.chargehand.config.internal.file.FileDefinition;
import dev.chargehand.config.internal.file.ProcessorsEntry;
import dev.chargehand.config.internal.file.ScorerEntry;
import dev.chargehand.config.internal.file.StructuredOutputEntry;
import dev.chargehand.config.internal.offline.OfflineModel;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import dev.chargehand.document.Variables;
import dev.chargehand.memory.SemanticRecall;
import dev.chargehand.model.HashedWords;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelChoice.Candidate;
import dev.chargehand.model.ModelProvider;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides which model an agent uses: the one that is set for all agents, else the agent's own, else the file's.
 *
 * <p>Where {@code offline} is only the default of a variable that is not set, a provider's key in the environment wins
 * over it. Collects what the user should know about that.
 */
public final class ModelSelection {

    /** The name of the stand-in. */
    public static final String OFFLINE = "offline";

    private final @Nullable Setting override;
    private final List<Setting> byDefault;
    private final Variables environment;
    private final List<ModelProvider> providers;
    private final Model offline = new OfflineModel();
    private final Set<ModelNote> notes = new LinkedHashSet<>();

    public ModelSelection(
            @Nullable Setting override, FileDefinition file, Variables environment, List<ModelProvider> providers) {
        this.override = override;
        this.byDefault = file.models();
        this.environment = environment;
        this.providers = List.copyOf(providers);
    }

    /** Return what the user should know, each thing once. */
    public List<ModelNote> notes() {
        return List.copyOf(notes);
    }

    /**
     * Return the model of an agent, with those to fall back to.
     *
     * @throws dev.chargehand.error.ConfigurationException if none is set, or a name is unknown
     */
    ModelChoice of(AgentDefinition agent) {
        return together(settings(agent).stream()
                .map(this::choice)
                .map(choice -> choice.orElse(ModelChoice.of(offline)))
                .toList());
    }

    /** Return the names of an agent's models, the first choice first. */
    public List<String> names(AgentDefinition agent) {
        return of(agent).candidates().stream().map(ModelSelection::name).toList();
    }

    private static String name(Candidate candidate) {
        return switch (candidate) {
            case Candidate.Named named -> named.name();
            case Candidate.Given ignored -> OFFLINE;
        };
    }

    /**
     * Return the model that judges an agent's answers: the scorer's own, else the agent's.
     *
     * @throws dev.chargehand.error.ConfigurationException if none is set, it is unknown, or it is the stand-in
     */
    ModelChoice ofJudge(ScorerEntry.Judged judge, AgentDefinition agent) {
        return ofJudge("a scorer", judge.at(), judge.model(), agent);
    }

    /**
     * Return the model that judges what goes into an agent or comes out of it: the processor's own, else the agent's.
     *
     * @throws dev.chargehand.error.ConfigurationException if none is set, it is unknown, or it is the stand-in
     */
    ModelChoice ofJudge(ProcessorsEntry.Judged judge, AgentDefinition agent) {
        return ofJudge("a processor", judge.at(), judge.model(), agent);
    }

    /**
     * Return the names of the models that make the object of an agent's text, the first choice first; none if its own
     * model writes it.
     *
     * @throws dev.chargehand.error.ConfigurationException if the stand-in would have to write an object
     */
    List<String> namesOfStructuring(StructuredOutputEntry output, AgentDefinition agent) {
        List<Setting> others = output.structuredBy();
        List<String> names = (others.isEmpty()
                        ? of(agent)
                        : together(others.stream()
                                .map(setting -> choice(setting).orElse(ModelChoice.of(offline)))
                                .toList()))
                .candidates().stream().map(ModelSelection::name).toList();
        if (names.contains(OFFLINE) && (output.isStrict() || !others.isEmpty())) {
            throw modelNeeded(
                    output.at(),
                    "agent '" + agent.id() + "' has to answer with an object, and 'offline' is a rule-based"
                            + " stand-in that writes none. Put 'structuredBy: openai/gpt-5-mini' next to the schema,"
                            + " set another model for all agents, or set a provider's key.");
        }
        return others.isEmpty() ? List.of() : names;
    }

    /**
     * Set the embedding model of an agent's recall.
     *
     * @throws dev.chargehand.error.ConfigurationException if it is unknown
     */
    void embed(SemanticRecall.Builder recall, Setting setting) {
        String name = environment.resolve(setting).text();
        if (name.equals(OFFLINE)) {
            notes.add(new ModelNote(
                    ModelNote.Kind.OFFLINE, "offline: recall by a stand-in that finds common words, not meaning"));
            recall.by(new HashedWords());
            return;
        }
        requireProvider(setting, name, "embedding model", "openai/text-embedding-3-small");
        if (providers.stream()
                .noneMatch(provider -> provider.findEmbeddingModel(name).isPresent())) {
            throw setting.at()
                    .error("provider '" + name.substring(0, name.indexOf('/')) + "' has no embedding model '" + name
                            + "'. Name one of another provider, such as openai/text-embedding-3-small, or offline.");
        }
        recall.by(name);
    }

    /**
     * Return the name of a model that writes titles or observations of conversations; empty for the stand-in, which writes none,
     * so that the first words of the user stay and nothing is observed, also where it is set for all agents.
     *
     * @throws dev.chargehand.error.ConfigurationException if the name is unknown
     */
    Optional<String> writer(Setting setting) {
        boolean isOffline =
                override != null && environment.resolve(override).text().equals(OFFLINE);
        return isOffline
                ? Optional.empty()
                : choice(setting).map(choice -> name(choice.candidates().getFirst()));
    }

    /** Return the name of the embedding model of an agent's recall, if it has one. */
    public Optional<String> nameOfEmbedding(AgentDefinition agent) {
        return Optional.ofNullable(agent.memory().recall())
                .map(recall -> environment.resolve(recall.model()).text());
    }

    private ModelChoice ofJudge(String what, Position at, @Nullable Setting own, AgentDefinition agent) {
        return together((own != null ? List.of(own) : settings(agent))
                .stream()
                        .map(setting -> choice(setting)
                                .orElseThrow(() -> modelNeeded(
                                        at,
                                        what + " of agent '" + agent.id()
                                                + "' asks a model to judge, and 'offline' is a rule-based stand-in that"
                                                + " cannot. Put 'model: openai/gpt-5-mini' next to it, set another model"
                                                + " for all agents, or set a provider's key.")))
                        .toList());
    }

    private static CrewOptionException modelNeeded(Position at, String message) {
        return new CrewOptionException(CrewOption.MODEL, at, message);
    }

    private static ModelChoice together(List<ModelChoice> choices) {
        return new ModelChoice(
                choices.stream().flatMap(choice -> choice.candidates().stream()).toList());
    }

    private List<Setting> settings(AgentDefinition agent) {
        if (override != null) {
            return List.of(override);
        }
        List<Setting> settings = agent.models().isEmpty() ? byDefault : agent.models();
        if (settings.isEmpty()) {
            throw modelNeeded(
                    agent.at(),
                    "agent '" + agent.id() + "' has no model. Add 'model: openai/gpt-5-mini' or 'model: offline'"
                            + " to it or to the top of the file, or set a model for all agents.");
        }
        return settings;
    }

    /** Return a real model, or nothing for the stand-in. */
    private Optional<ModelChoice> choice(Setting setting) {
        Variables.Resolved name = environment.resolve(setting);
        if (!name.text().equals(OFFLINE)) {
            return Optional.of(named(setting, name.text()));
        }
        Optional<KnownKeys.Known> key = name.byDefault() ? KnownKeys.first(environment) : Optional.empty();
        if (key.isPresent()) {
            notes.add(new ModelNote(
                    ModelNote.Kind.KEY_FOUND,
                    "model: " + key.get().model() + ", because " + key.get().variable() + " is set"));
            return Optional.of(named(setting, key.get().model()));
        }
        notes.add(new ModelNote(
                name.byDefault() ? ModelNote.Kind.OFFLINE_BY_DEFAULT : ModelNote.Kind.OFFLINE,
                "offline: a rule-based stand-in, not a language model"));
        return Optional.empty();
    }

    private ModelChoice named(Setting setting, String name) {
        requireProvider(setting, name, "model", "openai/gpt-5-mini");
        return ModelChoice.of(name);
    }

    private void requireProvider(Setting setting, String name, String what, String example) {
        int slash = name.indexOf('/');
        if (slash < 1 || slash == name.length() - 1) {
            throw setting.at()
                    .error(what + " '" + name + "' must be 'offline' or named provider/name, for example " + example
                            + "."
                            + (name.startsWith("$")
                                    ? " A variable is written as ${" + name.substring(1) + "}."
                                    : NameSuggestions.meant(name, List.of(OFFLINE))));
        }
        if (providers.stream().noneMatch(provider -> provider.find(name).isPresent())) {
            Set<String> known = new TreeSet<>();
            providers.forEach(provider -> known.addAll(provider.names()));
            String wrong = name.substring(0, slash);
            throw setting.at()
                    .error("no provider '" + wrong + "' is known for the " + what + " '" + name + "'."
                            + NameSuggestions.allowed("Known are", wrong, known));
        }
    }
}
