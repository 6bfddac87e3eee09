package dev.chargehand.verify.server;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.store.Store;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolContext;
import dev.chargehand.verify.harness.OutsideLedger;
import dev.chargehand.verify.scripted.ConversationModel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * A lead that books twice at once, then through a clerk, and then a last time. The bookings of one of these steps, which
 * depends on the task, are held until a latch opens, and take some time after that. No booking may be repeated.
 */
final class HeldCrew {

    static final String LEAD = "lead";

    /** What a run books, each once. */
    static final List<String> SLOTS = List.of("first", "second", "clerk", "last");

    /** The answer of a run whose models were given the result of every booking. */
    static final String ANSWER = "ok ok ok ok";

    /** The entries of a booking in the ledger: it has started and is held, it has started, it is done. */
    static final String HELD = "held";

    static final String STARTED = "started";
    static final String DONE = "done";

    private static final String BOOK = "book";

    private final OutsideLedger ledger;
    private final CountDownLatch latch;
    private final Duration afterLatch;

    HeldCrew(OutsideLedger ledger, CountDownLatch latch, Duration afterLatch) {
        this.ledger = ledger;
        this.latch = latch;
        this.afterLatch = afterLatch;
    }

    /** What the tool takes. */
    record Order(String task, String slot) {}

    /** Return the subject of a booking in the ledger. */
    static String subject(String task, String slot) {
        return task + "/" + slot;
    }

    /** Return whether a booking is one of those that are held; of each task at least one is. */
    private static boolean isHeld(Order order) {
        int step = Math.max(0, SLOTS.indexOf(order.slot()) - 1);
        return Math.floorMod(order.task().hashCode(), SLOTS.size() - 1) == step;
    }

    /** Make a runtime that executes what any process has started. */
    AgentRuntime runtime(Store store) {
        return AgentRuntime.builder()
                .store(store)
                .wakeups(Wakeups.all())
                .providers()
                .agents(agent(LEAD, HeldCrew::lead)
                        .agents(agent("clerk", HeldCrew::clerk).build())
                        .build())
                .build();
    }

    private AgentBuilder agent(String id, Function<List<Message>, ModelResponse> answers) {
        return Agent.builder(id)
                .description("Books.")
                .model(new ConversationModel(id, answers))
                .tools(Tool.builder(BOOK, "Books.")
                        .input(Order.class)
                        .handler(this::booked)
                        .build());
    }

    private String booked(Order order, ToolContext context) throws InterruptedException {
        boolean held = isHeld(order);
        enter(held ? HELD : STARTED, order, context);
        if (held) {
            latch.await();
            LockSupport.parkNanos(afterLatch.toNanos());
        }
        enter(DONE, order, context);
        return "ok";
    }

    private void enter(String what, Order order, ToolContext context) {
        ledger.add(new OutsideLedger.Effect(
                subject(order.task(), order.slot()), what, context.callId(), context.idempotencyKey()));
    }

    private static ModelResponse lead(List<Message> conversation) {
        String task = ConversationModel.task(conversation);
        List<String> results = ConversationModel.results(conversation);
        return switch (results.size()) {
            case 0 -> ConversationModel.calls(List.of(book(task, 0), book(task, 1)));
            case 2 ->
                ConversationModel.calls(
                        List.of(ConversationModel.call("clerk", "agent-clerk", Map.of("prompt", task))));
            case 3 -> ConversationModel.calls(List.of(book(task, 3)));
            default -> ConversationModel.says(String.join(" ", results));
        };
    }

    private static ModelResponse clerk(List<Message> conversation) {
        List<String> results = ConversationModel.results(conversation);
        return results.isEmpty()
                ? ConversationModel.calls(List.of(book(ConversationModel.task(conversation), 2)))
                : ConversationModel.says(results.getFirst());
    }

    private static ModelResponse.RequestedCall book(String task, int slot) {
        return ConversationModel.call(SLOTS.get(slot), BOOK, new Order(task, SLOTS.get(slot)));
    }
}
