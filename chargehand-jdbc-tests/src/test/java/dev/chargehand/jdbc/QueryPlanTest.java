package dev.chargehand.jdbc;

import static dev.chargehand.jdbc.Runs.ANN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.PayloadTable;
import dev.chargehand.jdbc.internal.sql.RunRows;
import dev.chargehand.jdbc.internal.sql.Tables;
import dev.chargehand.jdbc.internal.sql.ThreadTable;
import dev.chargehand.jdbc.internal.sql.ThreadTaking;
import dev.chargehand.jdbc.internal.sql.deletion.Deletions;
import dev.chargehand.jdbc.internal.sql.due.DueTable;
import dev.chargehand.jdbc.internal.sql.memory.MemoryTables;
import dev.chargehand.jdbc.internal.sql.memory.ObservationTable;
import dev.chargehand.jdbc.internal.sql.memory.UsageTable;
import dev.chargehand.jdbc.internal.sql.memory.VectorForm;
import dev.chargehand.jdbc.internal.sql.memory.VectorTable;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.DueRuns;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.store.memory.IndexedRange;
import dev.chargehand.store.memory.MemoryUsage;
import dev.chargehand.store.memory.NewObservation;
import dev.chargehand.store.memory.NewReflection;
import dev.chargehand.store.memory.Passage;
import dev.chargehand.store.memory.PassageQuery;
import dev.chargehand.store.memory.UnitVector;
import dev.chargehand.store.memory.VectorSpace;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is looked up again and again is found by an index, however much there is; told by SQLite's own plans. */
class QueryPlanTest {

    @TempDir
    Path folder;

    @AutoClose
    private JdbcStore store;

    @BeforeEach
    void open() {
        store = JdbcStore.sqlite(folder.resolve("store.db"));
        String large = "x".repeat(20_000);
        store.append(Runs.start("r", "{}")
                .threads(List.of(new ThreadAppend("t", ANN, null, null, List.of(new ThreadEntry("m", large))))));
    }

    @Test
    void runsThatExpireAreFoundByTheirExpiryWhateverElseIsAskedFor() {
        RunFilter expiring = RunFilter.ROOTS.expiringBefore(Runs.START);
        for (RunFilter filter : List.of(
                expiring,
                expiring.statuses(RunStatus.SUSPENDED),
                expiring.thread("t").resource("ann"),
                expiring.before(new RunId("r")))) {
            assertThat(plans(session -> new RunRows(Dialect.SQLITE, Store.LOCAL).list(session, filter)))
                    .as(filter.toString())
                    .contains("runs_by_expiry")
                    .doesNotContain("runs_by_status", "runs_by_start", "SCAN runs");
        }
    }

    @Test
    void runsOfAnEarlierVersionThatHaveNotEndedAreFoundByTheirOwnIndex() {
        RunFilter outdated = RunFilter.ALL.outdated(true);
        for (RunFilter filter : List.of(outdated, outdated.before(new RunId("r")))) {
            assertThat(plans(session -> new RunRows(Dialect.SQLITE, null).list(session, filter)))
                    .as(filter.toString())
                    .contains("runs_outdated")
                    .doesNotContain("runs_by_status", "runs_by_start", "SCAN runs");
        }
    }

    @Test
    void runsOfAnAgentAreFoundByTheirAgent() {
        RunFilter agent = RunFilter.ROOTS.agent("boss").startedFrom(Runs.START);

        assertThat(plans(session -> new RunRows(Dialect.SQLITE, Store.LOCAL).list(session, agent)))
                .contains("runs_by_agent")
                .doesNotContain("runs_by_start", "TEMP B-TREE", "SCAN runs");
    }

    @Test
    void whoIsAtWorkOnAThreadIsFoundAmongThoseAtWork() {
        int updated = store.write(session -> session.execute("UPDATE runs SET thread_id = 't'"));
        ThreadTaking taking =
                new ThreadTaking(Dialect.SQLITE, Store.LOCAL, session -> Runs.START, Duration.ofMinutes(1));

        assertThat(updated).isEqualTo(1);
        assertThat(plans(session -> taking.take(session, new RunId("r"))))
                .contains("runs_at_work")
                .doesNotContain("runs_by_thread", "SCAN r", "SCAN o");
    }

