package dev.chargehand.tests.background;

import dev.chargehand.Wakeups;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunsCursor;
import dev.chargehand.event.RunsWatch;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.TestRuntime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Processes that execute or read conversations, and what is read. */
final class WatchFixture {

    private WatchFixture() {}

    static TestRuntime working(Store store) {
        return TaskFixture.runtime(store, TaskFixture.script()).build();
    }

    /** A process that executes nothing. */
    static TestRuntime reading(Store store) {
        return TaskFixture.runtime(store, TaskFixture.script())
                .wakeups(Wakeups.off())
                .build();
    }

    static RunsWatch watch(TestRuntime test, @Nullable RunsCursor after) {
        return test.runtime().watchThread(TaskFixture.ANN, "t", after);
    }

    /** Read until an event that says something was taken. */
    static List<RunEvent> readUntil(RunsWatch watch, String last) {
        List<RunEvent> events = new ArrayList<>();
        for (RunEvent event : watch) {
            events.add(event);
            if (event instanceof RunEvent.RunFinish finish && finish.text().equals(last)) {
                break;
            }
        }
        return events;
    }

    static List<String> ids(List<RunEvent> events) {
        return events.stream()
                .flatMap(event -> event.origin().id().stream().map(id -> event.runId() + " " + id + " " + event.type()))
                .toList();
    }

    static List<String> mainTypes(List<RunEvent> events) {
        return events.stream()
                .map(RunEvent::type)
                .filter(type -> type.startsWith("run-") || type.startsWith("background-task"))
                .filter(type -> !type.endsWith("progress"))
                .toList();
    }
}
