package dev.chargehand.jdbc;

import static dev.chargehand.jdbc.Runs.ANN;
import static dev.chargehand.jdbc.Runs.assertFails;
import static dev.chargehand.jdbc.Runs.more;
import static dev.chargehand.jdbc.Runs.onVirtualThreads;
import static dev.chargehand.jdbc.Runs.start;
import static dev.chargehand.jdbc.Runs.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.StoreException.Kind;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.thread.ThreadOwner;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Where large texts are kept, what becomes of them, and what is said when one is not what it was. */
@Timeout(180)
@ParameterizedClass
@EnumSource
class PayloadTest {

    private static final String LARGE = '"' + "x".repeat(20_000) + '"';
    private static final String OTHER = '"' + "y".repeat(20_000) + '"';
    private static final ThreadOwner BOB = new ThreadOwner("bob", null);

    @TempDir
    Path folder;

    @Parameter
    Dialect dialect;

    private TestDatabase database;
    private JdbcStore store;

    @BeforeEach
    void open() {
        database = new TestDatabase(dialect, folder);
        store = database.open();
    }

    @AfterEach
    void close() {
        store.close();
        database.close();
    }

    @Test
    void aLargeTextIsStoredOnceWhoeverHasIt() {
        store.append(start("r", LARGE).threads(List.of(message("t", "m", LARGE), message("u", "m", LARGE))));
        store.append(more("r", 1, LARGE));
        store.append(start("s", OTHER));

        assertThat(payloads()).isEqualTo(2);
        assertThat(database.number("SELECT count(*) FROM facts WHERE text = '' AND payload IS NOT NULL"))
                .isEqualTo(3);
        assertThat(database.number("SELECT count(DISTINCT payload) FROM thread_messages"))
                .isEqualTo(1);
        assertThat(database.number("SELECT sum(length(text)) FROM payloads")).isEqualTo(2L * LARGE.length());
    }

    @Test
    void aTextOfUpToSixteenKilobytesStaysInItsRow() {
        store.append(start("r", "x".repeat(16_384)));
        assertThat(payloads()).isZero();

        store.append(more("r", 1, "x".repeat(16_385)));
        assertThat(payloads()).isEqualTo(1);
        assertThat(texts(store, "r")).containsExactly("x".repeat(16_384), "x".repeat(16_385));
    }

    @Test
    void aDeletedThreadTakesAlongWhatNobodyElseRefersTo() {
        store.append(start("r", LARGE)
                .threads(List.of(
                        message("t", "m0", LARGE),
                        message("t", "m1", OTHER),
                        message("t", "m2", OTHER + " "),
                        message("u", "m", OTHER + " "))));
        assertThat(payloads()).isEqualTo(3);

        assertThat(store.deleteThread("t", ANN)).isTrue();
        assertThat(payloads()).isEqualTo(2);

        assertThat(store.deleteThread("u", ANN)).isTrue();
        assertThat(payloads()).isEqualTo(1);
        assertThat(texts(store, "r")).containsExactly(LARGE);
    }

    @Test
    void aMessageThatIsThereAlreadyLeavesNothingOfItsNewText() {
        store.append(start("r", "{}").threads(List.of(message("t", "m", LARGE))));
        store.append(more("r", 1, "{}").threads(List.of(message("t", "m", OTHER))));

        assertThat(payloads()).isEqualTo(1);
    }

    @Test
    void aRefusedAppendLeavesNoPayload() {
        store.append(start("r", "{}").threads(List.of(message("t", "m", "{}"))));
        ThreadAppend bobs = new ThreadAppend("t", BOB, null, null, List.of(new ThreadEntry("n", OTHER)));

        assertThatThrownBy(() -> store.append(start("s", LARGE).threads(List.of(bobs))))
                .isInstanceOf(ThreadOwnershipException.class);
        assertFails(Kind.FENCED, () -> store.append(more("r", 7, LARGE)));
        assertThat(payloads()).isZero();
    }

