package dev.chargehand.cli;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunOptions;
import dev.chargehand.cli.config.AgentEntry;
import dev.chargehand.cli.config.AgentsFile;
import dev.chargehand.cli.config.AgentsFileReader;
import dev.chargehand.cli.config.Position;
import dev.chargehand.cli.config.Setting;
import dev.chargehand.cli.config.Variables;
import dev.chargehand.cli.output.EventOutput;
import dev.chargehand.cli.output.PlainOutput;
import dev.chargehand.cli.output.RunOutput;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.models.OpenAiCompatibleProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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

    @Option(names = "--plain", description = "Progress as plain lines; for now it always is.")
    @SuppressWarnings("unused") // accepted already, so that scripts need no change when a terminal gets more
    private boolean plain;

    @Option(
            names = "--events",
            description = "Print every event as a line of JSON, and nothing else, to standard output.")
    private boolean events;

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
        AgentEntry entry = file.agent(option("--agent", agent));
        Variables variables = new Variables(shell.environment());
        ModelProvider provider = OpenAiCompatibleProvider.builder()
                .environment(shell.environment())
                .build();
        ModelSelection models = new ModelSelection(option("--model", model), file, variables, List.of(provider));
        try (Crew crew = new Crew(file, models, documents(file, variables))) {
            Agent built = crew.agent(entry);
            models.notes().forEach(shell::note);
            try (AgentRuntime runtime = AgentRuntime.builder()
                    .store(Stores.open(store(file, variables), thread != null, file))
                    .providers(provider)
                    .agents(built)
                    .build()) {
                return new WatchedRun(shell.signals(), output(built)).of(runtime.agent(entry.id()), prompt, this::set);
            }
        }
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

    private static @Nullable Setting option(String name, @Nullable String value) {
        return value == null ? null : new Setting(value, new Position(name));
    }

    private @Nullable StorePlace store(AgentsFile file, Variables variables) {
        if (store != null) {
            return StorePlace.of(store, new Position("--store"), shell.folder(), variables);
        }
        Setting named = file.store();
        return named == null
                ? null
                : StorePlace.of(variables.resolve(named).text(), named.at(), file.folder(), variables);
    }

    private Crew.Documents documents(AgentsFile file, Variables variables) {
        if (docs != null) {
            return documents(shell.folder().resolve(docs), new Position("--docs"));
        }
        Setting named = file.docs();
        return named == null
                ? documents(file.folder().resolve("docs"), new Position(file.name()))
                : documents(file.folder().resolve(variables.resolve(named).text()), named.at());
    }

    private Crew.Documents documents(Path folder, Position at) {
        Path whole = folder.normalize();
        Path name = whole.startsWith(shell.folder()) ? shell.folder().relativize(whole) : whole.getFileName();
        return new Crew.Documents(whole, name == null ? "" : name.toString().replace('\\', '/'), at);
    }

    private RunOutput output(Agent built) {
        return events
                ? new EventOutput(shell.out(), shell.err())
                : new PlainOutput(shell.out(), shell.err(), widest(built));
    }

    /** How long the longest path of an agent is; the agents below each other have no cycles. */
    private static int widest(Agent agent) {
        int below = agent.agents().values().stream()
                .mapToInt(RunCommand::widest)
                .max()
                .orElse(-1);
        return agent.id().length() + 1 + below;
    }

    private void set(RunOptions.Builder options) {
        if (thread != null) {
            options.thread(thread);
        }
        if (resource != null) {
            options.resource(resource);
        }
    }
}
