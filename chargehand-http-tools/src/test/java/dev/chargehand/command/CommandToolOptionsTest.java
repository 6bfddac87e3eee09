package dev.chargehand.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.step.ToolOutcome;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tools that run programs and that a program describes, without a file of agents. */
class CommandToolOptionsTest {

    @TempDir
    Path folder;

    private static CommandTool.Builder show() {
        return CommandTool.builder("show", "Shows its arguments.")
                .command("sh", "-c", "printf '<%s>' \"$@\"", "sh", "{text}");
    }

    private static ToolOutcome call(Tool tool, Map<String, ?> arguments) {
        Script script = ScriptedModel.script();
        script.on("clerk").calls(tool.name(), arguments).then().says("Done.");
        try (TestRuntime runtime = TestRuntime.with(script)) {
            return runtime.bind(Agent.builder("clerk")
                            .model("test/clerk")
                            .tools(tool)
                            .build())
                    .generate("Go")
                    .toolResults()
                    .getFirst();
        }
    }

    private static String output(Tool tool, Map<String, ?> arguments) {
        return call(tool, arguments)
                .output()
                .orElseThrow()
                .at("/output")
                .flatMap(Json::string)
                .orElseThrow();
    }

    private static void assertRejected(CommandTool.Builder builder, String... messages) {
        assertThatThrownBy(builder::build).isInstanceOfSatisfying(ConfigurationException.class, e -> assertThat(
                        String.valueOf(e.getMessage()).lines())
                .containsExactlyInAnyOrder(messages));
    }

    @Test
    void anArgumentIsOneWordOfTheCommand() {
        Tool tool =
                show().addArgument("text", "A text.").approval(false).build().tool();

        assertThat(output(tool, Map.of("text", "a b; $(c)"))).isEqualTo("<a b; $(c)>");
    }

    @Test
    void argumentsHaveTypesValuesAndDefaults() {
        Tool tool = CommandTool.builder("show", "Shows its arguments.")
                .command("sh", "-c", "printf '<%s>' \"$@\"", "sh", "{mode}", "{count}", "{share}", "{all}")
                .addArgument(
                        "mode", "The mode.", mode -> mode.values("fast", "slow").defaultValue("slow"))
                .addArgument("count", "How many.", count -> count.type(ArgumentType.INTEGER))
                .addArgument("share", "Which part.", share -> share.type(ArgumentType.NUMBER)
                        .defaultValue("0.5"))
                .addArgument("all", "Whether all.", all -> all.type(ArgumentType.BOOLEAN)
                        .defaultValue("true"))
                .approval(false)
                .build()
                .tool();

        assertThat(output(tool, Map.of("count", 3))).isEqualTo("<slow><3><0.5><true>");
        assertThat(call(tool, Map.of("count", 3, "mode", "other")).error()).isPresent();
        assertThat(call(tool, Map.of("count", "many")).error()).isPresent();
        assertThat(call(tool, Map.of()).error()).isPresent();
    }

    @Test
    void theProgramRunsInItsFolderWithTheVariablesThatAreNamed() throws Exception {
        CommandTool.Builder builder = CommandTool.builder("where", "Shows where it is.")
                .command("sh", "-c", "printf '%s %s %s' \"$PWD\" \"$NAMED\" \"$SECRET\"")
                .approval(false)
                .environment("NAMED");
        Map<String, String> environment = Map.of("PATH", System.getenv("PATH"), "NAMED", "n", "SECRET", "s");

        assertThat(output(builder.folder(folder).build().tool(environment::get), Map.of()))
                .isEqualTo(folder.toRealPath() + " n ");
        assertThat(output(builder.folder(Path.of("")).build().tool(environment::get), Map.of()))
                .isEqualTo(Path.of("").toRealPath() + " n ");
    }

    @Test
    void withoutOptionsACallWaitsForApprovalAndIsNotRepeated() {
        Tool usual = show().addArgument("text", "A text.").build().tool();
        Tool changed = show().addArgument("text", "A text.")
                .approval(false)
                .repeatable(true)
                .polling(true)
                .timeout(Duration.ofSeconds(5))
                .maxOutput(3)
                .build()
                .tool();

        assertThat(usual.approval()).isPresent();
        assertThat(usual.repeatable()).isFalse();
        assertThat(usual.polling()).isFalse();
        assertThat(usual.timeout()).contains(Duration.ofSeconds(30));
        assertThat(changed.approval()).isEmpty();
        assertThat(changed.repeatable()).isTrue();
        assertThat(changed.polling()).isTrue();
        assertThat(changed.timeout()).contains(Duration.ofSeconds(5));
        assertThat(output(changed, Map.of("text", "abc"))).startsWith("<ab\n[cut: the first 3 of 5 bytes]");
    }

    @Test
    void everythingThatIsWrongIsReportedAtOnce() {
        Path missing = folder.resolve("none");

        assertRejected(
                CommandTool.builder("no name", " ")
                        .command("wc", "{fil}")
                        .addArgument("file", "")
                        .addArgument("1st", "First.")
                        .addArgument("n", "A number.", n -> n.type(ArgumentType.INTEGER)
                                .values("1"))
                        .addArgument(
                                "mode", "The mode.", mode -> mode.values("fast").defaultValue("fst"))
                        .folder(missing)
                        .timeout(Duration.ofSeconds(-1))
                        .maxOutput(-1),
                "tool 'no name' has a name that cannot be used. Allowed are 1 to 64 letters, digits, '_' and '-', and"
                        + " not starting with 'agent-'.",
                "tool 'no name' needs 'description': the model decides by it when to call the tool.",
                "'{fil}' in 'command' of tool 'no name' is not one of its arguments. There are: file, 1st, n, mode. Did you"
                        + " mean 'file'?",
                "argument 'file' of tool 'no name' stands nowhere in its command. Put '{file}' where it belongs, or"
                        + " leave it out.",
                "argument 'file' of tool 'no name' needs 'description': the model has to know what it is.",
                "argument '1st' of tool 'no name' has a name that cannot be used. Allowed are letters, digits and '_', a"
                        + " letter first.",
                "'values' of argument 'n' of tool 'no name' are texts; leave 'type' out.",
                "'default' of argument 'mode' of tool 'no name' is not what the argument may be, but 'fst'. Allowed:"
                        + " fast. Did you mean 'fast'?",
                "there is no folder '" + missing + "', in which the tool 'no name' is to run. Create it, or set another"
                        + " 'folder'.",
                "'timeout' of tool 'no name' must be above zero, but is PT-1S.",
                "'maxOutput' of tool 'no name' must be a whole number from 1 to 2147483647, but is -1.");
        assertRejected(
                CommandTool.builder("none", "Does nothing."),
                "tool 'none' needs 'command', a program and its arguments, such as wc, -w, {file}.");
        assertRejected(
                CommandTool.builder("any", "Runs anything.")
                        .command("{program}")
                        .addArgument("program", "Which one."),
                "'command' of tool 'any' must start with a program, which no argument can choose.");
    }

    @Test
    void anArgumentIsAddedOnce() {
        CommandTool.Builder builder = show().addArgument("text", "A text.");

        assertThatThrownBy(() -> builder.addArgument("text", "Another."))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("tool 'show': argument 'text' is added twice; names must be unique.");
    }
}
