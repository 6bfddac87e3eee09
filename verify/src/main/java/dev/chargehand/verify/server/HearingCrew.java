package dev.chargehand.verify.server;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.store.Store;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolContext;
import dev.chargehand.verify.harness.OutsideLedger;
import dev.chargehand.verify.scripted.ConversationModel;
import java.util.List;
import java.util.stream.Collectors;

/** An agent that books what it was asked for last, and then answers with all that it was asked for on its thread, in order. */
final class HearingCrew {

    static final String HEARER = "hearer";

    private static final String BOOK = "book";

    private final OutsideLedger ledger;

    /** Make it; what the tool does is written to {@code ledger}. */
    HearingCrew(OutsideLedger ledger) {
        this.ledger = ledger;
    }

    /** What the tool takes. */
    record Order(String task) {}

    /** Return the answer to the last of some tasks on a thread. */
    static String answer(List<String> tasks) {
        return String.join(" ", tasks);
    }

    /** Make a runtime that executes what any process has started. */
    AgentRuntime runtime(Store store) {
        return AgentRuntime.builder()
                .store(store)
                .wakeups(Wakeups.all())
                .providers()
                .agents(Agent.builder(HEARER)
                        .description("Books.")
                        .model(new ConversationModel(HEARER, HearingCrew::answered))
                        .tools(Tool.builder(BOOK, "Books.")
                                .input(Order.class)
                                .repeatable()
                                .handler(this::booked)
                                .build())
                        .build())
                .build();
    }

    private String booked(Order order, ToolContext context) {
        ledger.add(new OutsideLedger.Effect(order.task(), BOOK, context.callId(), context.idempotencyKey()));
        return "ok";
    }

    private static ModelResponse answered(List<Message> conversation) {
        if (conversation.getLast().role() == Role.TOOL) {
            return ConversationModel.says(conversation.stream()
                    .filter(message -> message.role() == Role.USER && !message.internal())
                    .map(Message::text)
                    .collect(Collectors.collectingAndThen(Collectors.toList(), HearingCrew::answer)));
        }
        Order order = new Order(ConversationModel.task(conversation));
        return ConversationModel.calls(List.of(ConversationModel.call("1", BOOK, order)));
    }
}
