package dev.chargehand.verify.watch;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunStream;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import dev.chargehand.store.Store;
import dev.chargehand.tool.Tool;
import dev.chargehand.verify.scripted.ConversationModel;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Branch;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Repeat;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A lead that delegates twice, books concurrently, and then signs; one of the clerks signs too. A call that signs
 * waits for approval. So the events of a run come from parallel, nested and suspended parts.
 * There is also a workflow.
 */
final class WatchCrew {

    private static final int MOST_MILLIS = 4;

    private static final int ITEMS = 4;

    private final boolean slow;
    private final Workflow<Integer, Integer> workflow;

    /** Make it; a slow one takes some milliseconds for each call, so that its process can be killed in between. */
    WatchCrew(boolean slow) {
        this.slow = slow;
        this.workflow = workflow();
    }

    /** What the tools take. */
    record Task(String name) {}

    /** Make a runtime of the lead and the clerk. */
    AgentRuntime runtime(Store store) {
        Agent clerk = agent("clerk", WatchCrew::clerk).build();
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .anyoneMayApprove()
                .workflows(workflow)
                .agents(agent("lead", WatchCrew::lead).agents(clerk).build())
                .build();
    }

    /** Start a run of the lead or, if so chosen, of the workflow. */
    RunStream stream(AgentRuntime runtime, boolean ofWorkflow) {
        return ofWorkflow ? runtime.stream(workflow, ITEMS, o -> {}) : runtime.agent("lead").stream("Go");
    }

    /** All kinds of entries, with attempts that fail and a branch that is left out. */
    private Workflow<Integer, Integer> workflow() {
        return Workflow.from("work", Integer.class)
                .then(step("first", 1))
                .parallel("both", step("left", 0), step("right", 1))
                .map("count", Integer.class, (outputs, context) -> ITEMS)
                .foreach(
                        "items",
                        (count, context) -> IntStream.range(0, count).boxed().toList(),
                        step("item", 1),
                        Each.concurrency(3))
                .map("none", Integer.class, (outs, context) -> 0)
                .branch(
                        "choice",
                        Branch.when("taken", (in, context) -> in == 0, step("yes", 0))
                                .otherwise(step("no", 0)))
                .doUntil(step("again", 0), (out, context) -> out >= ITEMS, Repeat.atMost(2 * ITEMS))
                .build(Integer.class);
    }

    private Step<Integer, Integer> step(String id, int failures) {
        return Step.of(id, Integer.class, Integer.class, (in, context) -> {
                    pause(id.hashCode() + in);
                    if (context.attempt() <= failures) {
                        throw new IllegalStateException("Not yet.");
                    }
                    context.updateState(Map.of(id, in));
                    return in + 1;
                })
                .repeatable()
                .retries(1, Backoff.fixed(Duration.ofMillis(1)));
    }

    private AgentBuilder agent(String id, Function<List<Message>, ModelResponse> answers) {
        return Agent.builder(id)
                .description("Books.")
                .instructions("You book.")
                .model(new ConversationModel(id, conversation -> {
                    pause(conversation.hashCode());
                    return answers.apply(conversation);
                }))
                .tools(tool("book").build(), tool("sign").requiresApproval().build());
    }

    private Tool.Builder<Task> tool(String name) {
        return Tool.builder(name, "Does it.").input(Task.class).handler((in, context) -> {
            pause(in.name().hashCode());
            return "ok";
        });
    }

    private void pause(int hash) {
        if (slow) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(Math.floorMod(hash, MOST_MILLIS)));
        }
    }

    private static ModelResponse lead(List<Message> conversation) {
        return switch ((int) results(conversation)) {
            case 0 ->
                calls(
                        "I ask two.",
                        ConversationModel.call("1", "agent-clerk", Map.of("prompt", "plain")),
                        ConversationModel.call("2", "book", new Task("beside")),
                        ConversationModel.call("3", "agent-clerk", Map.of("prompt", "signed")));
            case 3 -> calls("I sign.", ConversationModel.call("4", "sign", new Task("lead")));
            default -> ConversationModel.says("Done.");
        };
    }

    private static ModelResponse clerk(List<Message> conversation) {
        String task = ConversationModel.task(conversation);
        return results(conversation) == 0
                ? calls("", ConversationModel.call("1", task.contains("signed") ? "sign" : "book", new Task(task)))
                : ConversationModel.says("Booked.");
    }

    private static ModelResponse calls(String text, ModelResponse.RequestedCall... calls) {
        return new ModelResponse(text, "", List.of(calls), FinishReason.TOOL_CALLS, Usage.of(10, 5));
    }

    private static long results(List<Message> conversation) {
        return conversation.stream()
                .filter(message -> message.role() == Role.TOOL)
                .mapToLong(message -> message.toolResults().size())
                .sum();
    }
}
