package dev.chargehand.cli.runs;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunOptions;
import dev.chargehand.TenantRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.cli.output.RunOutput;
import dev.chargehand.cli.output.Summary;
import dev.chargehand.cli.setup.NewThread;
import dev.chargehand.cli.setup.RunRoot;
import dev.chargehand.cli.setup.SearchTally;
import dev.chargehand.cli.setup.Workspace;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.GivenPrompt;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.config.AgentEntry;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.store.Store;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code chargehand run}: runs an agent of the file on a prompt. */
@Command(
        name = "run",
        description = "Run an agent on a prompt and print its answer.",
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
            "  git diff | chargehand run -",
            "  chargehand run \"What is a step?\" --events | jq -r .type"
        })
public final class RunCommand implements Callable<Integer> {

    private final Shell shell;

    @Parameters(
            arity = "0..1",
            paramLabel = "PROMPT",
            description = "The task, in quotes; - for standard input, which is also read when PROMPT is left out"
                    + " behind a pipe.")
    private @Nullable String prompt;

    @Mixin
    private StartOptions start = new StartOptions();

    public RunCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        start.begin();
        String task = GivenPrompt.of(shell, prompt);
        requireSense();
        AgentsFile file = start.file(shell);
        AgentEntry entry = start.entry(file);
        try (Workspace workplace = start.workplace(shell, file)) {
            Agent built = workplace.crew().agent(entry);
            boolean required =
                    start.thread().isPresent() || file.mayWait(entry) || entry.startsTasks() || start.selectsVersions();
            List<Agent> agents = start.selectsVersions() ? workplace.crew().agents(entry) : List.of(built);
            try (AgentRuntime runtime = workplace.runtime(start.open(shell, file, required), agents, Wakeups.own())) {
                TenantRuntime mine = start.tenant().of(runtime);
                start.requireVersions(file, mine);
                WatchOptions watching = start.watching();
                RunOutput output = workplace.showIndexing(watching.output(shell, RunRoot.of(built), Summary.OF_RUN));
                Agent agentHere = mine.agent(entry.id());
                SearchTally searches = new SearchTally();
                Consumer<RunOptions.Builder> options = this::set;
                Consumer<RunOptions.Builder> counting = options.andThen(builder -> builder.addListener(searches));
                int code;
                if (entry.startsTasks()) {
                    code = new UntilIdleRun(shell, mine, runtime::close, output, start.hints())
                            .run(agentHere, task, counting.andThen(builder -> requireThread(runtime.store(), builder)));
                } else {
                    code = new ForegroundRun(
                                    shell,
                                    mine,
                                    runtime::close,
                                    output,
                                    shell.user().isBlank() ? null : watching.dialogue(shell, null),
                                    start.hints())
                            .run(showing -> agentHere.start(task, showing.andThen(counting)));
                }
                return code == ExitCode.COMPLETED ? searches.code(shell::note) : code;
            }
        }
    }

    private void requireSense() {
        if (start.resource().isPresent() && start.thread().isEmpty()) {
            throw new ConfigurationException(
                    "--resource names the owner of a conversation; name the conversation with --thread.");
        }
    }

    /** Set a new conversation if none is named: the results of background tasks are messages in one. */
    private void requireThread(Store store, RunOptions.Builder options) {
        if (start.thread().isEmpty()) {
            options.thread(NewThread.in(start.tenant().of(store)));
        }
    }

    private void set(RunOptions.Builder options) {
        start.thread().ifPresent(options::thread);
        start.requester(shell, options);
        start.selectVersions(options);
    }
}
