package dev.chargehand.verify.inbox;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.event.RunListener;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.store.Store;
import dev.chargehand.tool.Tool;
import dev.chargehand.verify.scripted.ConversationModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** An agent whose one step calls tools that have to be approved, and one that works until they have been executed. */
final class InboxCrew {

    /** How many calls of a step have to be approved; with the other tool, the most that a step may have. */
    static final int CALLS = 15;

    private InboxCrew() {}

    record Effect(String slot) {}

    /**
     * Make a runtime of a process.
     *
     * @param effect carries a call out
     * @param work the other tool
     */
    static AgentRuntime runtime(
            Store store, Wakeups wakeups, Consumer<String> effect, Runnable work, RunListener... listeners) {
        Agent lead = Agent.builder("lead")
                .instructions("You carry out.")
                .model(new ConversationModel("lead", InboxCrew::answer))
                .tools(
                        Tool.builder("effect", "Carries something out.")
                                .input(Effect.class)
                                .requiresApproval()
                                .handler((in, context) -> {
                                    effect.accept(in.slot());
                                    return "ok";
                                })
                                .build(),
                        Tool.builder("work", "Works meanwhile.")
                                .input(Effect.class)
                                .handler((in, context) -> {
                                    work.run();
                                    return "worked";
                                })
                                .build())
                .build();
        var builder = AgentRuntime.builder()
                .store(store)
                .providers()
                .wakeups(wakeups)
                .anyoneMayApprove()
                .agents(lead);
        for (RunListener listener : listeners) {
            builder.addListener(listener);
        }
        return builder.build();
    }

    private static ModelResponse answer(List<Message> conversation) {
        if (conversation.getLast().role() == Role.TOOL) {
            return ConversationModel.says("Done");
        }
        List<ModelResponse.RequestedCall> calls = new ArrayList<>();
        calls.add(ConversationModel.call("work", "work", Map.of("slot", "work")));
        for (int i = 1; i <= CALLS; i++) {
            calls.add(ConversationModel.call("call" + i, "effect", Map.of("slot", "s" + i)));
        }
        return ConversationModel.calls(calls);
    }
}
