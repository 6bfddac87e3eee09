package dev.chargehand.verify.inbox;

import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A workflow whose steps ask for data, wait for approval and sleep, while one works until they have continued. */
final class InboxWorkflow {

    /** The id of the sleep in each nested workflow. */
    private static final String NAP = "nap";

    private static final int OF_EACH = 5;

    /** A lost end of a sleep is reported by the step that works; then the run ends by itself. */
    private static final Duration LONGER_THAN_THE_WORK = Duration.ofMinutes(2);

    /** The names of all that waits; each is carried out after its wait. */
    static final List<String> SLOTS = IntStream.rangeClosed(1, OF_EACH)
            .boxed()
            .flatMap(i -> Stream.of("ask" + i, "approve" + i, "rest" + i))
            .toList();

    /** The paths at which it sleeps. */
    static final List<String> SLEEPS = SLOTS.stream()
            .filter(slot -> slot.startsWith("rest"))
            .map(slot -> slot + "." + NAP)
            .toList();

    private final Consumer<String> effect;

    /** Make it with what carries a slot out. */
    InboxWorkflow(Consumer<String> effect) {
        this.effect = effect;
    }

    /** The input of the workflow and of each of its steps. */
    record Errand(String task) {}

    /** What a step asks. */
    record Question(int number) {}

    /** What it is to be given: the number of the question. */
    record Answer(int number) {}

    /** Build it with the code of the step that works. */
    Workflow<Errand, String> build(Runnable work) {
        List<Step<Errand, String>> steps = new ArrayList<>();
        steps.add(Step.of("work", Errand.class, String.class, (in, context) -> {
            work.run();
            return "worked";
        }));
        for (int i = 1; i <= OF_EACH; i++) {
            steps.addAll(List.of(asks(i), approved(i), rests(i)));
        }
        return Workflow.from("errands", Errand.class)
                .parallel("all", steps.toArray(InboxWorkflow::arrayOf))
                .map("done", String.class, (outputs, context) -> "Done")
                .build(String.class);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private static Step<Errand, String>[] arrayOf(int length) {
        return new Step[length];
    }

    private Step<Errand, String> asks(int number) {
        return Step.of("ask" + number, Errand.class, String.class, (in, context) -> {
                    int given =
                            context.resumeData(Answer.class).map(Answer::number).orElse(0);
                    if (given == 0) {
                        return context.suspend(new Question(number));
                    }
                    if (given != number) {
                        throw new IllegalStateException("question " + number + " got the answer to " + given);
                    }
                    return carryOut("ask" + number);
                })
                .suspends(Question.class, Answer.class);
    }

    private Step<Errand, String> approved(int number) {
        Tool tool = Tool.builder("approve" + number, "Carries something out.")
                .input(Errand.class)
                .requiresApproval()
                .handler((in, context) -> carryOut("approve" + number))
                .build();
        return Step.tool(tool, Errand.class, String.class);
    }

    private Step<Errand, String> rests(int number) {
        return Workflow.from("rest" + number, Errand.class)
                .sleep(NAP, LONGER_THAN_THE_WORK)
                .then(Step.of("wake", Errand.class, String.class, (in, context) -> carryOut("rest" + number)))
                .build(String.class)
                .asStep();
    }

    private String carryOut(String slot) {
        effect.accept(slot);
        return "ok";
    }
}
