package dev.chargehand.examples;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Runs the examples with scripted models: an agent is tested without a model. */
class ExamplesTest {

    private final Tool searchWeb = Tool.of(
            "searchWeb", "Searches the web.", FirstSupervisor.Search.class, (in, context) -> "Schools use AI [1]");
    private final Agent supervisor = FirstSupervisor.supervisor(searchWeb);

    @Test
    void theSupervisorDelegatesToBothAndAnswers() {
        try (TestRuntime test = TestRuntime.with(ScriptedModel.script()
                .on("supervisor")
                .delegates("research-agent", "Find facts")
                .then()
                .delegates("writing-agent", "Write it up")
                .then()
                .says("An article [1]")
                .on("research-agent")
                .calls("searchWeb", Map.of("query", "AI in education"))
                .then()
                .says("Schools use AI [1]")
                .on("writing-agent")
                .says("An article [1]"))) {
            RunResult result = test.bind(supervisor).generate("Go");
            assertThat(result).finished().hasText("An article [1]").delegatedTo("research-agent", "Find facts");
        }
    }

    @Test
    void aWatchedRunShowsItsDelegations() {
        try (TestRuntime test = TestRuntime.with(ScriptedModel.script()
                .on("supervisor")
                .delegates("research-agent", "Find facts")
                .then()
                .says("Done")
                .on("research-agent")
                .says("Fact A"))) {
            ByteArrayOutputStream shown = new ByteArrayOutputStream();
            WatchingARun.watch(test.bind(supervisor), new PrintStream(shown, true, StandardCharsets.UTF_8));
            org.assertj.core.api.Assertions.assertThat(shown.toString(StandardCharsets.UTF_8))
                    .contains("supervisor asks research-agent: Find facts")
                    .contains("Fact A")
                    .endsWith("Done");
        }
    }
}
