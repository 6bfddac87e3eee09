package dev.chargehand.tests;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** A runtime over a store in a file, to be closed while its runs go on. */
abstract class CloseFixture {

    @TempDir
    Path folder;

    AgentRuntime runtime(AgentBuilder lead, Duration grace) {
        return AgentRuntime.builder()
                .store(store())
                .providers()
                .closeGrace(grace)
                .agents(lead.build())
                .build();
    }

    Store store() {
        return JdbcStore.sqlite(folder.resolve("runs.db"));
    }

    List<RunRecord> standing() {
        try (Store store = store()) {
            return store.list(RunFilter.ALL.statuses(RunStatus.RUNNING));
        }
    }

    static AgentBuilder agent(String id, Script script) {
        return Agent.builder(id).description(id).instructions("Go.").model(script.modelFor(id));
    }
}
