package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.cli.runs.ApprovalDialogue;
import dev.chargehand.json.Json;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The question at a terminal, and what counts as an answer to it. */
class ApprovalDialogueTest {

    private static final Approver ANN = Approver.of("ann");
    private static final Instant NOW = Instant.parse("2026-05-04T12:00:00Z");

    private static PendingApproval call(PendingApproval.Kind kind, Json arguments) {
        return PendingApproval.builder(kind, new RunId("run_1"), "call_1", "pay", arguments)
                .rootRunId(new RunId("run_1"))
                .path(AgentPath.root("boss"))
                .digest("0".repeat(64))
                .payload(Json.of(Map.of("question", "How much?\u202e")))
                .dataSchema(Json.of(Map.of("type", "integer")))
                .askedAt(NOW)
                .expiresAt(NOW.plusSeconds(60))
                .build();
    }

    private static Optional<ApprovalAnswer> ask(Typist typist, PendingApproval.Kind kind) {
        return ask(typist, call(kind, Json.parse("{\"to\":\"bob\"}")));
    }

    private static Optional<ApprovalAnswer> ask(Typist typist, PendingApproval call) {
        return new ApprovalDialogue(typist.terminal(), ANN, InstantSource.fixed(NOW)).ask(call);
    }

    @Test
    void yesApproves() {
        Typist typist = new Typist("y");

        assertThat(ask(typist, PendingApproval.Kind.APPROVAL)).contains(ApprovalAnswer.approve(ANN));
        assertThat(typist.screen())
                .contains("  │   \"to\": \"bob\"")
                .endsWith("Execute it? y: yes, n: no, l: leave it waiting > y\n");
    }

    @Test
    void noAsksForTheReason() {
        assertThat(ask(new Typist("No", " too much "), PendingApproval.Kind.APPROVAL))
                .contains(ApprovalAnswer.decline(ANN, "too much"));
        assertThat(ask(new Typist("n", ""), PendingApproval.Kind.APPROVAL))
                .contains(ApprovalAnswer.decline(ANN, "No reason was given."));
        assertThat(ask(new Typist("n"), PendingApproval.Kind.APPROVAL)).isEmpty();
    }

    @Test
    void nothingElseIsAYes() {
        for (String typed : new String[] {"", " ", "yy", "ye", "1", "ok", "\u200by", "Y\u0000", "y n"}) {
            Typist typist = new Typist(typed);
            assertThat(ask(typist, PendingApproval.Kind.APPROVAL)).as(typed).isEmpty();
            assertThat(typist.screen()).contains("Type one of the letters, and Enter.");
        }
    }

    @Test
    void whoLeavesOrWaitsHasNotAnswered() {
        assertThat(ask(new Typist("l"), PendingApproval.Kind.APPROVAL)).isEmpty();
        assertThat(ask(new Typist(), PendingApproval.Kind.APPROVAL)).isEmpty();
    }

    @Test
    void whatWasTypedBeforeTheQuestionIsNoAnswer() {
        assertThat(ask(new Typist("l").eagerly("y").eagerly("y"), PendingApproval.Kind.APPROVAL))
                .isEmpty();
    }

    @Test
    void whatWasNotShownIsNotApproved() {
        PendingApproval call = call(
                PendingApproval.Kind.APPROVAL,
                Json.of(Map.of("to", "x".repeat(50_000) + "secret" + "x".repeat(50_000))));
        Typist hasty = new Typist("y", "l");
        Typist careful = new Typist("y", "v", "y");

        assertThat(ask(hasty, call)).isEmpty();
        assertThat(hasty.screen()).contains("v: view all of it > y\nNot all of it was shown: v shows all.");
        assertThat(hasty.screen().replaceAll("\\s+┆ ", "")).doesNotContain("secret");
        assertThat(ask(careful, call)).contains(ApprovalAnswer.approve(ANN));
        assertThat(careful.screen().replaceAll("\\s+┆ ", "")).contains("xsecretx");
    }

    @Test
    void dataIsAskedAsJson() {
        Typist typist = new Typist("y", "d", "seven", "d", "7");

        assertThat(ask(typist, PendingApproval.Kind.DATA)).contains(ApprovalAnswer.data(ANN, 7));
        assertThat(typist.screen())
                .contains("  │   \"question\": \"How much?\\u202e\"")
                .contains("  │   \"type\": \"integer\"")
                .contains("It asks for data: d gives them.", "Not valid JSON");
        assertThat(ask(new Typist("d", "l"), PendingApproval.Kind.APPROVAL)).isEmpty();
    }

    @Test
    void anInterruptedCallMayBeExecutedAgainOrGivenItsResult() {
        assertThat(ask(new Typist("y"), PendingApproval.Kind.INTERRUPTED)).contains(ApprovalAnswer.approve(ANN));
        assertThat(ask(new Typist("d", "\"paid\""), PendingApproval.Kind.INTERRUPTED))
                .contains(ApprovalAnswer.data(ANN, "paid"));
    }
}
