package dev.chargehand.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AskAHumanTest {

    private final List<String> deleted = new ArrayList<>();

    /** Calls the tool once, then says what came of it. */
    private record Deleting() implements Model {

        @Override
        public String name() {
            return "example/deleting";
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            var results = request.messages().getLast().toolResults();
            return results.isEmpty()
                    ? new ModelResponse(
                            "",
                            "",
                            List.of(new ModelResponse.RequestedCall("c1", "deleteCustomer", "{\"id\":\"42\"}")),
                            FinishReason.TOOL_CALLS,
                            Usage.of(10, 5))
                    : ModelResponse.text(results.getFirst().output(), Usage.of(10, 5));
        }
    }

    private Agent supervisor() {
        return Agent.builder("supervisor")
                .model(new Deleting())
                .tools(AskAHuman.deleteCustomer((id, key) -> {
                    deleted.add(id);
                    return "Deleted " + id;
                }))
                .build();
    }

    @Test
    void aRunWaitsInTheFileUntilSomebodyAnswers(@TempDir Path folder) {
        Path file = folder.resolve("app.db");
        PendingApproval approval = AskAHuman.begin(supervisor(), file).getFirst();
        assertThat(approval.arguments().text()).isEqualTo("{\"id\":\"42\"}");
        assertThat(deleted).isEmpty();

        assertThatThrownBy(() -> AskAHuman.answer(supervisor(), file, approval, "eve@elsewhere.com", a -> true))
                .isInstanceOf(ApprovalException.class);
        RunResult done = AskAHuman.answer(supervisor(), file, approval, "ann@example.com", a -> true);

        assertThat(done.text()).isEqualTo("Deleted 42");
        assertThat(deleted).containsExactly("42");
    }

    @Test
    void aRefusalReachesTheModel(@TempDir Path folder) {
        Path file = folder.resolve("app.db");
        PendingApproval approval = AskAHuman.begin(supervisor(), file).getFirst();

        RunResult done = AskAHuman.answer(supervisor(), file, approval, "ann@example.com", a -> false);

        assertThat(done.text()).contains("open invoices");
        assertThat(deleted).isEmpty();
    }

    @Test
    void aToolAsksForWhatItNeeds() {
        Agent agent = Agent.builder("supervisor")
                .model("none/none")
                .tools(AskAHuman.bookSeat())
                .build();
        try (TestRuntime test = TestRuntime.with(ScriptedModel.script()
                .on("supervisor")
                .calls("bookSeat", Map.of("flight", "CH1"))
                .then()
                .says("Done"))) {
            PendingApproval question =
                    test.bind(agent).generate("Book").pendingApprovals().getFirst();
            assertThat(question.payload()).isPresent();
            RunResult done =
                    test.runtime().giveData(question, new AskAHuman.Choice(2)).result();
            assertThat(done.toolResults().getFirst().output().orElseThrow().text())
                    .contains("Booked option 2");
        }
    }
}
