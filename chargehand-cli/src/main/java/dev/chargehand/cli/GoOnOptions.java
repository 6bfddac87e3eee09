package dev.chargehand.cli;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.approval.Approver;
import dev.chargehand.cli.config.AgentEntry;
import dev.chargehand.cli.config.AgentsFile;
import dev.chargehand.cli.config.Names;
import dev.chargehand.cli.output.Summary;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a stored run goes on: the options of every command that takes one up. */
final class GoOnOptions {

    @Mixin
    private StoreOptions stores = new StoreOptions();

    @Option(names = "--as", paramLabel = "WHO", description = "In whose name to answer. Default: your user name.")
    private @Nullable String as;

    @Option(
            names = "--model",
            paramLabel = "NAME",
            description = "The model of all agents from here on: provider/name, or offline.")
    private @Nullable String model;

    @Option(names = "--docs", paramLabel = "DIR", description = "The folder that the tool search-files searches.")
    private @Nullable Path docs;

    @Mixin
    private WatchOptions watching = new WatchOptions();

    /** A stored run with what it needs to go on. */
    record Taken(RunRecord run, AgentRuntime runtime, Foreground foreground, Hints hints) {}

    /** Does something with a run. */
    @FunctionalInterface
    interface Action {

        /** Returns the exit code. */
        int with(Taken taken);
    }

    /** Finds a run, gets its agent ready, and does something with it. */
    int take(Shell shell, String id, Action action) {
        stores.begin();
        try (Store store = stores.open(shell)) {
            RunRecord run = stores.find(store, id);
            AgentsFile file = stores.file(shell);
            AgentEntry entry = file.agents().get(run.agentId());
            if (entry == null) {
                throw new ConfigurationException("Run " + run.runId() + " is one of agent '" + run.agentId()
                        + "', which "
                        + file.name() + " does not have."
                        + Names.allowed(
                                "There are", run.agentId(), file.agents().keySet())
                        + " Name the file that has it with --config.");
            }
            try (Workplace workplace = Workplace.of(shell, file, model, docs)) {
                Agent agent = workplace.agent(entry);
                try (AgentRuntime runtime = workplace.runtime(store, List.of(agent))) {
                    Foreground foreground = new Foreground(
                            shell,
                            runtime,
                            workplace.telling(watching.output(shell, agent, Summary.OF_RUN)),
                            dialogue(shell),
                            stores.hints());
                    return action.with(new Taken(run, runtime, foreground, stores.hints()));
                }
            }
        }
    }

    /** Returns in whose name is answered. */
    Approver approver(Shell shell) {
        return Answerer.named(shell, as);
    }

    /** Returns who asks the user, or null if nobody is to be asked. */
    @Nullable
    ApprovalDialogue dialogue(Shell shell) {
        return watching.dialogue(shell, as);
    }
}
