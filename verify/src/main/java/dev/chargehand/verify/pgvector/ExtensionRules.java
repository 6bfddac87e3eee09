package dev.chargehand.verify.pgvector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.jdbc.PostgresOptions;
import dev.chargehand.jdbc.PostgresOptions.VectorColumn;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.memory.IndexedRange;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.Passage;
import dev.chargehand.store.memory.PassageHits;
import dev.chargehand.store.memory.PassageQuery;
import dev.chargehand.store.memory.UnitVector;
import dev.chargehand.store.memory.VectorSpace;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.verify.stores.PgVectorServer;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What happens to the extension of a database, which the tests of the build try with a stand-in. */
final class ExtensionRules {

    private static final ThreadOwner ANN = ThreadOwner.of("ann");
    private static final PostgresOptions BYTES = PostgresOptions.DEFAULT.connections(2);
    private static final PostgresOptions FLOATS = BYTES.vectors(VectorColumn.PGVECTOR);
    private static final String DELETION = "DELETE FROM \"chargehand\".vectors";
    private static final int MOST_DIMENSIONS = 16_000;

    private final PgVectorServer server = PgVectorServer.ofEnvironment();

    @AutoClose
    private final PgVectorServer.Databases databases = new PgVectorServer.Databases(server);

    private final String database = databases.make();

    ExtensionRules() throws SQLException {}

    private JdbcStore open(PostgresOptions options) {
        return JdbcStore.postgres(database, server.user(), server.password(), options);
    }

    @Test
    void theExtensionIsMadeByAUserWhoMay() throws SQLException {
        try (JdbcStore store = open(FLOATS)) {
            remember(store, 2);
            assertFound(store, 2);
        }
        // It is not in the schema of the store, and goes not with it.
        server.execute(database, "DROP SCHEMA chargehand CASCADE", "SELECT CAST('[1]' AS public.vector)");
    }

    @Test
    void aUserWhoMayNotMakeItUsesTheOneThatIsThere() throws SQLException {
        String user = "chargehand_verify_" + ProcessHandle.current().pid();
        server.execute(
                database,
                "CREATE ROLE " + user + " LOGIN PASSWORD 'verify'",
                "CREATE SCHEMA chargehand AUTHORIZATION " + user);
        try {
            ThrowingCallable open = () -> JdbcStore.postgres(database, user, "verify", FLOATS);
            assertUnusable(open, "which its user may not create. Let a user who may execute CREATE EXTENSION vector");
            server.execute(database, "CREATE SCHEMA elsewhere", "CREATE EXTENSION vector SCHEMA elsewhere");
            assertUnusable(open, "GRANT USAGE ON SCHEMA \"elsewhere\"");
            server.execute(database, "GRANT USAGE ON SCHEMA elsewhere TO " + user);
            try (JdbcStore store = JdbcStore.postgres(database, user, "verify", FLOATS)) {
                remember(store, 2);
                assertFound(store, 2);
            }
        } finally {
            server.execute(database, "DROP OWNED BY " + user, "DROP ROLE " + user);
        }
    }

    @Test
    void anotherChoiceIsRefusedUntilTheVectorsAreDeleted() throws SQLException {
        try (JdbcStore store = open(BYTES)) {
            remember(store, 2);
        }
        for (PostgresOptions other : List.of(FLOATS, BYTES)) {
            assertUnusable(() -> open(other), "and was opened for " + other.vectors());
            server.execute(database, DELETION);
            try (JdbcStore store = open(other)) {
                remember(store, 2);
                assertFound(store, 2);
            }
        }
    }

    @Test
    void anExtensionThatWasDroppedTakesTheVectorsWithIt() throws SQLException {
        try (JdbcStore store = open(FLOATS)) {
            remember(store, 2);
            server.execute(database, "DROP EXTENSION vector CASCADE");
            assertUnusable(() -> nearest(store, 2), "dropped or moved");
            assertUnusable(() -> remember(store, 2), "dropped or moved");
        }
        assertUnusable(() -> open(FLOATS), "has lost its vectors");
        server.execute(database, DELETION);
        try (JdbcStore store = open(FLOATS)) {
            remember(store, 2);
            assertFound(store, 2);
        }
    }

    @Test
    void anExtensionThatWasMovedIsFoundAgain() throws SQLException {
        try (JdbcStore store = open(FLOATS)) {
            remember(store, 2);
            server.execute(database, "CREATE SCHEMA elsewhere", "ALTER EXTENSION vector SET SCHEMA elsewhere");
            assertUnusable(() -> nearest(store, 2), "open it again");
        }
        try (JdbcStore store = open(FLOATS)) {
            assertFound(store, 2);
        }
    }

    @Test
    void aVectorThatIsNotOfItsSpaceIsSaidToBe() throws SQLException {
        try (JdbcStore store = open(FLOATS)) {
            remember(store, 2);
            server.execute(database, "UPDATE chargehand.vectors SET floats = '[1,0,0]'");
            assertUnusable(() -> nearest(store, 2), "not of its space");
        }
    }

    @Test
    void asManyDimensionsAsTheExtensionTakesAreStored() {
        try (JdbcStore store = open(FLOATS)) {
            for (int dimensions : new int[] {1, 1_536, MOST_DIMENSIONS}) {
                remember(store, dimensions);
                assertFound(store, dimensions);
            }
            assertThatThrownBy(() -> remember(store, MOST_DIMENSIONS + 1)).hasMessageContaining("VectorColumn.BYTEA");
        }
    }

    private static void assertUnusable(ThrowingCallable call, String why) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.UNUSABLE))
                .hasMessageContaining(why);
    }

    private static VectorSpace space(int dimensions) {
        return new VectorSpace("model", dimensions, 1);
    }

    private static UnitVector vector(int dimensions) {
        float[] components = new float[dimensions];
        for (int i = 0; i < dimensions; i++) {
            components[i] = i + 1;
        }
        return UnitVector.of(components).orElseThrow();
    }

    private static MemoryStore memory(Store store) {
        return store.memory().orElseThrow();
    }

    private static void remember(Store store, int dimensions) {
        if (store.findThread("t").isEmpty()) {
            var ignored = store.appendToThread(
                    new ThreadAppend("t", ANN, null, null, List.of(new ThreadEntry("m", "\"text\""))), Instant.EPOCH);
        }
        VectorSpace space = space(dimensions);
        MemoryStore memory = memory(store);
        assertThat(memory.index(
                        ANN,
                        "t",
                        space,
                        memory.indexed(ANN, "t", space),
                        IndexedRange.of(0, 1),
                        List.of(new Passage(0, 0, vector(dimensions)))))
                .isTrue();
    }

    private static List<PassageHits.Hit> nearest(Store store, int dimensions) {
        return memory(store)
                .nearest(new PassageQuery(ANN, space(dimensions), vector(dimensions), PassageQuery.Among.ALL, 9, 0.999))
                .hits();
    }

    private static void assertFound(Store store, int dimensions) {
        assertThat(nearest(store, dimensions))
                .extracting(PassageHits.Hit::threadId)
                .containsExactly("t");
    }
}
