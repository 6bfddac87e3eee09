package org.example.newsroom;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunResult;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ToolDefinition;
import dev.chargehand.run.RunStatus;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who is asked what, and who may use which tool. */
class DelegationTest {

    private final List<String> searched = new ArrayList<>();
    private final Script script = Scripts.article();

    private RunResult run() {
        try (TestRuntime test = TestRuntime.with(script)) {
            return test.bind(Newsroom.editor(
                            words -> {
                                searched.add(words);
                                return List.of("1610: first tea in Amsterdam");
                            },
                            (text, key) -> {}))
                    .generate("An article about tea");
        }
    }

    @Test
    void theEditorDelegatesResearchAndWriting() {
        assertThat(run())
                .hasStatus(RunStatus.SUSPENDED)
                .delegatedTo("researcher", "When did tea reach Europe?")
                .delegatedTo("writer", "Write one sentence: " + Scripts.FACT);
        assertThat(searched).containsExactly("tea");
    }

    @Test
    void theResearchersModelReceivesWhatTheArchiveReturns() {
        run();
        ModelRequest afterSearch = script.requestsOf("researcher").getLast();
        assertThat(afterSearch.messages().getLast().toolResults().getFirst().output())
                .contains("first tea in Amsterdam");
    }

    @Test
    void onlyTheEditorMayPublish() {
        run();
        assertThat(toolsOf("editor")).containsExactlyInAnyOrder("agent-researcher", "agent-writer", "publish");
        assertThat(toolsOf("researcher")).containsExactly("search-archive");
        assertThat(toolsOf("writer")).isEmpty();
    }

    private List<String> toolsOf(String agent) {
        return script.requestsOf(agent).getFirst().tools().stream()
                .map(ToolDefinition::name)
                .toList();
    }
}
