package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Until;
import dev.chargehand.Wakeups;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunsWatch;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.thread.ThreadOwner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers of a conversation from the moment on at which they are opened. */
@Timeout(180)
class FollowThreadTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(longs = {1, 600})
    void itHasTheRunsThatHaveNotEndedAndThoseThatFollow(long secondsBefore) {
        try (TestRuntime test = TaskFixture.runtime(
                        JdbcStore.sqlite(folder.resolve("followed.db")), TaskFixture.script())
                .wakeups(Wakeups.off())
                .manualClock()
                .build()) {
            RunId ended = run(test, "First");
            RunId open =
                    test.runtime().submit(test.agent("boss"), List.of(Message.user("Second")), TaskFixture.onThread());
            test.clock().advance(Duration.ofSeconds(secondsBefore));
            try (RunsWatch watch = test.runtime().followThread(TaskFixture.ANN, "t")) {
                var unused = test.runtime().advance(open, Until.never());
                Iterator<RunEvent> events = watch.iterator();
                assertThat(whole(events, open)).startsWith("run-start");
                test.clock().advance(Duration.ofSeconds(secondsBefore));
                RunId later = run(test, "Third");
                assertThat(whole(events, later)).startsWith("run-start");
                assertThat(List.of(ended, open, later)).doesNotHaveDuplicates();
            }
        }
    }

    private static RunId run(TestRuntime test, String text) {
        return test.agent("boss").generate(text, TaskFixture.onThread()).runId();
    }

    /** Read the types of the events of a run to its end; no event is of another. */
    private static List<String> whole(Iterator<RunEvent> events, RunId run) {
        List<String> types = new ArrayList<>();
        while (types.isEmpty() || !types.getLast().equals("run-finish")) {
            RunEvent event = events.next();
            assertThat(event.runId()).isEqualTo(run);
            types.add(event.type());
        }
        return types;
    }

    @Test
    void whatCannotBeFollowedIsRejected() {
        try (TestRuntime test = WatchFixture.working(JdbcStore.sqlite(folder.resolve("own.db")))) {
            RunId unused = run(test, "First");
            assertThatThrownBy(() -> test.runtime().followThread(ThreadOwner.of("bob"), "t"))
                    .isInstanceOf(ThreadOwnershipException.class);
        }
        try (TestRuntime test = WatchFixture.working(InMemoryStore.create())) {
            assertThatThrownBy(() -> test.runtime().followThread(TaskFixture.ANN, "t"))
                    .isInstanceOf(ConfigurationException.class);
        }
    }
}
