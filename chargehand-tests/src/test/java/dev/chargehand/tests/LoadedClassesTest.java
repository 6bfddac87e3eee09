package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.testkit.Script;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A process that makes a plain delegated run in memory loads none of what is costly to load and not needed for it. */
class LoadedClassesTest {

    /** Makes the run in the process. */
    public static void main(String[] arguments) {
        Script script = Scripts.of(
                Turns.of("boss", Turn.delegates("worker", "Add 1 and 2."), Turn.says("It is 3.")),
                Turns.of("worker", Turn.calls("calc", "{\"a\":1,\"b\":2}"), Turn.says("3")));
        Agent worker = Crew.member(
                "worker", agent -> agent.model(script.modelFor("worker")).tools(Crew.CALC));
        Agent boss = Crew.member(
                "boss", agent -> agent.model(script.modelFor("boss")).agents(worker));
        try (AgentRuntime runtime = AgentRuntime.builder().agents(boss).build()) {
            System.out.println(
                    runtime.agent("boss").generate("What is 1 and 2?").text());
        }
    }

    @Test
    void aPlainRunNeedsNeitherTheLibrariesForSchemasAndMappingNorStoredForms() throws IOException {
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-Xlog:class+load",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        LoadedClassesTest.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.onExit().join().exitValue()).as(log).isZero();
        assertThat(log)
                .contains("It is 3.", "dev.chargehand.internal.engine.Engine source:")
                .doesNotContain(" com.networknt.schema.")
                .doesNotContain(" com.github.victools.")
                .doesNotContain(" tools.jackson.databind.json.JsonMapper ")
                .doesNotContain(" dev.chargehand.internal.journal.stored.StoredStarted ")
                .doesNotContain(" dev.chargehand.event.WorkflowEvent$WorkflowStepStart ");
    }
}
