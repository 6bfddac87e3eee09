package dev.chargehand.tests;

import dev.chargehand.store.Store;
import org.junit.jupiter.api.Nested;

/** Runs keep their versions in each database too. */
class VersionsInDatabasesTest extends SharedDatabases {

    @Nested
    class AgentsInSqlite extends VersionResumeTest {
        @Override
        Store open() {
            return sqlite();
        }
    }

    @Nested
    class AgentsInPostgres extends VersionResumeTest {
        @Override
        Store open() {
            return postgres();
        }
    }

    @Nested
    class CatalogsInSqlite extends AgentCatalogResumeTest {
        @Override
        Store open() {
            return sqlite();
        }
    }

    @Nested
    class CatalogsInPostgres extends AgentCatalogResumeTest {
        @Override
        Store open() {
            return postgres();
        }
    }

    @Nested
    class WorkflowsInSqlite extends WorkflowVersionsTest {
        @Override
        Store open() {
            return sqlite();
        }
    }

    @Nested
    class WorkflowsInPostgres extends WorkflowVersionsTest {
        @Override
        Store open() {
            return postgres();
        }
    }
}
