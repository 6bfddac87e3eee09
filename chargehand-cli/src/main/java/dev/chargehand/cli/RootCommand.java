package dev.chargehand.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code chargehand}: knows the commands, and what all of them have in common. */
@Command(
        name = "chargehand",
        description = "Run agents that delegate work to sub-agents and tools.",
        versionProvider = RootCommand.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "  0:the run ended with an answer",
            "  1:the run failed",
            "  2:the command line or the configuration is wrong, or what it asks for cannot be done",
            "  3:the run ended without a complete answer: a limit, a budget, its steps, a cut answer",
            "  4:the run waits for an answer and resumes when it is answered",
            "  5:the run ended with an answer, but its searches of the documents found nothing",
            " 69:there is no JDK 21 or newer",
            "130:the run was cancelled",
            "143:the command was asked to terminate; a stored run can be continued"
        },
        footerHeading = "%nEnvironment:%n",
        footer = {
            // No line is wider than 60 characters: picocli indents no second line here.
            "  MODEL            for model: ${MODEL:-offline} in the file",
            "  OPENAI_API_KEY   makes openai/gpt-5-mini the default;",
            "                   likewise the keys of Anthropic, Gemini,",
            "                   OpenRouter, Mistral, DeepSeek, Groq, xAI",
            "  OPENAI_BASE_URL  another address; of others likewise",
            "",
            "Agents are defined in chargehand.yaml; 'chargehand init' makes a first one."
        })
final class RootCommand implements Runnable {

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help and exit.")
    @SuppressWarnings("unused") // picocli acts on it
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version and exit.")
    @SuppressWarnings("unused") // picocli acts on it
    private boolean version;

    @Override
    public void run() {
        CommandSpec own = spec;
        if (own != null) {
            own.commandLine().usage(own.commandLine().getOut());
        }
    }

    /** Reads the version from the jar. */
    static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() {
            String version = RootCommand.class.getPackage().getImplementationVersion();
            return new String[] {
                "chargehand " + (version == null ? "(not packaged)" : version) + " on Java "
                        + Runtime.version().feature()
            };
        }
    }
}
