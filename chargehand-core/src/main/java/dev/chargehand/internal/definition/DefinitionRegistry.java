package dev.chargehand.internal.definition;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.VersionUnknownException;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.run.AgentPath;
import dev.chargehand.version.Version;
import dev.chargehand.version.Versions;
import dev.chargehand.workflow.Workflow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The agents and workflows that were given to a runtime, by id and version, in the order they were given. Thread-safe. An agent and a workflow
 * never have the same id: runs are listed by it. Of several versions the first is the one in code, which is used where none is selected.
 */
public final class DefinitionRegistry {

    /** Replaced as a whole, and shared with the registries of tenants. */
    private final AtomicReference<Map<String, List<RunDefinition>>> given;

    private final AtomicInteger additions;
    private final Versions selected;
    private final VersionCatalog catalog;

    /**
     * Make it of agents and workflows, without a catalog.
     *
     * @param selected the versions that the runtime selects
     * @throws ConfigurationException if two have the same id and version, or an agent and a workflow have the same id, or if a version
     *     is selected of an agent that is not among them and theirs
     */
    public DefinitionRegistry(
            Collection<AgentDefinition> agents, Collection<WorkflowDefinition> workflows, Versions selected) {
        Map<String, List<RunDefinition>> all = new LinkedHashMap<>();
        for (AgentDefinition agent : agents) {
            add(all, agent);
        }
        for (WorkflowDefinition workflow : workflows) {
            add(all, workflow);
        }
        this.given = new AtomicReference<>(all);
        this.additions = new AtomicInteger();
        this.selected = selected;
        this.catalog = VersionCatalog.NONE;
        requireKnown("The versions of the runtime", selected.agents().keySet(), List.of());
    }

    private DefinitionRegistry(DefinitionRegistry other, VersionCatalog catalog) {
        this.given = other.given;
        this.additions = other.additions;
        this.selected = other.selected;
        this.catalog = catalog;
    }

    /** Return the same agents and workflows, with a catalog of more versions of the agents. */
    public DefinitionRegistry with(VersionCatalog more) {
        return new DefinitionRegistry(this, more);
    }

    /** Return what runs of a tenant use. */
    public DefinitionRegistry forTenant(String tenantId) {
        return catalog.isEmpty() ? this : with(catalog.forTenant(tenantId));
    }

    /**
     * Add a workflow to those that were given.
     *
     * @throws ConfigurationException if its id is used, unless it is another version of a workflow
     */
    public void add(WorkflowDefinition workflow) {
        Map<String, List<RunDefinition>> before;
        Map<String, List<RunDefinition>> after;
        do {
            before = given.get();
            after = new LinkedHashMap<>(before);
            after.computeIfPresent(workflow.id(), (id, same) -> new ArrayList<>(same));
            add(after, workflow);
        } while (!given.compareAndSet(before, after));
        additions.incrementAndGet(); // not before: who has not found the workflow has read the count of before
    }

    /** Return how many workflows were added; who has not found a definition looks again when it has changed. */
    public int additions() {
        return additions.get();
    }

    private static void add(Map<String, List<RunDefinition>> definitions, RunDefinition added) {
        if (added instanceof AgentDefinition && VersionSource.isSavedId(added.version())) {
            throw new ConfigurationException("Agent '" + added.id() + "' has version '" + added.version()
                    + "', which is a name of saved versions; give it another one, such as '2026-11'.");
        }
        List<RunDefinition> same = definitions.computeIfAbsent(added.id(), id -> new ArrayList<>(1));
        for (RunDefinition other : same) {
            if (other.getClass() != added.getClass()) {
                throw new ConfigurationException("The id '" + added.id()
                        + "' is used twice among the agents and workflows of the runtime; ids must be unique.");
            }
            if (other.version() == null
                    || Objects.equals(other.version(), added.version())
                    || added.version() == null) {
                String kind = added instanceof AgentDefinition ? "Agent" : "Workflow";
                throw new ConfigurationException(kind + " '" + added.id() + "' is given twice to the runtime"
                        + (other.version() == null && added.version() == null
                                ? ""
                                : ", with " + name(other) + " and with " + name(added))
                        + "; ids must be unique, unless each has a version of its own: .version(\"...\").");
            }
        }
        same.add(added);
    }

    private static String name(RunDefinition definition) {
        return definition.version() == null ? "no version" : "version '" + definition.version() + "'";
    }

    /** Return the workflows that were given to the runtime; of several versions the first. */
    public List<Workflow<?, ?>> workflows() {
        return given.get().values().stream()
                .map(List::getFirst)
                .filter(WorkflowDefinition.class::isInstance)
                .<Workflow<?, ?>>map(definition -> ((WorkflowDefinition) definition).workflow())
                .toList();
    }

