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
import dev.chargehand.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * An agent whose one step calls tools that have to be approved, and one that works until they have been executed; and the
 * {@link InboxWorkflow workflow} whose steps wait in each way.
 */
final class InboxCrew {

    /** The calls of a step that have to be approved; with the other tool, the most that a step may have. */
    static final List<String> SLOTS =
            IntStream.rangeClosed(1, 15).mapToObj(i -> "s" + i).toList();

    private final Consumer<String> effect;
    private final Runnable work;
    private final Consumer<List<String>> heard;
    private final Workflow<InboxWorkflow.Errand, String> workflow;

    /**
     * Make it.
     *
     * @param effect carries a slot out
     * @param work what the sibling of the calls does
     * @param heard receives what the model of a {@link Talk} is given
     */
    InboxCrew(Consumer<String> effect, Runnable work, Consumer<List<String>> heard) {
        this.effect = effect;
        this.work = work;
        this.heard = heard;
        this.workflow = new InboxWorkflow(effect).build(work);
    }

    Workflow<InboxWorkflow.Errand, String> workflow() {
        return workflow;
    }

    record Effect(String slot) {}

    /** Make a runtime of a process. */
    AgentRuntime runtime(Store store, Wakeups wakeups, RunListener... listeners) {
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
                .workflows(workflow)
                .store(store)
                .providers()
                .wakeups(wakeups)
                .anyoneMayApprove()
                .agents(lead, new TalkAgents(heard).listener());
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
        for (String slot : SLOTS) {
            calls.add(ConversationModel.call("call-" + slot, "effect", Map.of("slot", slot)));
        }
        return ConversationModel.calls(calls);
    }
}
