package dev.chargehand.tests;

import dev.chargehand.store.Store;
import org.junit.jupiter.api.Nested;

/** Messages answer runs in each database too. */
class RepliesInDatabasesTest extends SharedDatabases {

    @Nested
    class InSqlite extends ConversationReplyTest {
        @Override
        Store open() {
            return sqlite();
        }
    }

    @Nested
    class InPostgres extends ConversationReplyTest {
        @Override
        Store open() {
            return postgres();
        }
    }

    @Nested
    class AfterACrashInSqlite extends ReplyCrashTest {
        @Override
        Store open() {
            return sqlite();
        }
    }

    @Nested
    class AfterACrashInPostgres extends ReplyCrashTest {
        @Override
        Store open() {
            return postgres();
        }
    }
}