    @Test
    void whatIsDueIsFoundAmongTheRowsThatAre() {
        store.append(Runs.start("p", "{}").status(RunStatus.PENDING));
        for (DueRuns.Scope scope : DueRuns.Scope.values()) {
            DueRuns.Query query = new DueRuns.Query("me", scope, Runs.START, DueRuns.Turns.FIRST, 100);
            String plans = plans(
                    session -> new DueTable(Dialect.SQLITE, Duration.ofMinutes(1)).due(session, query, Runs.START));
            assertThat(plans)
                    .contains("runs_to_read", "runs_to_wake", "runs_pending", "runs_at_work")
                    .doesNotContain("SCAN runs\n", "SCAN r\n", "SCAN p\n", "SCAN waiting\n");
            if (scope != DueRuns.Scope.NONE) {
                assertThat(plans).contains("waiting_to_expire");
            }
        }
    }

    @Test
    void theOperatorsListsAreReadByIndexesToo() {
        for (RunFilter filter : List.of(
                RunFilter.ROOTS.statuses(RunStatus.RUNNING, RunStatus.PENDING),
                RunFilter.ROOTS.statuses(RunStatus.SUSPENDED).woken(true),
                RunFilter.ALL.leftBelow(true))) {
            assertThat(plans(session -> new RunRows(Dialect.SQLITE, null).list(session, filter)))
                    .as(filter.toString())
                    .contains("runs_by_status (tenant_id=? AND status=?")
                    .doesNotContain("SCAN run\n", "SCAN run USING", "SCAN runs\n");
        }
        assertThat(plans(session -> new RunRows(Dialect.SQLITE, null).list(session, RunFilter.ROOTS)))
                .contains("runs_of_all_tenants")
                .doesNotContain("TEMP B-TREE");
    }

    @Test
    void endedRunsAreFoundByTheirStatusAndDeletedByIndexes() {
        for (boolean ofAllTenants : new boolean[] {false, true}) {
            store.append(Runs.start("ended", '"' + "y".repeat(20_000) + '"').status(RunStatus.COMPLETED));
            assertThat(deletionPlans(new Deletion.EndedRuns(Instant.MAX, 10, ofAllTenants), 1))
                    .contains(
                            "runs_by_status (tenant_id=? AND status=? AND started_at<?)",
                            "runs_by_root (tenant_id=? AND root_run_id=?)",
                            "idempotency_by_run",
                            "facts_by_payload")
                    .doesNotContain("SCAN run\n", "SCAN run USING", "SCAN runs", "SCAN below", "SCAN facts\n");
        }
    }

    @Test
    void whoElseHasAPayloadIsFoundByIndexes() {
        assertThat(deletionPlans(new Deletion.OneThread("t", ANN), 1))
                .contains("INDEX facts_by_payload", "INDEX messages_by_payload")
                .doesNotContain("SCAN facts", "SCAN thread_messages", "SCAN payloads");
    }

