package dev.chargehand.verify.tasks;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.event.RunListener;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import dev.chargehand.store.Store;
import dev.chargehand.tool.Tool;
import dev.chargehand.verify.scripted.ConversationModel;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A lead that has three clerks write one entry each in the background, and says which entries it knows of. */
final class TasksCrew {

    static final String THREAD = "conversation";
    static final List<String> TOPICS = List.of("a", "b", "c");

    /** The answer to a conversation in which nothing was lost. */
    static final String ANSWER = "Known: [a, b, c]";

    private static final Pattern WRITTEN = Pattern.compile("Wrote ([abc])");
    private static final Usage USAGE = new Usage(1, 1, 0, 0);
    private static final int MOST_MILLIS = 15;

    private final Consumer<String> effect;

    /** Make it; {@code effect} is called with the key of each entry, and must have happened when it returns. */
    TasksCrew(Consumer<String> effect) {
        this.effect = effect;
    }

    /** What the tool takes. */
    record Entry(String topic) {}

    /** Make a runtime that executes what any process has started. */
    AgentRuntime runtime(Store store, RunListener listener) {
        Agent clerk = Agent.builder("clerk")
                .description("Writes an entry.")
                .model(new ConversationModel("clerk", TasksCrew::clerk))
                .tools(Tool.builder("write", "Writes an entry.")
                        .input(Entry.class)
                        .repeatable()
                        .handler((in, context) -> written(in.topic() + " " + context.idempotencyKey()))
                        .build())
                .build();
        Agent lead = Agent.builder("lead")
                .model(new ConversationModel("lead", TasksCrew::lead))
                .agents(clerk)
                .background(b -> b.agents("clerk").retries(1))
                .build();
        return AgentRuntime.builder()
                .store(store)
                .wakeups(Wakeups.all())
                .providers()
                .addListener(listener)
                .agents(lead)
                .build();
    }

    private String written(String key) {
        pause(key.hashCode());
        effect.accept(key);
        return "ok";
    }

    private static ModelResponse clerk(List<Message> conversation) {
        pause(conversation.hashCode());
        String topic = conversation.stream()
                .filter(message -> message.role() == Role.USER)
                .reduce((one, other) -> other)
                .map(Message::text)
                .orElse("");
        return conversation.getLast().role() == Role.TOOL
                ? said("Wrote " + topic)
                : calls(new ModelResponse.RequestedCall("write", "write", "{\"topic\":\"" + topic + "\"}"));
    }

    private static ModelResponse lead(List<Message> conversation) {
        pause(conversation.hashCode());
        boolean asked = conversation.stream().anyMatch(message -> message.role() == Role.ASSISTANT);
        if (!asked) {
            return calls(TOPICS.stream()
                    .map(topic -> new ModelResponse.RequestedCall(
                            topic, "agent-clerk", "{\"prompt\":\"" + topic + "\",\"background\":true}"))
                    .toArray(ModelResponse.RequestedCall[]::new));
        }
        TreeSet<String> known = new TreeSet<>();
        conversation.stream().filter(Message::internal).forEach(message -> WRITTEN.matcher(message.text())
                .results()
                .map((MatchResult found) -> found.group(1))
                .forEach(known::add));
        return said("Known: " + known);
    }

    private static ModelResponse said(String text) {
        return ModelResponse.text(text, USAGE);
    }

    private static ModelResponse calls(ModelResponse.RequestedCall... calls) {
        return new ModelResponse("", "", List.of(calls), FinishReason.TOOL_CALLS, USAGE);
    }

    /** Takes a while, so that a process is killed in the middle of it. */
    private static void pause(int hash) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(Math.floorMod(hash, MOST_MILLIS)));
    }
}
