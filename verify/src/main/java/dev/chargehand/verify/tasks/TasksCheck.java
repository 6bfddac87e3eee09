package dev.chargehand.verify.tasks;

import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.TaskStatus;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.verify.harness.OutsideLedger;
import dev.chargehand.verify.stores.StorePlace;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * What must be true of a conversation that has ended: each task has ended once, its result is in the thread once and was
 * read once, each effect has one key, and the last answer knows all results.
 */
final class TasksCheck {

    /** The most of a page; 200 tasks have half as many runs and messages. */
    private static final int PAGE = 1000;

    private final List<Topic> topics;
    private final OutsideLedger ledger;
    private final BiConsumer<String, String> fault;

    TasksCheck(List<Topic> topics, OutsideLedger ledger, BiConsumer<String, String> fault) {
        this.topics = topics;
        this.ledger = ledger;
        this.fault = fault;
    }

    void check(StorePlace place) {
        checkEffects();
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(place.open())
                .providers()
                .wakeups(Wakeups.off())
                .build()) {
            checkTasks(runtime);
            checkEnds(runtime);
            checkThread(runtime);
        }
    }

    /** Count the effects of each topic by their keys; what may not be repeated happened once. */
    private void checkEffects() {
        Map<String, List<OutsideLedger.Effect>> effects = ledger.bySubject();
        for (Topic topic : topics) {
            List<OutsideLedger.Effect> own = effects.getOrDefault(topic.toString(), List.of());
            long keys = own.stream().map(OutsideLedger.Effect::key).distinct().count();
            if (own.isEmpty()) {
                fault.accept("lost", topic + " has no effect");
            } else if (keys != 1 || (topic.isSigned() && own.size() != 1)) {
                fault.accept("doubled", topic + " had " + own.size() + " effects under " + keys + " keys");
            }
        }
    }

    private void checkTasks(AgentRuntime runtime) {
        List<Task> tasks = runtime.tasks(TaskFilter.ALL);
        Set<String> ids = new HashSet<>();
        for (Task task : tasks) {
            ids.add(task.id().value());
            if (task.readBy().isEmpty() || task.status() != TaskStatus.COMPLETED) {
                fault.accept("different", task + " has no reader, or another end");
            }
        }
        if (ids.size() != topics.size() || tasks.size() != topics.size()) {
            fault.accept("different", tasks.size() + " tasks with " + ids.size() + " ids");
        }
    }

    /** Every run has completed, but first attempts of tasks that failed as they were to. */
    private void checkEnds(AgentRuntime runtime) {
        long unsteady = topics.stream()
                .filter(topic -> topic.kind() == Topic.Kind.UNSTEADY)
                .count();
        List<RunRecord> others = runtime.runs(RunFilter.ALL.limit(PAGE)).stream()
                .filter(run -> run.status() != RunStatus.COMPLETED)
                .toList();
        List<RunRecord> failed = others.stream()
                .filter(run -> run.status() == RunStatus.FAILED && run.task().isPresent())
                .toList();
        if (failed.size() > unsteady) {
            fault.accept("different", failed.size() + " attempts have failed");
        }
        others.stream()
                .filter(run -> !failed.contains(run))
                .forEach(run -> fault.accept("different", run.path() + " is " + run.status() + ": " + run.summary()));
    }

    private void checkThread(AgentRuntime runtime) {
        List<Message> messages = runtime.threads().lastMessages(ThreadOwner.of(null), TasksCrew.THREAD, PAGE).stream()
                .map(ThreadMessage::message)
                .toList();
        for (Topic topic : topics) {
            long results = messages.stream()
                    .filter(message -> message.internal() && message.text().matches("(?s).*Wrote " + topic + "\\b.*"))
                    .count();
            if (results != 1) {
                fault.accept(results == 0 ? "lost" : "doubled", "the thread has " + results + " results of " + topic);
            }
        }
        String last = messages.stream()
                .filter(message -> message.role() == Role.ASSISTANT)
                .reduce((one, other) -> other)
                .map(Message::text)
                .orElse("");
        if (!last.equals(TasksCrew.answer(topics))) {
            fault.accept("different", "the last answer is <" + last + ">");
        }
    }
}
