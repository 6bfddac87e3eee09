package dev.chargehand.tests.golden;

import dev.chargehand.Agent;
import dev.chargehand.json.JsonType;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Branch;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Repeat;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The workflow of the corpus: attempts, waits and all kinds of entries. Part of it, so it is never changed. */
final class CorpusWorkflow {

    private static final JsonType<List<String>> TEXTS = new JsonType<>() {};

    private CorpusWorkflow() {}

    record Progress(Map<String, String> packed) {}

    /** Fails at its first attempt. */
    private static final Step<String, String> FLAKY = Step.of("flaky", String.class, String.class, (in, context) -> {
                if (context.attempt() == 1) {
                    throw new IllegalStateException("Not yet.");
                }
                return in + " after " + context.attempt();
            })
            .repeatable()
            .retries(1, Backoff.fixed(Duration.ofMinutes(5)));

    private static final Step<String, String> LEFT = Step.of(
                    "left", String.class, String.class, (in, context) -> "left " + in)
            .repeatable();

    /** Asks how many, while its sibling is executed. */
    private static final Step<String, Integer> RIGHT = Step.builder("right", String.class, Integer.class)
            .suspends(String.class, Integer.class)
            .handler((in, context) ->
                    context.resumeData(Integer.class).orElseGet(() -> context.suspend("How many of " + in + "?")))
            .build()
            .repeatable();

    private static final Step<String, String> PACK = Step.of("pack", String.class, String.class, (in, context) -> {
                context.updateState(
                        Map.of("packed", Map.of("item-" + context.item().orElseThrow(), in)));
                return "packed " + in;
            })
            .repeatable();

    /** May not be executed again by itself. */
    private static final Step<List<String>, String> PAY =
            Step.of("pay", TEXTS, new JsonType<String>() {}, (in, context) -> "paid for " + in.size());

    private static final Step<String, String> POLL = Step.of(
                    "poll", String.class, String.class, (in, context) -> in + "." + context.iteration())
            .repeatable();

    private static final Step<String, String> SHORT = Step.of(
                    "short", String.class, String.class, (in, context) -> "short " + in)
            .repeatable();

    private static final Step<String, String> OPTIONAL = Step.of(
                    "broken", String.class, String.class, (in, context) -> {
                        throw new IllegalStateException("Broken.");
                    })
            .repeatable()
            .fallback((in, error, context) -> in + " anyway");

    private static final Workflow<String, String> INNER = Workflow.from("inner", String.class)
            .then(OPTIONAL)
            .sleep("rest", Duration.ofHours(2))
            .then(POLL.withId("last"))
            .build(String.class);

    /** The workflow of a case. */
    static Workflow<String, String> of(Case asked) {
        return asked == Case.WORKFLOW_FROM || asked == Case.WORKFLOW_PAUSED ? small() : workflow();
    }

    /** For what does not depend on the kinds of entries. */
    private static Workflow<String, String> small() {
        return Workflow.from("brewing", String.class)
                .version("1")
                .then(SHORT.withId("boil"))
                .then(LEFT.withId("steep"))
                .then(SHORT.withId("pour"))
                .build(String.class);
    }

    private static Workflow<String, String> workflow() {
        Agent poet = Agent.builder("poet")
                .description("Writes.")
                .instructions("You are the poet.")
                .model(Crew.script().modelFor("writer"))
                .build();
        return Workflow.from("ordering", String.class)
                .version("1")
                .state(Progress.class, new Progress(Map.of()))
                .then(FLAKY)
                .parallel(LEFT, RIGHT)
                .map("items", TEXTS, (out, context) -> List.of(out.get(LEFT), "right " + out.get(RIGHT), "third"))
                .foreach("each", (items, context) -> items, PACK, Each.concurrency(2))
                .then(PAY)
                .sleep("cool", Duration.ofHours(3))
                .doUntil(POLL, (text, context) -> context.iteration() == 3, Repeat.atMost(5))
                .branch(Branch.when("long", (text, context) -> text.length() > 100, LEFT.withId("long"))
                        .otherwise(SHORT))
                .then(INNER)
                .then(poet.asStep("poem", String.class, (in, context) -> in))
                .build(String.class);
    }
}
