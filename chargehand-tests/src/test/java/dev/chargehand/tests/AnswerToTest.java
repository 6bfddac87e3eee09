package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.StoreException;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.TestRuntime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who asks how a call was answered gets the answer as it was given. */
class AnswerToTest extends ApprovalFixture {

    static List<ApprovalAnswer> answers() {
        return List.of(
                ApprovalAnswer.approve(ANN),
                ApprovalAnswer.approve(ANN, "It is old."),
                ApprovalAnswer.decline(ANN, "It is needed."));
    }

    private static Optional<ApprovalAnswer> answerTo(TestRuntime test, PendingApproval approval) {
        return test.runtime().answerTo(approval.runId(), approval.callId(), approval.waitNumber());
    }

    @ParameterizedTest
    @MethodSource("answers")
    void anAnswerIsReturnedAlsoAfterTheEndOfItsRun(ApprovalAnswer answer) {
        try (TestRuntime test = runtime(deletesOnce(), lead(delete()))) {
            PendingApproval approval = pending(test);
            assertThat(answerTo(test, approval)).isEmpty();

            var ignored = test.runtime().answer(approval, answer, options -> {}).result();

            assertThat(answerTo(test, approval)).contains(answer);
            assertThat(test.runtime().answerTo(approval.runId(), approval.callId(), 2))
                    .isEmpty();
            assertThat(test.runtime().answerTo(approval.runId(), "call_x", 1)).isEmpty();
        }
    }

    /** The process that executes the run sees no answer until the latch opens. */
    @Test
    void anAnswerThatIsNotCarriedOutIsReturned() {
        CountDownLatch reads = new CountDownLatch(1);
        Store store = InMemoryStore.keepingEndedRuns();
        Store blind = new ForwardingStore(store) {
            @Override
            public List<Delivery> undrained(RunId root) {
                return reads.getCount() == 0 ? super.undrained(root) : List.of();
            }
        };
        try (TestRuntime owner = TestRuntime.builder(deletesOnce())
                        .store(blind)
                        .agents(lead(delete()))
                        .build();
                TestRuntime other = TestRuntime.builder(deletesOnce())
                        .store(store)
                        .agents(lead(delete()))
                        .build()) {
            PendingApproval approval = pending(owner);
            ApprovalAnswer answer = ApprovalAnswer.approve(ANN, "It is old.");
            var ignored = owner.runtime().answer(approval, answer, options -> {});

            assertThat(owner.runtime().facts(approval.runId(), 0))
                    .extracting(fact -> fact.type())
                    .doesNotContain("call-decided");
            assertThat(answerTo(other, approval)).contains(answer);
            assertThat(deleted).isEmpty();
            reads.countDown();
        }
    }

    @Test
    void aWaitThatWasTooLongHasNoAnswer() {
        try (TestRuntime test = TestRuntime.builder(deletesOnce())
                .store(InMemoryStore.keepingEndedRuns())
                .agents(lead(delete()))
                .manualClock()
                .build()) {
            PendingApproval approval = pending(test);
            test.clock().advance(Duration.ofHours(25));
            var ignored = test.runtime().resume(approval.runId(), options -> {}).result();

            refused(ApprovalException.Kind.EXPIRED, () -> answerTo(test, approval));
        }
    }

    @Test
    void aRunThatIsNotThereIsAnError() {
        try (TestRuntime test = runtime(deletesOnce(), lead(delete()))) {
            assertThatThrownBy(() -> test.runtime().answerTo(RunId.of("run_missing"), "call", 1))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.NOT_FOUND));
        }
    }
}