    @Test
    void anAppendThatFailsHalfwayLeavesNoPayload() {
        database.execute(
                dialect == Dialect.SQLITE
                        ? "CREATE TRIGGER halfway BEFORE UPDATE ON threads BEGIN SELECT raise(ABORT, 'no'); END"
                        : "ALTER TABLE threads ADD CONSTRAINT halfway CHECK (length = 0)");

        assertFails(Kind.FAILED, () -> store.append(start("r", LARGE).threads(List.of(message("t", "m", OTHER)))));
        assertThat(payloads()).isZero();
        assertThat(database.number("SELECT count(*) FROM runs")).isZero();
        store.append(start("r", LARGE));
        assertThat(payloads()).isEqualTo(1);
    }

    @Test
    void aPayloadThatWasChangedIsNotReadAsIfNothingHadHappened() {
        storeLargeAndSmall();
        database.execute("UPDATE payloads SET text = '\"forged\"'");

        assertUnreadable("is not what was written");
    }

    @Test
    void aPayloadThatIsMissingIsNotReadAsIfNothingHadHappened() {
        storeLargeAndSmall();
        if (dialect == Dialect.POSTGRESQL) {
            database.execute("ALTER TABLE facts DROP CONSTRAINT facts_payload_fkey");
            database.execute("ALTER TABLE thread_messages DROP CONSTRAINT thread_messages_payload_fkey");
        }
        database.execute("DELETE FROM payloads");

        assertUnreadable("no longer exists");
    }

    private void storeLargeAndSmall() {
        store.append(start("r", "{}").threads(List.of(message("t", "m", LARGE))));
        store.append(more("r", 1, LARGE));
        store.append(start("small", "{}").threads(List.of(message("small", "m", "{}"))));
    }

    private void assertUnreadable(String why) {
        assertFails(Kind.UNREADABLE, () -> texts(store, "r"))
                .hasMessageContaining("fact 1 of run r")
                .hasMessageContaining(why)
                .hasMessageNotContaining("xxx");
        assertFails(Kind.UNREADABLE, () -> store.readThread("t", ANN, Long.MAX_VALUE, 9))
                .hasMessageContaining("message 0 of thread 't'")
                .hasMessageContaining(why)
                .hasMessageNotContaining("xxx");
        assertThat(texts(store, "small")).containsExactly("{}");
        assertThat(store.readThread("small", ANN, Long.MAX_VALUE, 9)).hasSize(1);
        assertThat(store.deleteThread("t", ANN)).isTrue();
    }

    @Test
    void aPayloadThatIsReferredToCannotBeDeletedByTheStore() {
        store.append(start("r", LARGE));

        assertFails(Kind.FAILED, () -> store.write(session -> session.execute("DELETE FROM payloads")));
        assertThat(texts(store, "r")).containsExactly(LARGE);
    }

    @Test
    void processesThatWriteAndDeleteTheSameTextLeaveNothingBehind() throws Exception {
        try (JdbcStore other = database.open()) {
            for (CompletableFuture<Void> each : onVirtualThreads(8, i -> {
                JdbcStore mine = i % 2 == 0 ? store : other;
                for (int turn = 0; turn < 25; turn++) {
                    String thread = "t" + i;
                    mine.append(start("r " + i + " " + turn, "{}").threads(List.of(message(thread, "m", LARGE))));
                    assertThat(mine.readThread(thread, ANN, Long.MAX_VALUE, 9)).hasSize(1);
                    assertThat(mine.deleteThread(thread, ANN)).isTrue();
                }
            })) {
                each.get(120, TimeUnit.SECONDS);
            }
        }

        assertThat(payloads()).isZero();
    }

    private long payloads() {
        return database.number("SELECT count(*) FROM payloads");
    }

    private static ThreadAppend message(String thread, String messageId, String text) {
        return new ThreadAppend(thread, ANN, null, null, List.of(new ThreadEntry(messageId, text)));
    }
}
