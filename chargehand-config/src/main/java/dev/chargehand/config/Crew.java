package dev.chargehand.config;

import dev.chargehand.Agent;
import dev.chargehand.AgentCatalog;
import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.RunOptions;
import dev.chargehand.config.choice.CrewOptionException;
import dev.chargehand.config.choice.ModelNote;
import dev.chargehand.config.internal.crew.AgentAssembly;
import dev.chargehand.config.internal.crew.ModelSelection;
import dev.chargehand.config.internal.crew.OwnTools;
import dev.chargehand.config.internal.file.AgentDefinition;
import dev.chargehand.config.internal.file.FileReader;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.store.Store;
import dev.chargehand.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agents of a {@code chargehand.yaml}, built with their models, tools and documents. Close it after the last run.
 *
 * <pre>{@code
 * AgentsFile file = AgentsFileReader.read(path, path.toString(), Crew.TOOLS);
 * try (Crew crew = Crew.builder(file).build()) {
 *     List<Agent> agents = file.agents().values().stream().map(crew::agent).toList();
 *     try (AgentRuntime runtime = crew.runtime(store, agents).build()) {
 *         runtime.agent("boss").generate("Write the report.");
 *     }
 * }
 * }</pre>
 *
 * <p>Not thread-safe; the agents and runtimes are.
 */
public final class Crew implements AutoCloseable {

    /** The tools that an agent of a file can use without a definition. */
    public static final Set<String> TOOLS = Set.of("search-files", "list-files", "read-file");

    private static final Logger LOG = LoggerFactory.getLogger(Crew.class);

    private final AgentsFile file;
    private final ModelProvider provider;
    private final ModelSelection models;
    private final OwnTools tools;
    private final AgentAssembly assembly;

    /** Saved versions are read by several threads. */
    private final ReentrantLock building = new ReentrantLock();

    Crew(AgentsFile file, ModelProvider provider, ModelSelection models, OwnTools tools, AgentAssembly assembly) {
        this.file = file;
        this.provider = provider;
        this.models = models;
        this.tools = tools;
        this.assembly = assembly;
    }

    /** Start building the crew of a file. */
    public static CrewBuilder builder(AgentsFile file) {
        return new CrewBuilder(file);
    }

    /**
     * Return an agent of the file, with its descendants. It is built once.
     *
     * @throws ConfigurationException if a model is unknown, or a tool cannot be made
     * @throws CrewOptionException if the agent needs another model or other documents
     */
    public Agent agent(AgentEntry entry) {
        requireEntry(entry, "agent", file.agents().keySet());
        return locked(() -> assembly.agent(entry.definition()));
    }

    /** Reject what the maps of a file return for a name that it does not have. */
    private void requireEntry(@Nullable Object entry, String kind, Set<String> names) {
        Objects.requireNonNull(
                entry,
                () -> "The entry of " + (kind.startsWith("a") ? "an " : "a ") + kind + " must not be null. The " + kind
                        + "s of " + file.name() + ": " + (names.isEmpty() ? "none" : String.join(", ", names)) + ".");
    }

    private <T> T locked(Supplier<T> work) {
        building.lock();
        try {
            return work.get();
        } finally {
            building.unlock();
        }
    }

    /**
     * Return the further versions of an agent that the file defines, in their order.
     *
     * @throws ConfigurationException if one of them cannot be built
     */
    public List<Agent> versions(AgentEntry entry) {
        return locked(() ->
                entry.definition().versions().stream().map(assembly::build).toList());
    }

    /**
     * Make an agent of a saved version: a document with the keys that the agent may have in the file, except those of its versions.
     * {@link AgentCatalog#stored} is given this method. Thread-safe.
     *
     * @param document YAML or JSON; its tools and sub-agents are those of the file, and environment variables are not replaced
     * @throws dev.chargehand.document.DocumentException if there are mistakes in it
     * @throws ConfigurationException if the file has no such agent, or it cannot be built
     */
    public Agent version(String agentId, String version, String document) {
        AgentDefinition read = FileReader.version(file.definition(), agentId, version, document);
        return locked(() -> assembly.build(read));
    }

    /**
     * Return an agent, and all others of the file that can be built, with their further versions.
     *
     * @throws ConfigurationException if the first one cannot be built
     */
    public List<Agent> agents(AgentEntry first) {
        List<Agent> agents = new ArrayList<>();
        agents.add(agent(first));
        agents.addAll(versions(first));
        for (AgentEntry entry : file.agents().values()) {
            if (!entry.equals(first)) {
                try {
                    agents.add(agent(entry));
                    agents.addAll(versions(entry));
                } catch (ConfigurationException e) {
                    LOG.debug("agent {} cannot be built: {}", entry.id(), e.getMessage());
                }
            }
        }
        return agents;
    }

    /**
     * Return a workflow of the file, with the agents of its steps. It is built once.
     *
     * @throws ConfigurationException if one of its agents cannot be built
     * @throws CrewOptionException if one of its agents needs another model or other documents
     */
    public Workflow<Json, Json> workflow(WorkflowEntry entry) {
        requireEntry(entry, "workflow", file.workflows().keySet());
        return assembly.workflow(entry.definition());
    }

    /** Set the options of the file for a run of a workflow: limits, the budget, prices and how approvals wait. */
    public void setOptions(RunOptions.Builder options) {
        file.definition().options().set(options);
    }

    /**
     * Return an agent that has the id and the memory of one of the file, and nothing else. It can be built although the
     * agent itself cannot, and is for searching what the agent remembers.
     *
     * @throws ConfigurationException if the embedding model is unknown
     */
    public Agent rememberer(AgentEntry entry) {
        return assembly.rememberer(entry.definition());
    }

    /** Return the names of the models of an agent, the first choice first. */
    public List<String> models(AgentEntry entry) {
        return models.names(entry.definition());
    }

    /** Return notes for the user about models that were chosen by default, each once. */
    public List<ModelNote> notes() {
        return models.notes();
    }

    /**
     * Start building a runtime for agents of this crew. It owns the store, finds models by their names, and redacts the
     * secrets of the file. Versions of its agents can be saved in the store, see {@link AgentRuntime#versions}.
     */
    public AgentRuntimeBuilder runtime(Store store, List<Agent> agents) {
        AgentRuntimeBuilder builder = AgentRuntime.builder()
                .store(store)
                .providers(provider)
                .agents(agents.toArray(Agent[]::new))
                .catalog(AgentCatalog.stored(this::version));
        tools.secrets().forEach(builder::addSecret);
        return builder;
    }

    /** Close the tools; runs must have ended. Providers of models are closed with the runtime. */
    @Override
    public void close() {
        assembly.close();
    }
}
