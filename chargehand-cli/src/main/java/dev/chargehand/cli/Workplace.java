package dev.chargehand.cli;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.cli.config.AgentEntry;
import dev.chargehand.cli.config.AgentsFile;
import dev.chargehand.cli.config.Position;
import dev.chargehand.cli.config.Setting;
import dev.chargehand.cli.config.Variables;
import dev.chargehand.cli.output.RunOutput;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunListener;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.store.Store;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where the agents of a file work: their models, their documents, and runtimes for them. Close it after the last run. */
final class Workplace implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Workplace.class);

    private final Shell shell;
    private final AgentsFile file;
    private final ModelProvider provider;
    private final ModelSelection models;
    private final OwnTools tools;
    private final Crew crew;
    private final IndexNotes indexing;

    private Workplace(
            Shell shell,
            AgentsFile file,
            ModelProvider provider,
            ModelSelection models,
            OwnTools tools,
            Crew crew,
            IndexNotes indexing) {
        this.indexing = indexing;
        this.shell = shell;
        this.file = file;
        this.provider = provider;
        this.models = models;
        this.tools = tools;
        this.crew = crew;
    }

    /**
     * Opens the workplace of a file.
     *
     * @param model the model of all agents, or null for those of the file
     * @param docs the folder of the documents, or null for that of the file
     */
    static Workplace of(Shell shell, AgentsFile file, @Nullable String model, @Nullable Path docs) {
        Variables variables = new Variables(shell.environment());
        ModelProvider provider = Providers.of(file, variables, shell.environment());
        ModelSelection models = new ModelSelection(option("--model", model), file, variables, List.of(provider));
        OwnTools tools = new OwnTools(shell, file, variables);
        IndexNotes indexing = new IndexNotes(InstantSource.system(), shell::note);
        Crew crew = new Crew(file, models, documents(shell, file, variables, docs), tools, indexing);
        return new Workplace(shell, file, provider, models, tools, crew, indexing);
    }

    /** Has what is told of the indexing of documents go to what shows a run, and returns that. */
    RunOutput telling(RunOutput output) {
        indexing.to(output::note);
        return output;
    }

    /** Returns a value of an option as a setting, or null if it was not given. */
    static @Nullable Setting option(String name, @Nullable String value) {
        return value == null ? null : new Setting(value, new Position(name));
    }

    /** Returns an agent, with all below it. */
    Agent agent(AgentEntry entry) {
        return crew.agent(entry);
    }

    /** Returns an agent, and all others of the file that can be built. */
    List<Agent> agents(AgentEntry first) {
        List<Agent> agents = new ArrayList<>();
        agents.add(agent(first));
        for (AgentEntry entry : file.agents().values()) {
            if (!entry.equals(first)) {
                try {
                    agents.add(agent(entry));
                } catch (ConfigurationException e) {
                    LOG.debug("agent {} cannot be had: {}", entry.id(), e.getMessage());
                }
            }
        }
        return agents;
    }

    /** Returns the names of an agent's models, the first choice first. */
    List<String> models(AgentEntry entry) {
        return models.names(entry);
    }

    /** Says which models are used where that may surprise; begins a runtime for agents, which owns the store. */
    AgentRuntime runtime(Store store, List<Agent> agents, RunListener... listeners) {
        models.notes().forEach(shell::note);
        AgentRuntime.Builder builder = AgentRuntime.builder()
                .store(store)
                .providers(provider)
                .agents(agents.toArray(Agent[]::new))
                .anyoneMayApprove(); // the user of the command may read and write the store anyway
        tools.secrets().forEach(builder::secret);
        for (RunListener listener : listeners) {
            builder.listener(listener);
        }
        return builder.build();
    }

    private static Crew.Documents documents(Shell shell, AgentsFile file, Variables variables, @Nullable Path docs) {
        if (docs != null) {
            return documents(shell, shell.folder().resolve(docs), new Position("--docs"));
        }
        Setting named = file.docs();
        return named == null
                ? documents(shell, file.folder().resolve("docs"), new Position(file.name()))
                : documents(
                        shell,
                        file.folder().resolve(home(variables.resolve(named).text(), variables)),
                        named.at());
    }

    /** A shell would have done this to an option; in the file nobody else does. */
    private static String home(String path, Variables variables) {
        String home = variables.get("HOME");
        return home != null && (path.equals("~") || path.startsWith("~/")) ? home + path.substring(1) : path;
    }

    private static Crew.Documents documents(Shell shell, Path folder, Position at) {
        Path whole = folder.normalize();
        Path name = whole.startsWith(shell.folder()) ? shell.folder().relativize(whole) : whole.getFileName();
        return new Crew.Documents(whole, name == null ? "" : name.toString().replace('\\', '/'), at);
    }

    @Override
    public void close() {
        crew.close();
    }
}
