package dev.chargehand.verify.workflows;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.workflow.WorkflowContext;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * What a step asks before its work, one question after the other, and what the answers are: the same in each process, and however often they are given.
 *
 * @param count how many it asks
 * @param declinedOneOf one of so many questions is declined; 0 for none
 * @param late whether it asks only in the first attempt that does not fail, and not in the first one
 */
record Questions(int count, int declinedOneOf, boolean late) {

    static final Questions NONE = new Questions(0, 0, false);

    private static final int MOST = 2;
    private static final int ANSWERS = 1_000;

    /**
     * What a step asks with.
     *
     * @param call the call that asks, such as {@code e1[2]#1}
     * @param number the number of the question, from 1
     * @param declined whether it is to be declined
     * @param sum that of the answers before it
     */
    record Question(String call, int number, boolean declined, long sum) {

        static Question of(PendingApproval waiting) {
            return waiting.payload().orElseThrow().as(Question.class);
        }

        Answer answer() {
            return new Answer(Questions.answer(call, number));
        }

        /** Return what names it, such as {@code e1[2]#1?2}. */
        String what() {
            return call + "?" + number;
        }
    }

    /** The answer. */
    record Answer(long number) {}

    static Questions random(SplittableRandom random) {
        return new Questions(
                random.nextInt(1, MOST + 1), random.nextInt(3) == 0 ? random.nextInt(2, 5) : 0, random.nextBoolean());
    }

    /** Return questions none of which is declined. */
    Questions neverDeclined() {
        return new Questions(count, 0, late);
    }

    /** Return whether a call is failed by its answers for certain, for some call or another. */
    boolean mayFail() {
        return count > 0 && declinedOneOf > 0;
    }

    boolean isDeclined(String call, int number) {
        return declinedOneOf > 0 && Math.floorMod((call + number).hashCode(), declinedOneOf) == 0;
    }

    static long answer(String call, int number) {
        return Math.floorMod((number + call).hashCode() * 7L, ANSWERS);
    }

    /** Return the next question of a call that is executed, or empty if all are answered. */
    Optional<Question> next(String call, WorkflowContext context) {
        Optional<Question> last = context.suspendPayload(Question.class);
        int number = last.map(Question::number).orElse(0) + 1;
        return number > count
                ? Optional.empty()
                : Optional.of(new Question(call, number, isDeclined(call, number), sum(context)));
    }

    /** Return the sum of the answers that a call has. */
    static long sum(WorkflowContext context) {
        Optional<Question> last = context.suspendPayload(Question.class);
        Optional<Answer> answer = context.resumeData(Answer.class);
        if (last.isPresent() != answer.isPresent()) {
            throw new IllegalStateException("There is " + last + " with " + answer);
        }
        return last.isEmpty()
                ? 0
                : last.get().sum() + Objects.requireNonNull(answer.orElse(null)).number();
    }
}
