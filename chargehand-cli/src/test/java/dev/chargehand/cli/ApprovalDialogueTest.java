package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.cli.approval.ApprovalDialogue;
import dev.chargehand.json.Json;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The question at a terminal, and what counts as an answer to it. */
class ApprovalDialogueTest {

    private static final Approver ANN = Approver.of("ann");
    private static final Instant NOW = Instant.parse("2026-05-04T12:00:00Z");

    private static PendingApproval call(PendingApproval.Kind kind, Json arguments) {
        return call(kind, "run_1", "boss", "pay", arguments);
    }

    private static PendingApproval call(PendingApproval.Kind kind, String run, String path, String tool) {
        return call(kind, run, path, tool, Json.parse("{}"));
    }

    private static PendingApproval call(
            PendingApproval.Kind kind, String run, String path, String tool, Json arguments) {
        return PendingApproval.builder(kind, new RunId(run), "call_1", tool, arguments)
                .rootRunId(new RunId(run))
                .path(AgentPath.parse(path))
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
        return new ApprovalDialogue(typist.terminal(), ANN, InstantSource.fixed(NOW)).ask(call, () -> false);
    }

    @Test
    void yesApproves() {
        Typist typist = new Typist("y");

        assertThat(ask(typist, PendingApproval.Kind.APPROVAL)).contains(ApprovalAnswer.approve(ANN));
        assertThat(typist.screen())
                .contains("  │   \"to\": \"bob\"")
                .endsWith("Execute it? y: yes, a: yes to all of this tool in this run, n: no, l: leave it waiting,"
                        + " v: view details > y\n");
    }

    @Test
    void furtherCallsOfTheToolInTheRunAreApprovedWithoutAQuestionAndRecordedAsSuch() {
        Typist typist = new Typist("a", "l", "l", "l");
        ApprovalDialogue dialogue = new ApprovalDialogue(typist.terminal(), ANN, InstantSource.fixed(NOW));
        PendingApproval first = call(PendingApproval.Kind.APPROVAL, Json.parse("{\"to\":\"bob\"}"));

        assertThat(dialogue.ask(first, () -> false))
                .contains(ApprovalAnswer.approve(ANN, "Given for all calls of this tool by this agent in this run."));
        assertThat(dialogue.ask(call(PendingApproval.Kind.APPROVAL, Json.parse("{\"to\":\"eve\"}")), () -> false))
                .contains(ApprovalAnswer.approve(
                        ANN,
                        "Not shown before: covered by the approval of call_1 for all calls of this tool in this run."));
        assertThat(typist.screen()).endsWith("approved like all calls of pay in this run: {\"to\":\"eve\"}\n");

        assertThat(dialogue.ask(call(PendingApproval.Kind.APPROVAL, "run_2", "boss", "pay"), () -> false))
                .as("another run")
                .isEmpty();
        assertThat(dialogue.ask(call(PendingApproval.Kind.APPROVAL, "run_1", "boss/clerk", "pay"), () -> false))
                .as("another agent")
                .isEmpty();
        assertThat(dialogue.ask(call(PendingApproval.Kind.APPROVAL, "run_1", "boss", "refund"), () -> false))
                .as("another tool")
                .isEmpty();
    }

    @Test
    void allIsNoAnswerToWhatIsNotAnApprovalOrWasNotShown() {
        PendingApproval longCall = call(PendingApproval.Kind.APPROVAL, Json.of(Map.of("to", "x".repeat(100_000))));
        for (PendingApproval.Kind kind : List.of(PendingApproval.Kind.DATA, PendingApproval.Kind.INTERRUPTED)) {
            Typist typist = new Typist("a", "l");
            assertThat(ask(typist, kind)).isEmpty();
            assertThat(typist.screen()).contains("Only approvals can be given for all calls.");
        }
        assertThat(ask(new Typist("a", "l"), longCall)).isEmpty();
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
