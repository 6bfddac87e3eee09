package dev.chargehand.verify.sequences.crew;

import dev.chargehand.Agent;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Branch;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The workflows of a sequence: one with branches, a question, a sleep, a retry and an agent, one with a list and a wait, and one with two steps at once. */
final class SequenceWorkflows {

    /** What a step asks a human. */
    public record Question(String question) {}

    /** What the human answers. */
    public record Answer(String answer) {}

    private SequenceWorkflows() {}

    static Workflow<Long, Long> count(Agent thinker) {
        Workflow<Long, Long> naps = Workflow.from("naps", Long.class)
                .sleep("nap", Duration.ofMinutes(10))
                .then(doubled("after-nap", 1))
                .build(Long.class);
        Step<Long, Long> bails =
                Step.of("bails", Long.class, Long.class, (x, context) -> x % 11 == 0 ? context.bail(x) : x);
        return Workflow.from("count", Long.class)
                .description("Computes.")
                .map("start", Long.class, (x, context) -> x)
                .then(doubled("first", 3).retries(1, Backoff.fixed(Duration.ofSeconds(30))))
                .branch(
                        "which",
                        Branch.when("asks", (x, context) -> x % 3 == 0, asks())
                                .when("naps", (x, context) -> x % 3 == 1, naps.asStep())
                                .otherwise(doubled("else", 9)))
                .then(bails)
                .map("prompt", String.class, (x, context) -> "count " + x)
                .then(thinker.asStep("think", String.class, (x, context) -> x))
                .map("length", Long.class, (x, context) -> (long) x.length())
                .then(doubled("last", 2))
                .build(Long.class);
    }

    static Workflow<Long, Long> list(TimeSource clock) {
        return Workflow.from("list", Long.class)
                .map("more", Long.class, (x, context) -> x + 1)
                .sleepUntil("till", (x, context) -> clock.now().plusSeconds(600))
                .foreach("each", (x, context) -> List.of(x, x + 1, x + 2), doubled("item", 5), Each.concurrency(1))
                .map("sum", Long.class, (list, context) -> list.stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .build(Long.class);
    }

    /** Two steps with the same input, one of which asks. */
    static Workflow<Long, Long> both() {
        Step<Long, Long> left = doubled("left", 1);
        Step<Long, Long> right = asks();
        return Workflow.from("both", Long.class)
                .parallel(left, right)
                .map("sum", Long.class, (outputs, context) -> outputs.get(left) + outputs.get(right))
                .build(Long.class);
    }

    private static Step<Long, Long> asks() {
        return Step.of("asks", Long.class, Long.class, (Long x, WorkflowContext context) -> context.resumeData(
                                Answer.class)
                        .map(answer -> x + answer.answer().length())
                        .orElseGet(() -> context.suspend(new Question("how many for " + x))))
                .suspends(Question.class, Answer.class);
    }

    /** A step that fails at its first attempt with some numbers. */
    private static Step<Long, Long> doubled(String id, int more) {
        return Step.of(id, Long.class, Long.class, (x, context) -> {
            context.updateState(Map.of(id, x));
            if (x % 7 == 0 && context.attempt() < 2) {
                throw new IllegalStateException("seven");
            }
            return x * 2 + more;
        });
    }
}