    /**
     * Return an agent or a workflow.
     *
     * @throws ConfigurationException if none of that id was given
     */
    public RunDefinition require(String id) {
        return find(id).orElseThrow(() ->
                new ConfigurationException("There is no agent or workflow '" + id + "' in this runtime. It has: "
                        + (given.get().isEmpty()
                                ? "none"
                                : String.join(", ", given.get().keySet())) + "."));
    }

    /**
     * Return an agent.
     *
     * @throws ConfigurationException if none of that id was given
     */
    public AgentDefinition requireAgent(String id) {
        if (require(id) instanceof AgentDefinition agent) {
            return agent;
        }
        throw new ConfigurationException("'" + id + "' is a workflow, not an agent.");
    }

    /**
     * Return the agent in code of an id: one that was given, or else one below those.
     *
     * @throws ConfigurationException if there is none
     */
    public AgentDefinition requireCode(String id) {
        return find(id).filter(AgentDefinition.class::isInstance)
                .or(() -> given.get().values().stream()
                        .flatMap(List::stream)
                        .flatMap(each -> below(each, id))
                        .findFirst())
                .map(AgentDefinition.class::cast)
                .orElseGet(() -> requireAgent(id));
    }

    private static Stream<RunDefinition> below(RunDefinition definition, String id) {
        return definition.children().values().stream()
                .flatMap(each ->
                        each instanceof AgentDefinition && each.id().equals(id) ? Stream.of(each) : below(each, id));
    }

    /** Return an agent or a workflow, if one of that id was given. */
    public Optional<RunDefinition> find(String id) {
        List<RunDefinition> versions = ofId(id);
        return versions.isEmpty() ? Optional.empty() : Optional.of(versions.getFirst());
    }

    /**
     * Return a version of an agent or of a workflow, if it was given or is in the catalog.
     *
     * @param version its version, or null for the one in code
     * @throws VersionUnknownException if the catalog fails
     */
    public Optional<RunDefinition> find(String id, @Nullable String version) {
        return version == null
                ? find(id)
                : find(id).flatMap(code -> given(id, version).or(() -> inCatalog(code, version)));
    }

    private Optional<RunDefinition> given(String id, String version) {
        return ofId(id).stream().filter(each -> version.equals(each.version())).findFirst();
    }

    private Optional<RunDefinition> inCatalog(RunDefinition code, String version) {
        return code instanceof AgentDefinition agent
                ? catalog.findAgain(agent, version).map(RunDefinition.class::cast)
                : Optional.empty();
    }

    /** Return what runs at a path, if the definition at its root was given. */
    public Optional<RunDefinition> find(AgentPath path) {
        Optional<RunDefinition> definition = find(path.segments().getFirst());
        for (String key : path.segments().subList(1, path.depth())) {
            definition = definition.flatMap(
                    above -> Optional.ofNullable(above.children().get(key)));
        }
        return definition;
    }

    /**
     * Return a version of what runs at a path, if the definition at its root was given.
     *
     * @param version its version, or null for the one in code
     */
    public Optional<RunDefinition> find(AgentPath path, @Nullable String version) {
        return find(path)
                .flatMap(code -> version == null || version.equals(code.version())
                        ? Optional.of(code)
                        : find(code.id(), version));
    }

    private List<RunDefinition> ofId(String id) {
        return given.get().getOrDefault(id, List.of());
    }

    /** Return the versions that were given of an agent or a workflow, for an error message. */
    public String versionsOf(String id) {
        String versions = ofId(id).stream().map(DefinitionRegistry::name).collect(Collectors.joining(", "));
        return (versions.isEmpty() ? "none" : versions) + (catalog.isEmpty() ? "" : ", and those of its catalog");
    }

    /**
     * Return what a nested run executes, in the version that was resolved when it was opened, if it is here.
     *
     * @param above the definition of the run above, or null if it is not here
     * @throws VersionUnknownException if the catalog fails
     */
    public Optional<RunDefinition> ofChild(@Nullable RunDefinition above, CallState call) {
        RunDefinition code = above == null ? null : above.childOf(call);
        String version = call.child().version();
        if (code == null || version == null || version.equals(code.version())) {
            return Optional.ofNullable(code);
        }
        return given(code.id(), version)
                .or(() -> inCatalog(code, version))
                .filter(found -> found.getClass() == code.getClass());
    }

    /** Return the same for a run that only ends; null too if the catalog fails. */
    public @Nullable RunDefinition ofEndingChild(@Nullable RunDefinition above, CallState call) {
        try {
            return ofChild(above, call).orElse(null);
        } catch (VersionUnknownException e) {
            return null;
        }
    }