    @Test
    void whatIsRememberedIsFoundByIndexes() {
        MemoryTables memory = MemoryTables.of(Dialect.SQLITE, Store.LOCAL, VectorForm.BYTES);
        VectorSpace space = new VectorSpace("model", 1, 1);
        UnitVector vector = UnitVector.of(new float[] {1}).orElseThrow();
        List<VectorTable.Stored> passages = memory.vectors().stored(space, List.of(new Passage(0, 0, vector)));
        PassageQuery.Among one = new PassageQuery.Among("t", "t", 1);

        assertThat(plans(session -> memory.work().due(session, 0, 9, Runs.START, Runs.START)))
                .contains("threads_memory_due")
                .doesNotContain("TEMP B-TREE");
        assertThat(plans(session -> assertThat(memory.vectors()
                                .index(
                                        session,
                                        ANN,
                                        "t",
                                        space,
                                        Optional.empty(),
                                        IndexedRange.of(0, 1),
                                        passages,
                                        Runs.START))
                        .isTrue()))
                .doesNotContain("SCAN m\n", "SCAN threads", "SCAN memory", "SCAN spaces");
        assertThat(plans(session -> memory.vectors()
                        .nearest(
                                session,
                                new PassageQuery(ANN, space, vector, PassageQuery.Among.ALL, 1, 0),
                                Runs.START)))
                .contains("vectors_of_owners (scope=? AND space=?)")
                .doesNotContain("SCAN", "TEMP B-TREE");
        assertThat(plans(session ->
                        memory.vectors().nearest(session, new PassageQuery(ANN, space, vector, one, 1, 0), Runs.START)))
                .contains("(thread=? AND space=?)")
                .doesNotContain("SCAN", "TEMP B-TREE", "vectors_of_owners");
        assertThat(plans(session -> {
                    var stored = memory.workingMemory().edit(session, ANN, "t", 0, "key", "text", Runs.START);
                    assertThat(memory.workingMemory().newest(session, ANN, "t")).isPresent();
                    memory.copy(session, new ThreadTable.Copied(1, 1_000, ThreadOwner.of("bob")), 0);
                    memory.delete(session, 1);
                    assertThat(memory.vectors().delete(session, ANN, space)).isEqualTo(1);
                    assertThat(stored).isNotNull();
                }))
                .contains("memory_scopes_of_threads", "memory_cursors_of_owners")
                .doesNotContain("SCAN");
    }

    @Test
    void copiesOfAThreadAreFoundByAnIndex() {
        ThreadTable threads = new ThreadTable(Dialect.SQLITE, Store.LOCAL, new PayloadTable(Dialect.SQLITE));
        for (ThreadOwner owner : List.of(ANN, ThreadOwner.of(null), new ThreadOwner("ann", "boss"))) {
            assertThat(plans(session -> assertThat(threads.list(session, new ThreadRecord.Filter(owner, "t", 0, 9)))
                            .isEmpty()))
                    .doesNotContain("SCAN");
        }
    }

    @Test
    void observationsAreFoundByTheirNumbers() {
        ObservationTable observations =
                MemoryTables.of(Dialect.SQLITE, Store.LOCAL, VectorForm.BYTES).observations();
        NewObservation observation = new NewObservation(0, 1, List.of("m"), "text", 1, Runs.START);
        NewReflection reflection = new NewReflection(1, "shorter", 1, Runs.START);

        assertThat(plans(session -> {
                    assertThat(observations.observe(session, ANN, "t", observation))
                            .hasValue(1);
                    assertThat(observations.reflect(session, ANN, "t", reflection))
                            .hasValue(2);
                }))
                .doesNotContain("SCAN", "TEMP B-TREE");
        assertThat(plans(session -> assertThat(observations
                                .log(session, ANN, "t", Long.MAX_VALUE)
                                .observations())
                        .hasSize(1)))
                .contains(
                        "SEARCH observations USING INDEX sqlite_autoindex_observations_1 (thread=? AND number>? AND number<?)")
                .doesNotContain("SCAN");
    }

    @Test
    void observedThreadsAreFoundByTheirOwner() {
        ObservationTable observations =
                MemoryTables.of(Dialect.SQLITE, Store.LOCAL, VectorForm.BYTES).observations();
        for (ThreadOwner owner : List.of(ANN, new ThreadOwner(null, null))) {
            assertThat(plans(session -> assertThat(observations.observedThreads(session, owner, 9))
                            .isEmpty()))
                    .contains("conversations (tenant_id=? AND resource_id=?)")
                    .doesNotContain("SCAN", "TEMP B-TREE");
        }
        for (ThreadOwner owner : List.of(new ThreadOwner("ann", "boss"), new ThreadOwner(null, "boss"))) {
            assertThat(plans(session -> assertThat(observations.observedThreads(session, owner, 9))
                            .isEmpty()))
                    .contains("threads_of_agents (tenant_id=? AND resource_id=?)")
                    .doesNotContain("SCAN");
        }
    }

