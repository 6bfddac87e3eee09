package dev.chargehand.verify.workflows;

import dev.chargehand.json.JsonType;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Branch;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Outcome;
import dev.chargehand.workflow.Outputs;
import dev.chargehand.workflow.Repeat;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowBuilder;
import dev.chargehand.workflow.WorkflowContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Builds the workflow of random parts.
 *
 * @param done receives the work of each call
 */
record Definition(Done done) {

    /** Receives what is done. */
    @FunctionalInterface
    interface Done {

        /** Receive the work of a call, by its path and iteration, in each attempt. */
        void done(Part.Work work, String call, WorkflowContext context);
    }

    Workflow<Long, Long> of(List<Part> parts) {
        return of("random", parts);
    }

    Workflow<Long, Long> of(String id, List<Part> parts) {
        WorkflowBuilder<Long, Long> builder =
                Workflow.from(id, Long.class).map("start", Long.class, (in, context) -> in);
        for (Part part : parts) {
            builder = with(builder, part);
        }
        return builder.build(Long.class);
    }

    private WorkflowBuilder<Long, Long> with(WorkflowBuilder<Long, Long> builder, Part part) {
        return switch (part) {
            case Part.Then then -> builder.then(step(then.work(), 0));
            case Part.Bail bail -> builder.then(step(bail.work(), bail.of()));
            case Part.Map map -> builder.map(map.id(), Long.class, (in, context) -> in + map.plus());
            case Part.Sleep sleep -> builder.sleep(sleep.id(), Duration.ofMillis(sleep.millis()));
            case Part.Parallel parallel ->
                builder.parallel(parallel.id(), steps(parallel.works()))
                        .map(parallel.id() + "-sum", Long.class, (outputs, context) -> sum(outputs, parallel.works()));
            case Part.Branch branch ->
                builder.branch(
                        branch.id(),
                        branch.passes()
                                ? yes(branch).otherwisePass()
                                : yes(branch).otherwise(step(branch.no(), 0)));
            case Part.BranchAll branch -> branchAll(builder, branch);
            case Part.Loop loop ->
                builder.doUntil(
                        step(loop.work(), 0), (out, context) -> out % loop.of() == 0, Repeat.atMost(loop.atMost()));
            case Part.Foreach foreach -> foreach(builder, foreach);
        };
    }

    private Branch.Cases<Long, Long> yes(Part.Branch branch) {
        return Branch.when("multiple", (in, context) -> in % branch.of() == 0, step(branch.yes(), 0));
    }

    private WorkflowBuilder<Long, Long> branchAll(WorkflowBuilder<Long, Long> builder, Part.BranchAll branch) {
        Branch.Cases<Long, Long> cases = null;
        for (int i = 0; i < branch.works().size(); i++) {
            int of = i + 2;
            Step<Long, Long> step = step(branch.works().get(i), 0);
            cases = cases == null
                    ? Branch.when("of-" + of, (in, context) -> in % of == 0, step)
                    : cases.when("of-" + of, (in, context) -> in % of == 0, step);
        }
        return builder.branchAll(branch.id(), Objects.requireNonNull(cases))
                .map(branch.id() + "-sum", Long.class, (outputs, context) -> sum(outputs, branch.works()));
    }

    private WorkflowBuilder<Long, Long> foreach(WorkflowBuilder<Long, Long> builder, Part.Foreach foreach) {
        Step<Long, Long> step = step(foreach.work(), 0);
        Each each = Each.concurrency(foreach.concurrency());
        return foreach.collects()
                ? builder.foreach(foreach.id(), (in, context) -> items(foreach, in), step, each.collect())
                        .map(
                                foreach.id() + "-join",
                                Long.class,
                                (outcomes, context) -> Part.Foreach.joined(outcomes.stream()
                                        .map(outcome -> outcome instanceof Outcome.Success<Long> ok ? ok.ok() : -1L)
                                        .toList()))
                : builder.foreach(foreach.id(), (in, context) -> items(foreach, in), step, each)
                        .map(foreach.id() + "-join", Long.class, (outs, context) -> Part.Foreach.joined(outs));
    }

    private static List<Long> items(Part.Foreach foreach, long in) {
        return LongStream.range(in, in + in % (foreach.mostItems() + 1)).boxed().toList();
    }

    private long sum(Outputs outputs, List<Part.Work> works) {
        return works.stream()
                .mapToLong(work -> outputs.find(step(work, 0)).orElse(0L))
                .sum();
    }

    @SuppressWarnings("unchecked") // an array of a generic type cannot be made
    private Step<Long, Long>[] steps(List<Part.Work> works) {
        return works.stream().map(work -> step(work, 0)).toArray(Step[]::new);
    }

    private Step<Long, Long> step(Part.Work work, int bailsAt) {
        if (!work.nested()) {
            return alone(work, bailsAt);
        }
        WorkflowBuilder<Long, Long> nested =
                Workflow.from(work.id() + "-nested", Long.class).map("start", Long.class, (in, context) -> in);
        if (work.sleeps()) {
            nested = nested.sleep("sleep", Duration.ofMillis(work.waitMillis()));
        }
        return nested.then(alone(work, bailsAt))
                .build(Long.class)
                .sharingState()
                .asStep()
                .withId(work.id());
    }

    private Step<Long, Long> alone(Part.Work work, int bailsAt) {
        Step<Long, Long> step = Step.of(
                        work.id(), Long.class, Long.class, (in, context) -> done(work, in, context, bailsAt))
                .retries(work.retries(), Backoff.fixed(Duration.ofMillis(work.waitMillis())));
        step = work.once() ? step.failIfInterrupted() : step.repeatable();
        step = work.questions().count() > 0 ? step.suspends(Questions.Question.class, Questions.Answer.class) : step;
        return work.rescued() ? step.fallback((in, error, context) -> 0L) : step;
    }

    private @Nullable Long done(Part.Work work, long in, WorkflowContext context, int bailsAt) {
        String place = context.item().isPresent()
                ? context.entryId() + "[" + context.item().getAsInt() + "]"
                : work.id();
        String path = work.path(place, in);
        String call = path + "#" + context.iteration();
        boolean fails = context.attempt() <= work.failures();
        Optional<Questions.Question> question = work.questions().late() && fails
                ? Optional.empty()
                : work.questions().next(call, context);
        if (question.isPresent()) {
            if (!work.once()
                    && !work.nested()) { // else nobody knows whether it has asked, or whether its change is kept
                context.updateState(Map.of(path + "?", question.get().number()));
            }
            return context.suspend(question.get());
        }
        done.done(work, call, context);
        if (work.questions().late() && fails) {
            throw new IllegalStateException("attempt " + context.attempt() + " fails before it asks");
        }
        if (bailsAt > 0 && in % bailsAt == 0) {
            return context.bail(in);
        }
        if (fails) {
            throw new IllegalStateException("attempt " + context.attempt() + " fails");
        }
        context.updateState(Map.of(path, in));
        return work.apply(in, Questions.sum(context));
    }

    static JsonType<Map<String, Long>> stateType() {
        return new JsonType<>() {};
    }
}
