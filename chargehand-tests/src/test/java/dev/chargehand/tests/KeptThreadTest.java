package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.jdbc.SqliteOptions;
import dev.chargehand.run.BusyThreadPolicy;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Store;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run that waits for a thread which another run keeps after its process left it: it waits for as long, and no longer. */
@Timeout(120)
class KeptThreadTest extends LeftRunFixture {

    private static final Duration GRACE = Duration.ofSeconds(3);

    private final AtomicInteger asked = new AtomicInteger();

    @TempDir
    Path folder;

    @Test
    void aRunThatWasReleasedIsWaitedForWithoutCallsOfTheUsersCode() {
        RunId left = left();

        assertLaterRunsWaitFor(left);
    }

    @Test
    void soIsARunWhoseProcessIsGoneAlthoughItsLeaseHasNotEnded() throws SQLException {
        RunId left = left();
        String gone = execute("SELECT owner FROM owners").replaceFirst(":[0-9]+:", ":4194304:"); // no such process
        execute("UPDATE runs SET released_at = 0, owner = '" + gone + "'");
        execute("INSERT INTO owners (owner, alive_until) VALUES ('" + gone + "', 9999999999999)");

        assertLaterRunsWaitFor(left);
    }

    private void assertLaterRunsWaitFor(RunId left) {
        mayEnd.countDown();
        try (AgentRuntime runtime = runtime(store(), Wakeups.off())) {
            Agent later = runtime.bind(Agent.builder("later")
                    .instructionsFrom(context -> {
                        asked.incrementAndGet();
                        return "Go.";
                    })
                    .model(Scripts.on("later").says("Later.").modelFor("later"))
                    .build());
            assertThatThrownBy(() -> later.generate(
                            "Now", o -> o.thread("t").resource("ann").busyThread(BusyThreadPolicy.REJECT)))
                    .isInstanceOfSatisfying(ThreadBusyException.class, e -> assertThat(e.runId())
                            .isEqualTo(left.value()));
            asked.set(0);

            assertThat(later.generate("When I may", o -> o.thread("t").resource("ann"))
                            .text())
                    .isEqualTo("Later.");

            assertThat(asked).hasValueLessThanOrEqualTo(3);
            assertThat(runtime.resume(left, o -> {}).result().text()).isEqualTo("Heard Go");
        }
    }

    private RunId left() {
        return left(store(), "Go");
    }

    private String execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = connection.createStatement()) {
            return statement.execute(sql) ? statement.getResultSet().getString(1) : "";
        }
    }

    private Path file() {
        return folder.resolve("store.db");
    }

    private Store store() {
        return JdbcStore.sqlite(file(), SqliteOptions.DEFAULT.threadGrace(GRACE));
    }
}
