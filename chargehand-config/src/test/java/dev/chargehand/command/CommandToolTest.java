package dev.chargehand.command;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.config.AgentsFileReader;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.step.ToolOutcome;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.WatchService;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tools of the file that run a program. */
class CommandToolTest {

    /** Shows each of its arguments in angle brackets. */
    private static final String SHOW = "command: [sh, -c, 'printf \"<%s>\" \"$@\"', sh";

    private final Map<String, String> environment = new HashMap<>(Map.of("PATH", System.getenv("PATH")));

    @TempDir
    Path folder;

    private Tool tool(String keys) {
        String text = "tools:\n  it:\n" + ("description: Does it.\n" + keys.strip()).indent(4)
                + "agents: { boss: { tools: [it] } }\n";
        try {
            Files.writeString(folder.resolve("crew.yaml"), text);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        AgentsFile file = AgentsFileReader.read(folder.resolve("crew.yaml"), "crew.yaml", Set.of());
        return file.commands().get("it").tool(environment::get);
    }

    private RunResult run(Tool tool, Map<String, ?> arguments) {
        Script script = ScriptedModel.script();
        script.on("boss").calls("it", arguments).then().says("Done.");
        try (TestRuntime runtime = TestRuntime.with(script)) {
            return runtime.bind(agent(tool)).generate("Go");
        }
    }

    private static Agent agent(Tool tool) {
        return Agent.builder("boss").model("test/boss").tools(tool).build();
    }

    private String output(String keys, Map<String, ?> arguments) {
        ToolOutcome outcome =
                run(tool("approval: false\n" + keys), arguments).toolResults().getFirst();
        return outcome.output()
                .orElseThrow()
                .at("/output")
                .flatMap(Json::string)
                .orElseThrow();
    }

    private String error(String keys, Map<String, ?> arguments) {
        return run(tool("approval: false\n" + keys), arguments)
                .toolResults()
                .getFirst()
                .error()
                .orElseThrow();
    }

    private static String argument(String name, String more) {
        return "arguments:\n  " + name + ": { description: What it is." + more + " }";
    }

    @Test
    void anArgumentStaysOneWordWhateverIsInIt() {
        String nasty = "a b'; touch owned; \"$(touch owned)\" `touch owned` {text} \n $HOME *";

        assertThat(output(SHOW + ", 'x={text}', end]\n" + argument("text", ""), Map.of("text", nasty)))
                .isEqualTo("<x=" + nasty + "><end>");
        assertThat(folder.resolve("owned")).doesNotExist();
    }

    @Test
    void whatCouldBeAnOptionIsRefusedUnlessTheCommandSaysThatItIsNone() {
        String text = argument("text", "");
        assertThat(error(SHOW + ", '{text}']\n" + text, Map.of("text", "--help")))
                .isEqualTo("'text' must not start with '-': the program would take it for an option.");
        assertThat(output(SHOW + ", --, '{text}']\n" + text, Map.of("text", "--help")))
                .isEqualTo("<--><--help>");
        assertThat(output(SHOW + ", 'q={text}']\n" + text, Map.of("text", "--help")))
                .isEqualTo("<q=--help>");
        assertThat(output(SHOW + ", '{text}']\n" + argument("text", ", values: ['-w', '-l']"), Map.of("text", "-w")))
                .isEqualTo("<-w>");
        assertThat(output(SHOW + ", '{n}']\n" + argument("n", ", type: integer"), Map.of("n", -3)))
                .isEqualTo("<-3>");
    }

    @Test
    void noFillingMakesAWordAnOption() {
        String both = "arguments:\n  a: { description: A. }\n  b: { description: B. }\n";
        String told = "the program would take it for an option.";
        assertThat(error(SHOW + ", '{a}{b}']\n" + both, Map.of("a", "", "b", "--help")))
                .isEqualTo("'b' must not start with '-': " + told);
        assertThat(error(SHOW + ", '{a}-rf{b}']\n" + both, Map.of("a", "", "b", "x")))
                .isEqualTo("'a' must not be empty: the rest of the word starts with '-', and " + told);
        assertThat(error(SHOW + ", '{a}{b}']\n" + both, Map.of("a", "-", "b", "x")))
                .contains("'a' must not start with '-'");
        assertThat(output(SHOW + ", '{a}{b}']\n" + both, Map.of("a", "x", "b", "--help")))
                .isEqualTo("<x--help>");
        assertThat(output(SHOW + ", '{a}{b}']\n" + both, Map.of("a", "", "b", "")))
                .isEqualTo("<>");
        assertThat(output(SHOW + ", --, '{a}{b}']\n" + both, Map.of("a", "", "b", "-x")))
                .isEqualTo("<--><-x>");
    }

    @Test
    void argumentsHaveTypes() {
        Tool tool = tool(SHOW + ", '{text}', '{n}', '{x}', '{yes}']\narguments:\n"
                + "  text: { description: A., values: [one, two], default: one }\n"
                + "  n: { description: B., type: integer }\n  x: { description: C., type: number, default: 0.5 }\n"
                + "  yes: { description: D., type: boolean, default: true }\napproval: false");

        assertThat(tool.input().json().canonical()).isEqualTo(Json.parse("""
                {"type": "object",
                 "properties": {
                   "text": {"type": "string", "description": "A.", "enum": ["one", "two"]},
                   "n": {"type": "integer", "description": "B."},
                   "x": {"type": "number", "description": "C."},
                   "yes": {"type": "boolean", "description": "D."}},
                 "required": ["n"],
                 "additionalProperties": false}
                """).canonical());
        assertThat(run(tool, Map.of("n", 3)).toolResults().getFirst().output())
                .hasValue(Json.parse("{\"output\":\"<one><3><0.5><true>\"}"));
        assertThat(run(tool, Map.of("n", 3, "yes", false, "text", "two"))
                        .toolResults()
                        .getFirst()
                        .output())
                .hasValue(Json.parse("{\"output\":\"<two><3><0.5><false>\"}"));
        assertThat(run(tool, Map.of("n", "three")).toolResults().getFirst().error())
                .isPresent();
        assertThat(run(tool, Map.of("n", 3, "text", "three"))
                        .toolResults()
                        .getFirst()
                        .error())
                .isPresent();
    }

    @Test
    void aZeroCharacterIsRefused() {
        assertThat(error(SHOW + ", '{text}']\n" + argument("text", ""), Map.of("text", "a\0b")))
                .isEqualTo("'text' must not contain a zero character.");
    }

    @Test
    void theProgramGetsNoKeysAndNoInput() {
        environment.put("OPENAI_API_KEY", "sk-never-to-be-seen");
        environment.put("CHARGEHAND_STORE_PASSWORD", "s3cret");
        environment.put("LANG", "C");
        environment.put("WANTED", "yes");

        assertThat(output("command: [env]\nenvironment: [WANTED, UNSET]", Map.of())
                        .lines())
                .contains("LANG=C", "WANTED=yes", "PATH=" + System.getenv("PATH"))
                .noneMatch(
                        line -> line.startsWith("OPENAI") || line.startsWith("CHARGEHAND") || line.startsWith("UNSET"));
        assertThat(output("command: [cat]", Map.of())).isEmpty();
    }

    @Test
    void itRunsInItsFolder() throws IOException {
        assertThat(Path.of(output("command: [pwd, -P]", Map.of()).strip())).isEqualTo(folder.toRealPath());
    }

    @Test
    void outputIsCutAndSaysSo() {
        assertThat(output("command: [sh, -c, 'yes abc | head -c 100000']\nmaxOutput: 8", Map.of()))
                .isEqualTo("abc\nabc\n\n[cut: the first 8 of 100000 bytes]");
        assertThat(output("command: [sh, -c, 'printf abc; printf def >&2']\nmaxOutput: 6", Map.of()))
                .isEqualTo("abcdef");
    }

    @Test
    void aProgramThatFailsOrIsNotThereIsToldToTheModel() {
        assertThat(error("command: [sh, -c, 'echo no such thing; exit 3']", Map.of()))
                .isEqualTo("'sh' ended with exit code 3 and said: no such thing\n");
        assertThat(error("command: [no-such-program-anywhere]", Map.of()))
                .startsWith("The program 'no-such-program-anywhere' could not be started in '");
    }

    @Test
    void everyCallWaitsForApprovalUnlessTheFileSaysOtherwise() {
        assertThat(run(tool("command: [date]"), Map.of()).status()).isEqualTo(RunStatus.SUSPENDED);
        assertThat(run(tool("command: [date]\napproval: false"), Map.of()).status())
                .isEqualTo(RunStatus.COMPLETED);
    }

    @Test
    void aToolThatPollsSaysSo() {
        assertThat(tool("command: [cat]").polling()).isFalse();
        assertThat(tool("command: [cat]\npolling: true").polling()).isTrue();
    }

    @Test
    void aCancelledCallEndsTheProgramAndWhatItStarted() throws Exception {
        Tool tool = tool("approval: false\ncommand: [sh, -c, 'sleep 1000 & echo $! > p; mv p pid; wait']");
        Script script = ScriptedModel.script();
        script.on("boss").calls("it", Map.of()).then().says("Done.");
        try (TestRuntime runtime = TestRuntime.with(script);
                WatchService created = folder.getFileSystem().newWatchService()) {
            folder.register(created, ENTRY_CREATE);
            try (RunStream stream = runtime.bind(agent(tool)).stream("Go")) {
                while (!Files.exists(folder.resolve("pid"))) {
                    created.take().reset();
                }
                stream.cancel();
                assertThat(stream.result().status()).isEqualTo(RunStatus.ABORTED);
            }
        }
        assertEnded(Long.parseLong(Files.readString(folder.resolve("pid")).strip()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sleep 1000 & echo $! > p; mv p pid; wait",
                "setsid sleep 1000 & echo $! > p; mv p pid; wait",
                "(setsid sh -c 'echo $$ > p; mv p pid; exec sleep 1000' > /dev/null 2>&1 &) ; exec sleep 1000",
                "sh -c '(trap \"\" TERM HUP INT; sh -c \"echo \\$\\$ > p; mv p pid; exec sleep 1000\" &)'; exec sleep 1000",
                "nohup sleep 1000 > /dev/null & echo $! > p; mv p pid; exec sleep 1000"
            })
    void whatAProgramStartedDoesNotSurviveItsTimeOut(String script) throws Exception {
        Files.writeString(folder.resolve("start.sh"), script);
        assertThat(error("command: [sh, start.sh]\ntimeout: 2s", Map.of())).contains("took longer than");
        assertEnded(Long.parseLong(Files.readString(folder.resolve("pid")).strip()));
    }

    @Test
    void whatAProgramLeavesInTheBackgroundEndsWithItsCall() throws Exception {
        Files.writeString(folder.resolve("start.sh"), "setsid sleep 1000 & echo $! > pid; echo started");
        assertThat(output("command: [sh, start.sh]", Map.of())).isEqualTo("started\n");
        assertEnded(Long.parseLong(Files.readString(folder.resolve("pid")).strip()));
    }

    /** Waits for it to end, if the system says that it is there. */
    private static void assertEnded(long pid) {
        ProcessHandle.of(pid).ifPresent(process -> process.onExit().join());
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
    }

    @Test
    void aCallThatTakesTooLongFails() {
        assertThat(error("command: [sleep, '1000']\ntimeout: 50ms", Map.of())).contains("took longer than 0.05 s");
    }
}
