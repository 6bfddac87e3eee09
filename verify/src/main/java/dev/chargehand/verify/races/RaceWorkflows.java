package dev.chargehand.verify.races;

import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Outputs;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** Workflows whose steps wait for approvals and data, and some in which a nested workflow sleeps meanwhile. */
final class RaceWorkflows {

    /** The sleep, and the effect that follows it. */
    static final String NAP = "nap";

    /** The path of the sleep. */
    static final String NAP_PATH = "rest." + NAP;

    private final Effects effects;
    private final Map<Shape, Workflow<Work, String>> workflows;

    RaceWorkflows(Effects effects) {
        this.effects = effects;
        this.workflows = Shape.WORKFLOWS.stream().collect(Collectors.toMap(shape -> shape, this::workflow));
    }

    /**
     * The input of the workflows and of their steps.
     *
     * @param task the name of the case
     * @param until when the sleep ends, in milliseconds since 1970
     */
    record Work(String task, long until) {}

    Workflow<?, ?>[] all() {
        return workflows.values().toArray(Workflow<?, ?>[]::new);
    }

    Workflow<Work, String> of(Shape shape) {
        return Objects.requireNonNull(workflows.get(shape));
    }

    private Workflow<Work, String> workflow(Shape shape) {
        List<Step<Work, String>> steps = shape.effects().stream()
                .map(effect -> effect.equals(NAP) ? rest() : Shape.wantsData(effect) ? wanting(effect) : asking(effect))
                .toList();
        WorkflowBuilder<Work, Work> workflow = Workflow.from(shape.definition(), Work.class);
        WorkflowBuilder<Work, Outputs> all = steps.size() == 1
                ? workflow.parallel("all", steps.getFirst())
                : workflow.parallel("all", steps.getFirst(), steps.getLast());
        return all.map("text", String.class, (outputs, context) -> text(shape, steps, outputs))
                .build(String.class);
    }

    private static String text(Shape shape, List<Step<Work, String>> steps, Outputs outputs) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < steps.size(); i++) {
            text.append(i == 0 ? "" : " ").append(shape.effects().get(i)).append('=');
            text.append(outputs.get(steps.get(i)));
        }
        return text.toString();
    }

    private Step<Work, String> asking(String slot) {
        Tool tool = Tool.builder(slot, "Carries something out.")
                .input(Work.class)
                .requiresApproval()
                .handler((in, context) -> carriedOut(in, slot))
                .build();
        return Step.tool(tool, Work.class, String.class).fallback((in, failure, context) -> RaceCrew.outcome(failure));
    }

    private Step<Work, String> wanting(String slot) {
        return Step.of("wants-" + slot.substring(1), Work.class, String.class, (in, context) -> {
                    Optional<Integer> data = context.resumeData(Integer.class);
                    return data.isEmpty() ? context.suspend("How much?") : carriedOut(in, slot) + data.get();
                })
                .suspends(String.class, Integer.class)
                .fallback((in, failure, context) -> RaceCrew.outcome(failure));
    }

    private Step<Work, String> rest() {
        return Workflow.from("rest", Work.class)
                .sleepUntil(NAP, (in, context) -> Instant.ofEpochMilli(in.until()))
                .then(Step.of("wake", Work.class, String.class, (in, context) -> carriedOut(in, NAP)))
                .build(String.class)
                .asStep();
    }

    private String carriedOut(Work work, String effect) {
        effects.add(work.task(), effect);
        return "ok";
    }
}
