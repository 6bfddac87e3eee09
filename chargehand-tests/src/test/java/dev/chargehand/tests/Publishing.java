package dev.chargehand.tests;

import dev.chargehand.Agent;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.testkit.Script;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A workflow with agents and a nested workflow as steps, and what its code was asked. */
final class Publishing {

    record Query(String q) {}

    /** What was asked, such as {@code look tea} or {@code prompt tea}. */
    final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();

    /** What the models were asked, as the last message of the conversation. */
    final ConcurrentLinkedQueue<String> models = new ConcurrentLinkedQueue<>();

    private final Tool look = Tool.builder("look", "Looks something up.")
            .input(Query.class)
            .repeatable()
            .handler((query, context) -> Steps.noted(asked, "look " + query.q(), Map.of("found", query.q())))
            .build();

    /** Looks once, then says what it was asked for. */
    private ModelResponse research(ModelRequest request) {
        String last = request.messages().getLast().text();
        models.add(last);
        boolean looked = request.messages().stream()
                .anyMatch(message -> !message.toolResults().isEmpty());
        return looked
                ? Steps.said("About " + request.messages().getFirst().text())
                : Steps.calling("look", "{\"q\":\"" + last + "\"}");
    }

    /** Repeats what it was asked for. */
    private ModelResponse praise(ModelRequest request) {
        models.add(request.messages().getLast().text());
        return Steps.said("Praise of " + request.messages().getLast().text());
    }

    private final Script script = Scripts.of(
            Turns.of("researcher", Turn.answers(this::research).forever()),
            Turns.of("critic", Turn.answers(this::praise).forever()));

    private Agent agent(String id, Tool... tools) {
        return Agent.builder(id).model(script.modelFor(id)).tools(tools).build();
    }

    final Step<String, String> research = agent("researcher", look)
            .asStep("research", String.class, (topic, context) -> Steps.noted(asked, "prompt " + topic, topic))
            .retries(1, Backoff.fixed(Duration.ofMillis(1)));

    private final Step<String, Integer> count = Step.of("count", String.class, Integer.class, (topic, context) -> {
                context.updateState(Map.of("counted", topic));
                return Steps.noted(asked, "count " + topic, topic.length());
            })
            .repeatable();

    private final Step<String, String> judge =
            agent("critic").asStep("judge", String.class, (text, context) -> "«" + text + "»");

    /** Has a text judged. */
    final Workflow<String, String> reviewing = Workflow.from("reviewing", String.class)
            .then(Step.of("trim", String.class, String.class, (text, context) -> {
                        context.updateState(Map.of("trimmed", true));
                        return Steps.noted(asked, "trim " + text, text.strip());
                    })
                    .repeatable())
            .then(judge)
            .build(String.class);

    final Workflow<String, String> workflow = Workflow.from("publishing", String.class)
            .parallel(research, count)
            .map("text", String.class, (outputs, context) -> outputs.get(research) + " in " + outputs.get(count))
            .then(reviewing)
            .foreach(
                    "chapters",
                    (text, context) -> List.of("one", "two"),
                    agent("critic").asStep("chapter", String.class, (name, context) -> name),
                    Each.concurrency(1))
            .map(
                    "joined",
                    String.class,
                    (chapters, context) -> String.join(", ", chapters) + "; "
                            + context.output(reviewing.asStep()).orElseThrow())
            .build(String.class);

    static final String OUTPUT = "Praise of one, Praise of two; Praise of «About tea in 3»";
}
