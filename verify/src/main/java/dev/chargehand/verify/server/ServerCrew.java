package dev.chargehand.verify.server;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.message.Message;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.store.Store;
import dev.chargehand.tool.InterruptedCallPolicy;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolContext;
import dev.chargehand.verify.harness.OutsideLedger;
import dev.chargehand.verify.scripted.ConversationModel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * A lead that books concurrently with a clerk, then signs, which needs an approval, and then streams an answer. So the
 * events of a run come from parallel, nested and suspended parts, and some have no id.
 */
final class ServerCrew {

    static final String LEAD = "lead";

    /** What a run books and signs, each once. */
    static final List<String> SLOTS = List.of("lead", "clerk", "signature");

    private static final String BOOK = "book";
    private static final String SIGN = "sign";
    private static final String ANSWER = "All of it is booked and signed by those who may sign.";
    private static final int MOST_MILLIS = 15;

    private final OutsideLedger ledger;

    /** Make it; what the tools do is written to {@code ledger}. */
    ServerCrew(OutsideLedger ledger) {
        this.ledger = ledger;
    }

    /** What the tools take. */
    record Order(String task, String slot) {}

    /** Return the subject of an effect in the ledger. */
    static String subject(String task, String slot) {
        return task + "/" + slot;
    }

    /** Make a runtime that executes what any process has started. */
    AgentRuntime runtime(Store store) {
        return AgentRuntime.builder()
                .store(store)
                .wakeups(Wakeups.all())
                .anyoneMayApprove()
                .providers()
                .agents(agent(LEAD, ServerCrew::lead)
                        .agents(agent("clerk", ServerCrew::clerk).build())
                        .build())
                .build();
    }

    private AgentBuilder agent(String id, Function<List<Message>, ModelResponse> answers) {
        return Agent.builder(id)
                .description("Books.")
                .model(new SlowModel(id, answers))
                .tools(
                        tool(BOOK).repeatable().build(),
                        tool(SIGN)
                                .requiresApproval()
                                .onInterruption(InterruptedCallPolicy.PARK)
                                .build());
    }

    private Tool.Builder<Order> tool(String name) {
        return Tool.builder(name, "Does it.").input(Order.class).handler((in, context) -> done(name, in, context));
    }

    private String done(String tool, Order order, ToolContext context) {
        pause(order.hashCode());
        ledger.add(new OutsideLedger.Effect(
                subject(order.task(), order.slot()), tool, context.callId(), context.idempotencyKey()));
        pause(context.callId().hashCode());
        return "ok";
    }

    private static ModelResponse lead(List<Message> conversation) {
        String task = ConversationModel.task(conversation);
        return switch (ConversationModel.results(conversation).size()) {
            case 0 ->
                ConversationModel.calls(List.of(
                        ConversationModel.call("1", BOOK, new Order(task, SLOTS.get(0))),
                        ConversationModel.call("2", "agent-clerk", Map.of("prompt", task))));
            case 2 ->
                ConversationModel.calls(List.of(ConversationModel.call("3", SIGN, new Order(task, SLOTS.get(2)))));
            default -> ConversationModel.says(ANSWER);
        };
    }

    private static ModelResponse clerk(List<Message> conversation) {
        String task = ConversationModel.task(conversation);
        return ConversationModel.results(conversation).isEmpty()
                ? ConversationModel.calls(List.of(ConversationModel.call("1", BOOK, new Order(task, SLOTS.get(1)))))
                : ConversationModel.says("Booked.");
    }

    private static void pause(int hash) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(Math.floorMod(hash, MOST_MILLIS)));
    }

    /** A model that streams its words one by one. */
    private record SlowModel(String name, Function<List<Message>, ModelResponse> answers) implements Model {

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            pause(request.messages().hashCode());
            ModelResponse answer = answers.apply(request.messages());
            for (String word : answer.text().splitWithDelimiters(" ", 0)) {
                if (!word.isEmpty()) {
                    pause(word.hashCode());
                    call.delta(new ModelDelta.Text(word));
                }
            }
            return answer;
        }
    }
}
