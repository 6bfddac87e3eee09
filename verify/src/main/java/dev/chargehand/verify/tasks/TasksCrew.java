package dev.chargehand.verify.tasks;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.event.RunListener;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Limit;
import dev.chargehand.store.Store;
import dev.chargehand.verify.harness.OutsideLedger;
import dev.chargehand.verify.scripted.ConversationModel;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A lead that starts a task for each topic, some in each step, and says of which topics it knows the result. */
final class TasksCrew {

    static final String LEAD = "lead";
    static final String THREAD = "conversation";

    /** How many tasks of one agent a process works on at once. */
    static final int PER_AGENT = 5;

    private static final Pattern WRITTEN = Pattern.compile("Wrote ([A-Z_]+-[0-9]+)");
    private static final int CALLS_PER_STEP = 16;
    private static final String KNOWN = "Known: ";

    private final List<Topic> topics;
    private final Clerks clerks;

    /** Make it; what the tasks do is written to {@code ledger}. */
    TasksCrew(List<Topic> topics, OutsideLedger ledger) {
        this.topics = topics;
        this.clerks = new Clerks(ledger);
    }

    /** Make a runtime that executes what any process has started. */
    AgentRuntime runtime(Store store, RunListener listener) {
        Agent lead = Agent.builder(LEAD)
                .model(new ConversationModel(LEAD, this::lead))
                .agents(clerks.clerk())
                .background(b -> b.agents(Clerks.CLERK).retries(1))
                .lastMessages(10 + 3 * topics.size())
                .defaultOptions(options -> options.maxSteps(10 + topics.size() / CALLS_PER_STEP)
                        .limit(Limit.TASKS, topics.size())
                        .limit(Limit.TOOL_CALLS, 10 + topics.size())
                        .limit(Limit.CONTINUATIONS, 10 + topics.size()))
                .build();
        return AgentRuntime.builder()
                .store(store)
                .wakeups(Wakeups.all())
                .background(limits -> limits.perAgent(PER_AGENT))
                .anyoneMayApprove()
                .providers()
                .addListener(listener)
                .agents(lead)
                .build();
    }

    /** Return whether this process has worked on more tasks at once than it may. */
    boolean isOverBound() {
        return clerks.mostWorking() > PER_AGENT;
    }

    /** Return the last answer of a conversation in which nothing was lost. */
    static String answer(List<Topic> topics) {
        return KNOWN + topics.stream().map(Topic::toString).collect(Collectors.toCollection(TreeSet::new));
    }

    private ModelResponse lead(List<Message> conversation) {
        Clerks.pause(conversation.hashCode());
        boolean asked = conversation.stream().anyMatch(message -> message.text().startsWith(KNOWN));
        Set<String> started = conversation.stream()
                .flatMap(message -> message.toolCalls().stream())
                .map(call -> Json.parse(call.arguments())
                        .at("/prompt")
                        .flatMap(Json::string)
                        .orElse(""))
                .collect(Collectors.toSet());
        List<Topic> left = topics.stream()
                .filter(topic -> !started.contains(topic.toString()))
                .limit(CALLS_PER_STEP)
                .toList();
        if (!asked && !left.isEmpty()) {
            return ConversationModel.calls(left.stream().map(TasksCrew::task).toList());
        }
        TreeSet<String> known = new TreeSet<>();
        conversation.stream().filter(Message::internal).forEach(message -> WRITTEN.matcher(message.text())
                .results()
                .map((MatchResult found) -> found.group(1))
                .forEach(known::add));
        return ConversationModel.says(KNOWN + known);
    }

    private static ModelResponse.RequestedCall task(Topic topic) {
        return ConversationModel.call(
                topic.toString(), "agent-" + Clerks.CLERK, Map.of("prompt", topic.toString(), "background", true));
    }
}