    @Test
    void whatBelongsToAThreadOrAResourceIsFoundByIndexes() {
        store.append(Runs.start("ended", "{}").status(RunStatus.COMPLETED));
        int updated = store.write(session ->
                session.execute("UPDATE runs SET thread_id = 't', resource_id = 'ann' WHERE run_id = 'ended'"));
        assertThat(updated).isEqualTo(1);
        for (Deletion deletion : List.of(
                new Deletion.MessagesOfThread("t", ANN, Set.of("m"), Set.of(new RunId("ended"))),
                new Deletion.RunsOfThread("t", ANN, 9),
                new Deletion.RunsOfResource("ann", 9),
                new Deletion.ThreadsOfResource("ann", 9),
                new Deletion.MemoryOfResource("ann"),
                new Deletion.OneRun(new RunId("ended")),
                new Deletion.OldUsage(LocalDate.EPOCH, 9))) {
            assertThat(plans(session -> deletions().delete(session, deletion))
                            .replace("SCAN of_thread", "the tasks that were found"))
                    .as(deletion.toString())
                    .doesNotContain("SCAN");
        }
    }

    @Test
    void whatMemoryDoesNotUseIsFoundByIndexes() {
        VectorTable vectors =
                MemoryTables.of(Dialect.SQLITE, Store.LOCAL, VectorForm.BYTES).vectors();
        VectorSpace space = new VectorSpace("model", 1, 1);
        boolean ignored = store.write(session -> vectors.index(
                session, ANN, "t", space, Optional.empty(), IndexedRange.of(0, 1), List.of(), Runs.START));
        assertThat(deletionPlans(new Deletion.UnusedVectors(Runs.START.plusMillis(1), 9), 1))
                .contains(
                        "memory_cursors_of_spaces (space=?)",
                        "vectors USING COVERING INDEX",
                        "(thread=? AND space=? AND position<?)")
                .doesNotContain("SCAN memory", "SCAN vectors");
        assertThat(deletionPlans(new Deletion.OldEditKeys(Runs.START, 9), 0))
                .contains("working_memory_keys (created_at<?)")
                .doesNotContain("SCAN", "TEMP B-TREE");
    }

    @Test
    void whatMemoryUsedIsFoundByItsResource() {
        UsageTable usage =
                MemoryTables.of(Dialect.SQLITE, Store.LOCAL, VectorForm.BYTES).usage();
        MemoryUsage used = new MemoryUsage(LocalDate.EPOCH, MemoryUsage.Part.TITLES, "test/titles", Usage.of(1, 1));
        assertThat(plans(session -> {
                    assertThat(usage.add(session, ANN, "t", used)).isTrue();
                    assertThat(usage.since(session, "ann", LocalDate.EPOCH)).containsExactly(used);
                }))
                .contains("SEARCH memory_usage USING INDEX sqlite_autoindex_memory_usage_1 (scope=? AND day")
                .doesNotContain("SCAN");
    }

    private String deletionPlans(Deletion what, int count) {
        return plans(session -> assertThat(deletions().delete(session, what)).isEqualTo(count));
    }

    private static Deletions deletions() {
        return new Deletions(
                Dialect.SQLITE,
                Store.LOCAL,
                Tables.of(Dialect.SQLITE, Store.LOCAL, session -> Runs.START, Duration.ofMinutes(1)),
                MemoryTables.of(Dialect.SQLITE, Store.LOCAL, VectorForm.BYTES));
    }

    /** Does something and returns the plans of the statements it made. */
    private String plans(Consumer<Session> work) {
        return store.write(session -> {
            List<String> made = new ArrayList<>();
            session.watch(made::add);
            work.accept(session);
            session.watch(sql -> {});
            StringBuilder plans = new StringBuilder();
            made.forEach(sql -> plans.append(plan(session.connection(), sql)));
            return plans.toString();
        });
    }

    private static String plan(Connection connection, String sql) {
        StringBuilder plan = new StringBuilder();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("EXPLAIN QUERY PLAN " + sql)) {
            while (result.next()) {
                plan.append(result.getString("detail")).append('\n');
            }
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
        return plan.toString();
    }
}
