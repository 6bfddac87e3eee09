package dev.chargehand.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.internal.call.Call;
import dev.chargehand.jdbc.internal.session.Session;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupCommitTest {

    @TempDir
    Path folder;

    private final List<String> committed = new ArrayList<>();
    private Path file;

    @AutoClose
    private Session session;

    private GroupCommit commit;

    @BeforeEach
    void open() {
        file = folder.resolve("store.db");
        session = new SqliteFile(file, SqliteOptions.DEFAULT).openToWrite();
        session.execute("CREATE TABLE parents (id INTEGER PRIMARY KEY)");
        session.execute(
                "CREATE TABLE notes (text TEXT, parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)");
        session.watch(sql -> {
            if (sql.equals("COMMIT")) {
                committed.add("commit");
            }
        });
        commit = new GroupCommit(file, SqliteOptions.Synchronous.WHERE_NEEDED);
    }

    @Test
    void callsThatGatheredAreWrittenInOneTransaction() throws Exception {
        List<Call<Integer>> calls = List.of(note("a"), note("b"), note("c"));

        commit.accept(session, List.copyOf(calls));

        assertThat(committed).hasSize(1);
        for (Call<Integer> call : calls) {
            assertThat(answer(call)).isEqualTo(1);
        }
        assertThat(notes()).containsExactly("a", "b", "c");
    }

    @Test
    void aCallIsAnsweredAfterTheCommitAndNotBefore() throws Exception {
        Call<Integer> first = note("a");
        Call<Boolean> looksAtFirst = new Call<>(h -> isAnswered(first));

        commit.accept(session, List.of(first, looksAtFirst));

        assertThat(answer(looksAtFirst)).isFalse();
        assertThat(isAnswered(first)).isTrue();
        try (OtherProcess other = new OtherProcess(file)) {
            assertThat(other.count("notes")).isEqualTo(1);
        }
    }

    @Test
    void aRefusedCallTakesItsOwnChangesBackAndLeavesTheOthers() throws Exception {
        Call<Integer> before = note("before");
        Call<Integer> refused = new Call<>(h -> {
            h.execute("INSERT INTO notes (text) VALUES ('refused')");
            throw new StoreException(StoreException.Kind.FENCED, "no", null);
        });
        Call<Integer> after = note("after");

        commit.accept(session, List.of(before, refused, after));

        assertThat(committed).hasSize(1);
        assertThat(answer(before)).isEqualTo(1);
        assertThatThrownBy(() -> answer(refused)).hasMessage("no");
        assertThat(answer(after)).isEqualTo(1);
        assertThat(notes()).containsExactly("before", "after");
    }

    @Test
    void aRefusedCallThatIsAloneTakesItsChangesBackToo() throws Exception {
        Call<Integer> refused = new Call<>(h -> {
            h.execute("INSERT INTO notes (text) VALUES ('refused')");
            throw new StoreException(StoreException.Kind.FENCED, "no", null);
        });
        Call<Integer> after = note("after");

        commit.accept(session, List.of(refused));
        commit.accept(session, List.of(after));

        assertThatThrownBy(() -> answer(refused)).hasMessage("no");
        assertThat(answer(after)).isEqualTo(1);
        assertThat(notes()).containsExactly("after");
        assertThat(committed).hasSize(1);
    }

    @Test
    void aCallThatBreaksTheTransactionDoesNotTakeTheOthersDown() throws Exception {
        Call<Integer> before = note("before");
        Call<Integer> broken = new Call<>(h -> h.execute("INSERT INTO nowhere VALUES ('secret')"));
        Call<Integer> after = note("after");

        commit.accept(session, List.of(before, broken, after));

        assertThat(answer(before)).isEqualTo(1);
        assertFailed(broken);
        assertThat(answer(after)).isEqualTo(1);
        assertThat(notes()).containsExactly("before", "after");
    }

    @Test
    void aCallThatBreaksTheCommitDoesNotTakeTheOthersDown() throws Exception {
        Call<Integer> before = note("before");
        Call<Integer> orphan = new Call<>(h -> h.execute("INSERT INTO notes VALUES ('orphan', 7)"));
        Call<Integer> after = note("after");

        commit.accept(session, List.of(before, orphan, after));

        assertThat(answer(before)).isEqualTo(1);
        assertFailed(orphan);
        assertThat(answer(after)).isEqualTo(1);
        assertThat(notes()).containsExactly("before", "after");
    }

    @Test
    void anErrorOfTheJvmIsAnsweredToo() {
        Call<Integer> broken = new Call<>(h -> {
            throw new StackOverflowError("secret");
        });

        commit.accept(session, List.of(broken));

        assertFailed(broken);
    }

    @Test
    void aCallThatWasGivenUpIsLeftOut() throws Exception {
        Call<Integer> late = note("late");
        assertThat(late.giveUp()).isTrue();
        Call<Integer> patient = note("patient");

        commit.accept(session, List.of(late, patient));

        assertThat(isAnswered(late)).isFalse();
        assertThat(notes()).containsExactly("patient");
        assertThat(patient.giveUp()).isFalse();
    }

    private static Call<Integer> note(String text) {
        return new Call<>(h -> h.sql("INSERT INTO notes (text) VALUES (:text)")
                .bind("text", text)
                .update());
    }

    @Test
    void aGroupIsSyncedIfOneOfItsCallsMustSurviveAPowerCut() throws Exception {
        for (boolean durable : new boolean[] {false, true, true, false}) {
            Call<Integer> cheap = new Call<>(GroupCommitTest::level);
            Call<Integer> other = new Call<>(GroupCommitTest::level, durable);

            commit.accept(session, List.of(cheap, other));

            assertThat(answer(cheap)).isEqualTo(durable ? 2 : 1);
            assertThat(answer(other)).isEqualTo(durable ? 2 : 1);
        }
    }

    @Test
    void callsThatAreWrittenOneByOneAreSyncedOneByOne() throws Exception {
        Call<Integer> broken = new Call<>(h -> h.execute("INSERT INTO nowhere VALUES (1)"));
        Call<Integer> durable = new Call<>(GroupCommitTest::level, true);
        Call<Integer> cheap = new Call<>(GroupCommitTest::level);

        commit.accept(session, List.of(broken, durable, cheap));

        assertThat(answer(durable)).isEqualTo(2);
        assertThat(answer(cheap)).isEqualTo(1);
    }

    /** With a new statement: SQLite reads the level when it prepares one. */
    private static int level(Session session) {
        try (Statement statement = session.connection().createStatement();
                ResultSet level = statement.executeQuery("PRAGMA synchronous")) {
            return level.getInt(1);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private List<String> notes() {
        return session.sql("SELECT text FROM notes ORDER BY rowid").list(row -> row.text(1));
    }

    private static <T> T answer(Call<T> call) throws TimeoutException {
        return call.await(System.nanoTime());
    }

    private static boolean isAnswered(Call<?> call) {
        try {
            call.await(System.nanoTime());
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    private static void assertFailed(Call<?> call) {
        assertThatThrownBy(() -> answer(call))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.FAILED))
                .hasStackTraceContaining("Caused by")
                .satisfies(e -> assertThat(org.assertj.core.util.Throwables.getStackTrace(e))
                        .doesNotContain("secret"));
    }
}
