package dev.chargehand.cli.setup;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.Wakeups;
import dev.chargehand.cli.output.RunOutput;
import dev.chargehand.cli.shell.OptionHints;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.config.Crew;
import dev.chargehand.config.CrewBuilder;
import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import dev.chargehand.event.RunListener;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.workflow.Workflow;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The crew of a file under the options of a command, with notes for its user. Close it after the last run. */
public final class Workspace implements AutoCloseable {

    private final Shell shell;
    private final Crew crew;
    private final IndexNotes indexing;

    private Workspace(Shell shell, Crew crew, IndexNotes indexing) {
        this.shell = shell;
        this.crew = crew;
        this.indexing = indexing;
    }

    /**
     * Prepare the crew of a file.
     *
     * @param model the model of all agents, or null for those of the file
     * @param docs the folder of the documents, or null for that of the file
     */
    public static Workspace of(Shell shell, AgentsFile file, @Nullable Setting model, @Nullable Path docs) {
        IndexNotes indexing = new IndexNotes(InstantSource.system(), shell::note);
        CrewBuilder builder = Crew.builder(file)
                .environment(shell.environment())
                .workingFolder(shell.folder())
                .onIndexing(indexing);
        if (model != null) {
            builder.model(model);
        }
        if (docs != null) {
            builder.documents(option("--docs", docs.toString()));
        }
        return new Workspace(shell, builder.build(), indexing);
    }

    /** Return a model that was named with an option; null for none. */
    public static @Nullable Setting model(@Nullable String name) {
        return name == null ? null : option("--model", name);
    }

    /** Return a value of an option as a setting. */
    public static Setting option(String name, String value) {
        return new Setting(value, new Position(name));
    }

    /**
     * Build the agent or the workflow of an id; empty if the file has neither.
     *
     * @throws dev.chargehand.error.ConfigurationException if it cannot be built
     */
    public Optional<RunRoot> root(AgentsFile file, String id) {
        return Optional.ofNullable(file.agents().get(id))
                .map(agent -> RunRoot.of(crew.agent(agent)))
                .or(() -> Optional.ofNullable(file.workflows().get(id))
                        .map(workflow -> RunRoot.of(crew.workflow(workflow), crew::setOptions)));
    }

    /**
     * Return the agents that a stored run needs. A background task also needs those above it, whose approval policies are its own:
     * all agents of the file that can be built.
     *
     * @param own the agents of the run itself
     */
    public List<Agent> agents(AgentsFile file, RunRecord run, List<Agent> own) {
        if (run.task().isEmpty() || file.agents().isEmpty()) {
            return own;
        }
        String first = own.isEmpty()
                ? file.agents().keySet().iterator().next()
                : own.getFirst().id();
        return crew.agents(Objects.requireNonNull(file.agents().get(first)));
    }

    /** Return the agents of the file. */
    public Crew crew() {
        return crew;
    }

    /** Connect the progress of indexing with the output of a run, and return the output. */
    public RunOutput showIndexing(RunOutput output) {
        indexing.to(output::note);
        return output;
    }

    /** Create a runtime for agents; see {@link #runtime(Store, List, List, Wakeups, RunListener...)}. */
    public AgentRuntime runtime(Store store, List<Agent> agents, Wakeups wakeups) {
        return runtime(store, agents, List.of(), wakeups);
    }

    /** Create a runtime for runs of one agent or workflow; see {@link #runtime(Store, List, List, Wakeups, RunListener...)}. */
    public AgentRuntime runtime(Store store, RunRoot root, Wakeups wakeups) {
        return runtime(store, root.agents(), root.workflows(), wakeups);
    }

    /**
     * Create a runtime for agents and workflows, which owns the store; report the models if their choice may surprise.
     *
     * @param wakeups which runs it resumes by itself
     */
    public AgentRuntime runtime(
            Store store,
            List<Agent> agents,
            List<Workflow<?, ?>> workflows,
            Wakeups wakeups,
            RunListener... listeners) {
        crew.notes().stream().map(OptionHints::explain).forEach(shell::note);
        AgentRuntimeBuilder builder = crew.runtime(store, agents)
                .workflows(workflows.toArray(Workflow<?, ?>[]::new))
                .wakeups(wakeups)
                .anyoneMayApprove(); // the user of the command may read and write the store anyway
        for (RunListener listener : listeners) {
            builder.addListener(listener);
        }
        return builder.build();
    }

    @Override
    public void close() {
        crew.close();
    }
}
