package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunResult;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.json.Json;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tools that ask for data before they go on. */
class ToolQuestionTest extends ApprovalFixture {

    @Test
    void aToolMayAskForData() {
        record Question(String what) {}
        record Reply(int amount) {}
        Tool pay = Tool.builder("pay", "Pays.")
                .input(Delete.class)
                .suspends(Question.class, Reply.class)
                .handler((in, context) -> {
                    if (context.providedData().isEmpty()) {
                        return context.suspend(new Question("How much for " + in.id() + "?"));
                    }
                    int amount = context.providedData(Reply.class).orElseThrow().amount();
                    deleted.add(context.idempotencyKey());
                    return Map.of("paid", amount);
                })
                .build();
        Script script = Scripts.on(
                "lead",
                Turn.calls("pay", Map.of("id", "r1")),
                Turn.answers(request -> Steps.said(Wire.line(request.messages().getLast()))));
        try (TestRuntime test = runtime(script, lead(pay))) {
            PendingApproval question = pending(test);
            assertThat(question.kind()).isEqualTo(PendingApproval.Kind.DATA);
            assertThat(question.payload()).contains(Json.of(Map.of("what", "How much for r1?")));
            assertThat(question.dataSchema()).isPresent();
            assertThat(names(test.events())).contains("tool-call-suspended");
            refused(
                    ApprovalException.Kind.INVALID_ANSWER,
                    () -> test.runtime().approve(question, ANN).result());
            refused(ApprovalException.Kind.INVALID_ANSWER, () -> test.runtime()
                    .giveData(question, Map.of("amount", "much"))
                    .result());

            RunResult done = test.runtime().giveData(question, new Reply(7)).result();

            assertThat(done.text()).contains("\"paid\":7");
            assertThat(deleted).hasSize(1);
        }
    }

    @Test
    void aToolMayAskAgain() {
        Tool ask = Steps.tool("ask", (in, context) -> {
            String so = context.providedData(String.class).orElse("");
            return so.equals("second") ? "thanks" : context.suspend("after '" + so + "'");
        });
        Script script = Scripts.on("lead").calls("ask", Map.of()).then().says("Done");
        try (TestRuntime test = runtime(script, lead(ask))) {
            PendingApproval first = pending(test);
            PendingApproval second = test.runtime()
                    .giveData(first, "first")
                    .result()
                    .pendingApprovals()
                    .getFirst();
            assertThat(second.waitNumber()).isEqualTo(2);
            assertThat(second.payload()).contains(Json.of("after 'first'"));
            refused(
                    ApprovalException.Kind.ALREADY_DECIDED,
                    () -> test.runtime().giveData(first, "second").result());

            assertThat(test.runtime().giveData(second, "second").result().text())
                    .isEqualTo("Done");
        }
    }

    @Test
    void aToolThatNeedsApprovalMayAskForDataToo() {
        Tool tool = Steps.approvedTool(
                "ask", (in, context) -> context.providedData().isPresent() ? "thanks" : context.suspend("What?"));
        Script script = Scripts.on("lead").calls("ask", Map.of()).then().says("Done");
        try (TestRuntime test = runtime(script, lead(tool))) {
            PendingApproval approval = pending(test);
            PendingApproval question = test.runtime()
                    .approve(approval, ANN)
                    .result()
                    .pendingApprovals()
                    .getFirst();
            assertThat(question.kind()).isEqualTo(PendingApproval.Kind.DATA);
            assertThat(test.runtime().giveData(question, "x").result().text()).isEqualTo("Done");
        }
    }
}
