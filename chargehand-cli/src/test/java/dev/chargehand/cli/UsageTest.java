package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What the command says to those who ask it for help, or need some. */
class UsageTest {

    private static final Pattern WORD = Pattern.compile("\\s+");

    @TempDir
    Path folder;

    private void refuses(String message, String... arguments) {
        Ran ran = Ran.in(folder, arguments);
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).isEqualTo("chargehand: " + message + System.lineSeparator());
    }

    @Test
    void theHelpNamesTheCommandsAndTheExitCodes() {
        Ran ran = Ran.in(folder, "--help");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out())
                .contains(
                        "Usage: chargehand",
                        "run ",
                        "Exit codes:",
                        "130   the run was cancelled",
                        "model: ${MODEL:-offline}",
                        "OPENAI_API_KEY");
    }

    @Test
    void theHelpOfRunNamesItsOptions() {
        Ran ran = Ran.in(folder, "run", "--help");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out())
                .contains("--agent", "--model", "--docs", "--thread", "--resource", "--config", "--plain", "--events");
    }

    @Test
    void theVersionIsOneLine() {
        Ran ran = Ran.in(folder, "--version");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out()).startsWith("chargehand ").hasLineCount(1);
    }

    @Test
    void withoutArgumentsTheHelpIsShown() {
        assertThat(Ran.in(folder)).isEqualTo(Ran.in(folder, "--help"));
        for (String group : new String[] {"threads", "memory", "versions", "workflow", "keys"}) {
            assertThat(Ran.in(folder, group)).isEqualTo(Ran.in(folder, group, "--help"));
        }
    }

    @Test
    void aShellCompletesTheCommandsAndTheirOptions() {
        Ran ran = Ran.in(folder, "completion");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out())
                .contains("complete -F _complete_chargehand", "--older-than")
                .doesNotContain("rehearse");
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 100, 200})
    void noLineOfHelpIsTooLongAndNoWordIsTorn(int columns) {
        CommandLine wide =
                Main.commandLine(Ran.shell(folder)).setUsageHelpAutoWidth(false).setUsageHelpWidth(500);
        CommandLine narrow =
                Main.commandLine(Ran.shell(folder)).setUsageHelpAutoWidth(false).setUsageHelpWidth(columns);
        helpOf(wide, narrow, columns);
    }

    private static void helpOf(CommandLine wide, CommandLine narrow, int columns) {
        String help = narrow.getUsageMessage();
        Set<String> words =
                Set.of(WORD.splitAsStream(wide.getUsageMessage()).distinct().toArray(String[]::new));
        assertThat(WORD.splitAsStream(help).filter(word -> !words.contains(word)))
                .as(help)
                .isEmpty();
        assertThat(help.lines().filter(line -> line.length() > columns))
                .as(help)
                .isEmpty();
        wide.getSubcommands()
                .forEach((name, command) ->
                        helpOf(command, narrow.getSubcommands().get(name), columns));
    }

    @Test
    void anEmptyOrMissingPromptIsSaid() {
        String message =
                "The prompt is empty. Say in quotes what the agent is to do, or pass it to standard input, with -"
                        + " in place of the prompt.";
        refuses(message, "run", " ");
        refuses(message, "run");
        refuses(message, "run", "-");
    }

    @Test
    void aPromptWithoutQuotesIsExplained() {
        refuses(
                "'boats' is one word too many. Put a prompt of several words in quotes. 'chargehand run --help' lists"
                        + " what is available.",
                "run",
                "Why",
                "boats");
    }

    @Test
    void aPromptThatStartsWithADashIsExplained() {
        refuses(
                "unknown option '- sum up the report'. Put -- before a prompt that starts with a dash. 'chargehand run"
                        + " --help' lists what is available.",
                "run",
                "- sum up the report");
    }

    @Test
    void aMisspeltOptionOrCommandIsNamedWithTheRightOne() {
        refuses(
                "unknown option '--modle'. Did you mean '--model'? 'chargehand run --help' lists what is available.",
                "run",
                "Why?",
                "--modle",
                "offline");
        refuses(
                "unknown command 'rum'. There are: init, check, agents, run, chat, workflow, runs, show, approve, decline, provide, resume, cancel, recover, prune, threads, memory, versions, serve, keys, schema, completion. Did you mean 'run'? 'chargehand --help' lists what is available.",
                "rum",
                "Why?");
    }

    @Test
    void aResourceWithoutAThreadIsExplained() {
        refuses(
                "--resource names the owner of a conversation; name the conversation with --thread.",
                "run",
                "Hi",
                "--resource",
                "ann");
    }

    @Test
    void aMissingFileIsExplained() {
        refuses(
                "chargehand.yaml: there is no such file. 'chargehand init' makes one (docs/cli.md), or name another with"
                        + " --config.",
                "run",
                "Hi");
    }
}
