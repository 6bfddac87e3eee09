package dev.chargehand.verify.release;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.store.Store;
import dev.chargehand.tool.Tool;
import dev.chargehand.verify.scripted.ConversationModel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A lead whose run books three times, the second time through a sub-agent. Every model call and every tool takes some
 * milliseconds, so that a process is terminated in the middle of them.
 */
final class ReleaseCrew {

    /** The answer of a run in which nothing was lost. */
    static final String ANSWER = "1=ok 2=ok 3=ok";

    static final List<String> SLOTS = List.of("1", "2", "3");

    private static final int MOST_MILLIS = 20;

    private final BiConsumer<String, String> effect;

    /** Make it; {@code effect} is called with the run's task and the slot, and must have happened when it returns. */
    ReleaseCrew(BiConsumer<String, String> effect) {
        this.effect = effect;
    }

    /** What the tool takes. */
    record Booking(String task, String slot) {}

    /** Make a runtime of the lead and the clerk, which resumes what other processes have released. */
    AgentRuntime runtime(Store store) {
        Agent clerk = agent("clerk", ReleaseCrew::clerk).build();
        return AgentRuntime.builder()
                .store(store)
                .wakeups(Wakeups.all())
                .providers()
                .agents(agent("lead", ReleaseCrew::lead).agents(clerk).build())
                .build();
    }

    private AgentBuilder agent(String id, Function<List<Message>, ModelResponse> answers) {
        return Agent.builder(id)
                .description("Books.")
                .instructions("You book.")
                .model(new ConversationModel(id, conversation -> {
                    pause(conversation.hashCode());
                    return answers.apply(conversation);
                }))
                .tools(Tool.builder("book", "Books.")
                        .input(Booking.class)
                        .handler((in, context) -> booked(in))
                        .build());
    }

    private String booked(Booking booking) {
        pause(booking.task().hashCode());
        effect.accept(booking.task(), booking.slot());
        pause(booking.slot().hashCode());
        return "ok";
    }

    private static void pause(int hash) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(Math.floorMod(hash, MOST_MILLIS)));
    }

    private static ModelResponse lead(List<Message> conversation) {
        String task = ConversationModel.task(conversation);
        List<String> results = ConversationModel.results(conversation);
        if (results.size() == SLOTS.size()) {
            return ConversationModel.says("1=" + results.get(0) + " 2=" + results.get(1) + " 3=" + results.get(2));
        }
        String slot = SLOTS.get(results.size());
        return slot.equals("2")
                ? calls(slot, "agent-clerk", Map.of("prompt", task))
                : calls(slot, "book", new Booking(task, slot));
    }

    private static ModelResponse clerk(List<Message> conversation) {
        List<String> results = ConversationModel.results(conversation);
        return results.isEmpty()
                ? calls("2", "book", new Booking(ConversationModel.task(conversation), "2"))
                : ConversationModel.says(results.getFirst());
    }

    private static ModelResponse calls(String slot, String tool, Object arguments) {
        return ConversationModel.calls(List.of(ConversationModel.call(slot, tool, arguments)));
    }
}
