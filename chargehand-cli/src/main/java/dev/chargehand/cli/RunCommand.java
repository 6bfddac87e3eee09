package dev.chargehand.cli;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunOptions;
import dev.chargehand.cli.config.AgentEntry;
import dev.chargehand.cli.config.AgentsFile;
import dev.chargehand.cli.config.AgentsFileReader;
import dev.chargehand.cli.config.Position;
import dev.chargehand.cli.config.Variables;
import dev.chargehand.error.ConfigurationException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code chargehand run}: runs an agent of the file on a prompt. */
@Command(
        name = "run",
        description = "Runs an agent on a prompt and prints its answer.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Progress goes to standard error, the answer to standard output.",
            "",
            "Examples:",
            "  chargehand run \"How does a supervisor hand work to a sub-agent?\"",
            "  chargehand run \"And the other way round?\" --thread t1 --resource ann",
            "  chargehand run \"Summarise the decisions\" --docs docs/adr --model openai/gpt-5-mini",
            "  chargehand run \"What is a step?\" --events | jq -r .type"
        })
final class RunCommand implements Callable<Integer> {

    private final Shell shell;

    @Parameters(paramLabel = "PROMPT", description = "What the agent is to do; in quotes.")
    private String prompt = "";

    @Option(names = "--agent", paramLabel = "ID", description = "The agent to run. Default: the file's 'default'.")
    private @Nullable String agent;

    @Option(
            names = "--model",
            paramLabel = "NAME",
            description = "The model of all agents: provider/name such as openai/gpt-5-mini, or offline.")
    private @Nullable String model;

    @Option(names = "--docs", paramLabel = "DIR", description = "The folder that the tool search-files searches.")
    private @Nullable Path docs;

    @Option(
            names = "--thread",
            paramLabel = "ID",
            description =
                    "The conversation to begin or go on with. It is kept in .chargehand/ unless a store is named.")
    private @Nullable String thread;

    @Option(names = "--resource", paramLabel = "ID", description = "Whom the conversation belongs to.")
    private @Nullable String resource;

    @Option(
            names = "--store",
            paramLabel = "FILE|URL",
            description = {
                "What keeps runs and conversations: a SQLite file, or a database such as"
                        + " jdbc:postgresql://localhost/runs, with CHARGEHAND_STORE_USER and CHARGEHAND_STORE_PASSWORD."
                        + " Default: nothing, or see --thread."
            })
    private @Nullable String store;

    @Option(names = "--config", paramLabel = "FILE", description = "The agents. Default: chargehand.yaml.")
    private @Nullable Path config;

    @Mixin
    private WatchOptions watching = new WatchOptions();

    @Option(names = "--verbose", description = "Log more to standard error.")
    private boolean verbose;

    RunCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        Logging.configure(verbose);
        requireSense();
        AgentsFile file = readFile();
        AgentEntry entry = file.agent(Workplace.option("--agent", agent));
        Variables variables = new Variables(shell.environment());
        try (Workplace workplace = Workplace.of(shell, file, model, docs)) {
            Agent built = workplace.agent(entry);
            boolean lasting = thread != null || file.mayWait(entry);
            try (AgentRuntime runtime =
                    workplace.runtime(Stores.open(store(file, variables), lasting, file), List.of(built))) {
                Foreground foreground = new Foreground(
                        shell,
                        runtime,
                        workplace.telling(watching.output(shell, built)),
                        dialogue(),
                        Hints.with(store, config));
                Agent agentHere = runtime.agent(entry.id());
                return foreground.run(() -> agentHere.stream(prompt, this::set));
            }
        }
    }

    private @Nullable ApprovalDialogue dialogue() {
        return shell.user().isBlank() ? null : watching.dialogue(shell, null);
    }

    private void requireSense() {
        if (prompt.isBlank()) {
            throw new ConfigurationException("The prompt is empty. Say in quotes what the agent is to do.");
        }
        if (resource != null && thread == null) {
            throw new ConfigurationException("--resource says whom a conversation belongs to; name it with --thread.");
        }
    }

    private AgentsFile readFile() {
        Path path = config == null ? Path.of(AgentsFileReader.NAME) : config;
        return AgentsFileReader.read(shell.folder().resolve(path), path.toString(), Crew.TOOLS);
    }

    private @Nullable StorePlace store(AgentsFile file, Variables variables) {
        if (store != null) {
            return StorePlace.of(store, new Position("--store"), shell.folder(), variables);
        }
        return Stores.named(file, variables);
    }

    private void set(RunOptions.Builder options) {
        if (thread != null) {
            options.thread(thread);
        }
        if (resource != null) {
            options.resource(resource);
        } else if (!shell.user().isBlank()) {
            options.requester(shell.user());
        }
    }
}
