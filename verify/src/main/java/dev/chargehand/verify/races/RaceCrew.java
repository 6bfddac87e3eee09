package dev.chargehand.verify.races;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.ApproverCheck;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.store.Store;
import dev.chargehand.tool.Tool;
import dev.chargehand.verify.scripted.ConversationModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * An agent whose calls wait for approval, one whose sub-agent's calls do, and {@link RaceWorkflows workflows} whose steps do.
 *
 * <p>A task is a name and what is to be approved: {@code case-7 a b}. The answer reports each outcome:
 * {@code a=ok b=declined}.
 */
final class RaceCrew {

    private static final long WORK_NANOS = 200_000;

    private final Effects effects;
    private final RaceWorkflows workflows;

    RaceCrew(Effects effects) {
        this.effects = effects;
        this.workflows = new RaceWorkflows(effects);
    }

    RaceWorkflows workflows() {
        return workflows;
    }

    /** What the tools take. */
    record Effect(String task, String slot) {}

    /** Make a runtime in which both can be run. */
    AgentRuntime runtime(Store store, ApproverCheck check) {
        Agent clerk = agent("clerk", "Carries out.", RaceCrew::carryOut).build();
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .wakeups(Wakeups.off()) // the contenders resume what they answer
                .approverCheck(check)
                .workflows(workflows.all())
                .agents(
                        agent("lead", "Leads.", RaceCrew::carryOut).build(),
                        Agent.builder("boss")
                                .instructions("You delegate.")
                                .model(new ConversationModel("boss", RaceCrew::delegate))
                                .agents(clerk)
                                .build())
                .build();
    }

    private AgentBuilder agent(String id, String description, Function<List<Message>, ModelResponse> model) {
        return Agent.builder(id)
                .description(description)
                .instructions("You carry out.")
                .model(new ConversationModel(id, model))
                .tools(
                        Tool.builder("effect", "Carries something out.")
                                .input(Effect.class)
                                .requiresApproval()
                                .handler((in, context) -> carriedOut(in))
                                .build(),
                        Tool.builder("ask", "Asks how much, then carries it out.")
                                .input(Effect.class)
                                .suspends(String.class, Integer.class)
                                .handler((in, context) -> context.providedData().isEmpty()
                                        ? context.suspend("How much?")
                                        : carriedOut(in)
                                                + context.providedData().get())
                                .build());
    }

    private String carriedOut(Effect effect) {
        effects.add(effect.task(), effect.slot());
        if ((effect.task().hashCode() & 1) == 0) {
            LockSupport.parkNanos(WORK_NANOS); // so that others come while it is at work
        }
        return "ok";
    }

    private static ModelResponse carryOut(List<Message> conversation) {
        Task task = Task.parse(ConversationModel.task(conversation));
        if (isAnswered(conversation)) {
            return ConversationModel.says(resultOf(task, conversation, RaceCrew::outcome));
        }
        List<ModelResponse.RequestedCall> calls = new ArrayList<>();
        for (String slot : task.slots()) {
            Map<String, String> arguments = Map.of("task", task.name(), "slot", slot);
            calls.add(ConversationModel.call(slot, Shape.wantsData(slot) ? "ask" : "effect", arguments));
        }
        return ConversationModel.calls(calls);
    }

    private static ModelResponse delegate(List<Message> conversation) {
        Task task = Task.parse(ConversationModel.task(conversation));
        if (isAnswered(conversation)) {
            return ConversationModel.says(
                    resultOf(task, conversation, result -> "," + ConversationModel.unfenced(result)));
        }
        List<ModelResponse.RequestedCall> calls = new ArrayList<>();
        for (String slot : task.slots()) {
            calls.add(ConversationModel.call(slot, "agent-clerk", Map.of("prompt", task.name() + " " + slot)));
        }
        return ConversationModel.calls(calls);
    }

    private static boolean isAnswered(List<Message> conversation) {
        return conversation.getLast().role() == Role.TOOL;
    }

    private static String resultOf(Task task, List<Message> conversation, Function<Part.ToolResult, String> outcome) {
        List<Part.ToolResult> results = conversation.getLast().toolResults();
        List<String> said = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            String became = outcome.apply(results.get(i));
            said.add(became.startsWith(",") ? became.substring(1) : task.slots().get(i) + "=" + became);
        }
        return String.join(" ", said);
    }

    private static String outcome(Part.ToolResult result) {
        return result.error() ? outcome(result.output()) : result.output();
    }

    /** Return the outcome of a call, by its error. */
    static String outcome(String error) {
        if (error.contains("No answer arrived in time")) {
            return "expired";
        }
        return error.contains("not approved") || error.contains("did not get the data")
                ? "declined"
                : "failed: " + error;
    }

    /** A task as it is written in a prompt. */
    record Task(String name, List<String> slots) {

        static Task parse(String text) {
            List<String> words = List.of(text.split(" ", -1));
            return new Task(words.getFirst(), words.subList(1, words.size()));
        }
    }
}