    /**
     * Return the same. No run is resumed where one is missing, so it is here.
     *
     * @throws VersionUnknownException if it is not
     */
    public RunDefinition requireOfChild(RunDefinition above, CallState call) {
        return ofChild(above, call)
                .orElseThrow(() -> new VersionUnknownException("Version '"
                        + call.child().version() + "' of '" + call.child().agentId() + "' is not in this runtime."));
    }

    /**
     * Return the version of an agent that a selection names, or else the runtime; the agent itself if neither does.
     *
     * @param code the agent in code
     * @param cancellation ends the wait for the catalog
     * @throws VersionUnknownException if that version does not exist, or the catalog fails
     */
    public AgentDefinition resolve(AgentDefinition code, OptionValues options, Cancellation cancellation) {
        Version wanted = wanted(code.id(), options);
        return wanted == null ? code : resolve(code, wanted, cancellation);
    }

    /**
     * Return a version of an agent.
     *
     * @param code the agent in code
     * @param cancellation ends the wait for the catalog
     * @throws VersionUnknownException if that version does not exist, or the catalog fails
     */
    public AgentDefinition resolve(AgentDefinition code, Version wanted, Cancellation cancellation) {
        Optional<AgentDefinition> found = find(code, wanted).or(() -> catalog.find(code, wanted, cancellation));
        if (found.isEmpty() && !wanted.fallsBackToCode()) {
            throw new VersionUnknownException(
                    "There is no version " + wanted + " of agent '" + code.id() + "'. " + instead(code, wanted));
        }
        return found.orElse(code);
    }

    private String instead(AgentDefinition code, Version wanted) {
        String here = catalog.isEmpty() ? "" : " The catalog of the runtime has none either.";
        return wanted.kind() == Version.Kind.ID
                ? "In code there are: " + versionsInCode(code) + "." + here
                        + " Select one of them, or give the runtime an agent of that version."
                : "Agents in code are neither published nor saved." + here + " Select one by its id, or add .orCode().";
    }

    private @Nullable Version wanted(String agentId, OptionValues options) {
        Version named = options.get(Options.VERSIONS)
                .getOrDefault(agentId, selected.agents().get(agentId));
        Version byDefault = named == null ? options.get(Options.DEFAULT_VERSION) : named;
        return byDefault == null ? selected.defaultVersion().orElse(null) : byDefault;
    }

    private Optional<AgentDefinition> find(AgentDefinition code, Version wanted) {
        String id = wanted.id().orElse(null);
        if (id == null) {
            return Optional.empty();
        }
        return id.equals(code.version())
                ? Optional.of(code)
                : given(code.id(), id).filter(AgentDefinition.class::isInstance).map(AgentDefinition.class::cast);
    }

    private String versionsInCode(AgentDefinition code) {
        Set<String> names =
                ofId(code.id()).stream().map(DefinitionRegistry::name).collect(Collectors.toCollection(TreeSet::new));
        names.add(name(code));
        return String.join(", ", names);
    }

    /**
     * Check that there are agents of which versions are selected.
     *
     * @param where who selects
     * @param more agents and workflows besides those of the runtime
     * @throws ConfigurationException if one does not exist
     */
    public void requireKnown(String where, Set<String> agentIds, Collection<? extends RunDefinition> more) {
        if (agentIds.isEmpty()) {
            return;
        }
        Set<String> known = agentIds();
        more.forEach(agent -> addIds(agent, known));
        for (String id : agentIds) {
            if (!known.contains(id)) {
                throw new ConfigurationException(where + " name agent '" + id
                        + "', which is neither in this runtime nor below what is called. Known are: "
                        + (known.isEmpty() ? "none" : String.join(", ", known)) + ".");
            }
        }
    }

    /** Return the ids of all agents that were given, and of those below what was given, in order. */
    public Set<String> agentIds() {
        Set<String> ids = new TreeSet<>();
        given.get().values().forEach(all -> all.forEach(each -> addIds(each, ids)));
        return ids;
    }

    private static void addIds(RunDefinition definition, Set<String> ids) {
        if (definition instanceof AgentDefinition) {
            ids.add(definition.id());
        }
        definition.children().values().forEach(below -> addIds(below, ids));
    }

    /** Return whether this very instance of an agent or workflow was given. */
    @SuppressWarnings("ReferenceEquality") // equal agents may hold different code of the application
    public boolean has(RunDefinition definition) {
        String version = definition.version();
        RunDefinition known = (version == null ? find(definition.id()) : given(definition.id(), version)).orElse(null);
        return switch (definition) {
            case AgentDefinition agent -> known == agent;
            case WorkflowDefinition workflow -> workflow.equals(known); // which is made anew for each call
        };
    }
}
