package dev.chargehand.cli.setup;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.cli.output.RunOutput;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.config.AgentEntry;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import dev.chargehand.document.Variables;
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

/**
 * Where the agents of a file work: their models, their documents, and runtimes for them. Close it after the last run.
 */
public final class Workspace implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Workspace.class);

    private final Shell shell;
    private final AgentsFile file;
    private final ModelProvider provider;
    private final ModelSelection models;
    private final OwnTools tools;
    private final Crew crew;
    private final IndexNotes indexing;

    private Workspace(
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
     * Open the workplace of a file.
     *
     * @param model the model of all agents, or null for those of the file
     * @param docs the folder of the documents, or null for that of the file
     */
    public static Workspace of(Shell shell, AgentsFile file, @Nullable String model, @Nullable Path docs) {
        Variables variables = new Variables(shell.environment());
        ModelProvider provider = Providers.of(file, variables, shell.environment());
        ModelSelection models = new ModelSelection(option("--model", model), file, variables, List.of(provider));
        OwnTools tools = new OwnTools(shell, file, variables);
        IndexNotes indexing = new IndexNotes(InstantSource.system(), shell::note);
        Crew crew = new Crew(file, models, documents(shell, file, variables, docs), tools, indexing);
        return new Workspace(shell, file, provider, models, tools, crew, indexing);
    }

    /** Connect the progress of indexing with the output of a run, and return the output. */
    public RunOutput telling(RunOutput output) {
        indexing.to(output::note);
        return output;
    }

    /** Return a value of an option as a setting, or null if it was not given. */
    public static @Nullable Setting option(String name, @Nullable String value) {
        return value == null ? null : new Setting(value, new Position(name));
    }

    /** Return an agent, with its descendants. */
    public Agent agent(AgentEntry entry) {
        return crew.agent(entry);
    }

    /** Return an agent, and all others of the file that can be built. */
    public List<Agent> agents(AgentEntry first) {
        List<Agent> agents = new ArrayList<>();
        agents.add(agent(first));
        for (AgentEntry entry : file.agents().values()) {
            if (!entry.equals(first)) {
                try {
                    agents.add(agent(entry));
                } catch (ConfigurationException e) {
                    LOG.debug("agent {} cannot be made: {}", entry.id(), e.getMessage());
                }
            }
        }
        return agents;
    }

    /** Return the names of an agent's models, the first choice first. */
    public List<String> models(AgentEntry entry) {
        return models.names(entry);
    }

    /** Create a runtime for agents, which owns the store; report the models if their choice may surprise. */
    public AgentRuntime runtime(Store store, List<Agent> agents, RunListener... listeners) {
        models.notes().forEach(shell::note);
        AgentRuntimeBuilder builder = AgentRuntime.builder()
                .store(store)
                .providers(provider)
                .agents(agents.toArray(Agent[]::new))
                .anyoneMayApprove(); // the user of the command may read and write the store anyway
        tools.secrets().forEach(builder::addSecret);
        for (RunListener listener : listeners) {
            builder.addListener(listener);
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

    /** Expand the home folder, which a shell does for options but not for values of the file. */
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
