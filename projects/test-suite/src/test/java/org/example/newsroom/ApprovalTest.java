package org.example.newsroom;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.testkit.TestRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Nothing is printed before a human has approved it. */
class ApprovalTest {

    private static final Approver ANN = Approver.of("ann");

    private final List<String> printed = new ArrayList<>();

    @AutoClose
    private final TestRuntime test =
            TestRuntime.builder(Scripts.article()).manualClock().build();

    private PendingApproval waiting() {
        RunResult result = test.bind(Newsroom.editor(words -> List.of(), (text, key) -> printed.add(text)))
                .generate("An article about tea");
        assertThat(result.pendingApprovals()).hasSize(1);
        assertThat(printed).isEmpty();
        return result.pendingApprovals().getFirst();
    }

    @Test
    void anApprovedArticleIsPrintedOnce() {
        PendingApproval call = waiting();
        assertThat(call.arguments().text()).contains(Scripts.ARTICLE);
        assertThat(test.runtime().approve(call, ANN).result()).finished().hasText("It is published.");
        assertThat(printed).containsExactly(Scripts.ARTICLE);
        assertThatExceptionOfType(ApprovalException.class)
                .isThrownBy(() -> test.runtime().approve(call, ANN));
        assertThat(printed).hasSize(1);
    }

    @Test
    void aDeclinedArticleIsNotPrintedAndTheModelReceivesTheReason() {
        RunResult result =
                test.runtime().decline(waiting(), ANN, "The year is wrong.").result();
        assertThat(result).finished().toolFailed("publish", "The year is wrong.");
        assertThat(printed).isEmpty();
    }

    @Test
    void anApprovalThatComesAfterADayIsTooLate() {
        PendingApproval call = waiting();
        test.clock().advance(Duration.ofHours(25));
        assertThatExceptionOfType(ApprovalException.class)
                .isThrownBy(() -> test.runtime().approve(call, ANN));
        assertThat(printed).isEmpty();
    }
}
