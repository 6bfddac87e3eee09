package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Recovery;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.fixture.PostgresServer;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.jdbc.PostgresOptions;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.FaultyStore.Operation;
import dev.chargehand.testkit.Script;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that is stopped in the middle of a transaction on PostgreSQL holds the row of its run; other runs are recovered. */
@Timeout(60)
class RecoveryPastLockedRunTest {

    private static final int RUNS = 3;

    private String url;

    @BeforeEach
    void make() {
        url = PostgresServer.newStore();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aRunWhoseRowIsHeldIsListedAndTheOthersContinue(int nth) throws SQLException {
        List<RunId> others = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            others.add(leave());
        }
        RunId held = others.remove(nth);
        try (AgentRuntime runtime = runtime(open())) {
            try (Connection stopped = hold(held)) {
                Recovery recovery = runtime.recover();

                assertThat(recovery.timedOut()).containsExactly(held);
                assertThat(recovery.runIds()).containsExactlyInAnyOrderElementsOf(others);
                assertThat(recovery.await()).extracting(RunResult::text).containsExactly("ok", "ok");
                stopped.rollback();
            }
            Recovery later = runtime.recover();

            assertThat(later.timedOut()).isEmpty();
            assertThat(later.runIds()).containsExactly(held);
            assertThat(later.await()).extracting(RunResult::text).containsExactly("ok");
        }
    }

    /** Start a run whose process ends in its middle. */
    private RunId leave() {
        FaultyStore dying = FaultyStore.over(open()).failOn(Operation.APPEND, 2);
        try (AgentRuntime runtime = runtime(dying)) {
            return catchThrowableOfType(RunFailedException.class, () -> runtime.agent("solo")
                            .generate("Go"))
                    .result()
                    .runId();
        }
    }

    private Connection hold(RunId run) throws SQLException {
        Connection connection = DriverManager.getConnection(url, PostgresServer.USER, "");
        connection.setAutoCommit(false);
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT 1 FROM chargehand.runs WHERE run_id = ? FOR UPDATE")) {
            statement.setString(1, run.value());
            assertThat(statement.executeQuery().next()).isTrue();
        }
        return connection;
    }

    private Store open() {
        return JdbcStore.postgres(
                url, PostgresServer.USER, "", PostgresOptions.DEFAULT.callLimit(Duration.ofSeconds(2)));
    }

    private static AgentRuntime runtime(Store store) {
        Script script = Scripts.on("solo", Turn.says("ok").forever());
        return AgentRuntime.builder()
                .store(store)
                .wakeups(Wakeups.off())
                .providers()
                .agents(Agent.builder("solo").model(script.modelFor("solo")).build())
                .build();
    }
}
