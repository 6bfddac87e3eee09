package dev.chargehand.verify.tasks;

import dev.chargehand.Agent;
import dev.chargehand.error.ModelException;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.tool.InterruptedCallPolicy;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolContext;
import dev.chargehand.verify.harness.OutsideLedger;
import dev.chargehand.verify.scripted.ConversationModel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/** The agent that works on tasks, and a sub-agent of it. Everything they do takes some milliseconds, in which they can be killed. */
final class Clerks {

    /** The name of the agent that works on tasks. */
    static final String CLERK = "clerk";

    private static final String ARCHIVIST = "archivist";
    private static final String WRITE = "write";
    private static final String SIGN = "sign";
    private static final int MOST_MILLIS = 15;

    private final OutsideLedger ledger;
    private final AtomicInteger working = new AtomicInteger();
    private final AtomicInteger mostWorking = new AtomicInteger();

    /** Make them; what they do is written to {@code ledger}. */
    Clerks(OutsideLedger ledger) {
        this.ledger = ledger;
    }

    /** What the tools take. */
    record Entry(String topic) {}

    /** Make the agent that works on tasks. */
    Agent clerk() {
        return agent(CLERK, this::clerk, agent(ARCHIVIST, conversation -> does(conversation, topic(conversation))));
    }

    /** Return the most tasks for which this process has called a model at the same time. */
    int mostWorking() {
        return mostWorking.get();
    }

    private Agent agent(String id, Function<List<Message>, ModelResponse> answers, Agent... below) {
        return Agent.builder(id)
                .description("Writes and signs.")
                .model(new ConversationModel(id, conversation -> {
                    pause(conversation.hashCode());
                    return answers.apply(conversation);
                }))
                .defaultOptions(options -> options.retries(0)) // a failure of the model fails the attempt of the task
                .tools(
                        tool(WRITE).repeatable().build(),
                        tool(SIGN)
                                .requiresApproval()
                                .onInterruption(InterruptedCallPolicy.PARK)
                                .build())
                .agents(below)
                .build();
    }

    private Tool.Builder<Entry> tool(String name) {
        return Tool.builder(name, "Does it.")
                .input(Entry.class)
                .handler((entry, context) -> done(name, entry.topic(), context));
    }

    private String done(String tool, String topic, ToolContext context) {
        pause(topic.hashCode());
        ledger.add(new OutsideLedger.Effect(topic, tool, context.callId(), context.idempotencyKey()));
        pause(context.callId().hashCode());
        return "ok";
    }

    private ModelResponse clerk(List<Message> conversation) {
        mostWorking.accumulateAndGet(working.incrementAndGet(), Math::max);
        try {
            Topic topic = topic(conversation);
            if (topic.kind() == Topic.Kind.UNSTEADY && ledger.addNote("outage of " + topic)) {
                throw new ModelException(ModelException.Kind.OVERLOADED, "Busy.", null);
            }
            pause(conversation.hashCode() >>> 1);
            return topic.isNested() && !hasResult(conversation)
                    ? calls("agent-" + ARCHIVIST, Map.of("prompt", topic.toString()))
                    : does(conversation, topic);
        } finally {
            working.decrementAndGet();
        }
    }

    /** Write or sign; once there is a result, answer with it. */
    private static ModelResponse does(List<Message> conversation, Topic topic) {
        return hasResult(conversation)
                ? ConversationModel.says("Wrote " + topic)
                : calls(topic.isSigned() ? SIGN : WRITE, new Entry(topic.toString()));
    }

    private static boolean hasResult(List<Message> conversation) {
        return conversation.getLast().role() == Role.TOOL;
    }

    private static Topic topic(List<Message> conversation) {
        return Topic.of(ConversationModel.task(conversation));
    }

    private static ModelResponse calls(String tool, Object arguments) {
        return ConversationModel.calls(List.of(ConversationModel.call("call", tool, arguments)));
    }

    /** Take a while, so that a process is killed in the middle of it. */
    static void pause(int hash) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(Math.floorMod(hash, MOST_MILLIS)));
    }
}
