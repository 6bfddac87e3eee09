package dev.chargehand.verify.memory;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.DelegationMemory;
import dev.chargehand.store.Store;
import dev.chargehand.verify.scripted.ConversationModel;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * A lead that notes each turn in its working memory, asks its sub-agent at times, which notes it too, and answers. Both
 * recall earlier messages, and say when they see a text of another owner.
 */
final class MemoryCrew {

    private static final String NOTED = "Stored as revision";

    private static final int MOST_TRIES = 20;

    private final Consumer<String> foreign;

    /** Make it; {@code foreign} is called with what a model has seen of another owner. */
    MemoryCrew(Consumer<String> foreign) {
        this.foreign = foreign;
    }

    /** Make a runtime of the lead and the clerk. */
    AgentRuntime runtime(Store store, Wakeups wakeups) {
        Agent clerk = agent(Owner.CLERK, MemoryCrew::clerk)
                .delegationMemory(DelegationMemory.PER_PARENT_THREAD)
                .build();
        Agent lead = agent(Owner.LEAD, MemoryCrew::lead).agents(clerk).build();
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .wakeups(wakeups)
                .agents(lead, clerk)
                .build();
    }

    private AgentBuilder agent(String id, BiFunction<Turn, List<Part.ToolResult>, ModelResponse> answers) {
        return Agent.builder(id)
                .description("Notes.")
                .instructions("You note.")
                .model(new ConversationModel(id, conversation -> {
                    check(id, conversation);
                    return answers.apply(Turn.of(ConversationModel.task(conversation)), results(conversation));
                }))
                .memory(memory -> memory.lastMessages(2)
                        .semanticRecall(recall -> recall.by(new SlowWords()))
                        .workingMemory(WorkingMemory.template("Notes:\n")));
    }

    private static ModelResponse lead(Turn turn, List<Part.ToolResult> results) {
        Owner owner = turn.owner();
        if (!isNoted(results)) {
            return note(turn.note(owner), results.size());
        }
        if (turn.isDelegated()
                && results.stream().noneMatch(result -> result.toolName().equals("agent-clerk"))) {
            return call(results.size(), "agent-clerk", Map.of("prompt", turn.prompt()));
        }
        return ConversationModel.says(turn.answer());
    }

    private static ModelResponse clerk(Turn turn, List<Part.ToolResult> results) {
        return isNoted(results)
                ? ConversationModel.says(turn.result())
                : note(turn.note(turn.owner().clerk()), results.size());
    }

    /** An edit that others were faster than, again and again, changes nothing, and the model tries again. */
    private static boolean isNoted(List<Part.ToolResult> results) {
        return results.size() > MOST_TRIES
                || results.stream().anyMatch(result -> result.output().contains(NOTED));
    }

    private static ModelResponse note(String line, int number) {
        return call(number, "updateWorkingMemory", Map.of("edits", List.of(Map.of("find", "", "write", line + "\n"))));
    }

    private static ModelResponse call(int number, String tool, Object arguments) {
        return ConversationModel.calls(List.of(ConversationModel.call("call" + number, tool, arguments)));
    }

    private static List<Part.ToolResult> results(List<Message> conversation) {
        int task = 0;
        for (int i = 0; i < conversation.size(); i++) {
            Message message = conversation.get(i);
            task = message.role() == Role.USER && !message.internal() ? i : task;
        }
        return conversation.subList(task, conversation.size()).stream()
                .filter(message -> message.role() == Role.TOOL)
                .flatMap(message -> message.toolResults().stream())
                .toList();
    }

    /** What was remembered is of the same owner; a conversation is of the same resource, the lead's and the clerk's. */
    private void check(String agent, List<Message> conversation) {
        String task = ConversationModel.task(conversation);
        Owner own = Owner.of(task).orElseThrow(() -> new IllegalStateException("This names no owner: " + task));
        if (!own.agent().equals(agent)) {
            foreign.accept(agent + " was asked as " + own.label());
        }
        for (Message message : conversation) {
            StringBuilder text = new StringBuilder(message.text());
            message.toolResults().forEach(result -> text.append(result.output()));
            for (Owner other : Owner.in(text.toString())) {
                if (message.internal() ? !other.equals(own) : !other.isBeside(own)) {
                    foreign.accept(own.label() + " saw " + other.label() + " in: " + message.text());
                }
            }
        }
    }
}
