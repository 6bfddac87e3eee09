package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.chargehand.Agent;
import dev.chargehand.AgentCatalog;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Recovery;
import dev.chargehand.RunResult;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.VersionUnknownException;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.version.Version;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Runs of versions from a catalog continue in them, or are left as they are. */
class AgentCatalogResumeTest extends VersionFixture {

    private final Agent code = deleter("deleter", "1");
    private final Agent boss = supervisor("boss", "", code);
    private final List<Version> asked = new CopyOnWriteArrayList<>();

    private final AgentCatalog catalog = query -> {
        asked.add(query.version());
        return Optional.of(deleter(query.agentId(), query.version().id().orElse("p")));
    };

    private AgentRuntime with(AgentCatalog catalog, Agent... agents) {
        return building(agents).catalog(catalog).build();
    }

    private RunId waiting(AgentRuntime runtime, String agent) {
        RunResult waiting = runtime.agent(agent).generate("Go", o -> o.version("deleter", Version.published()));
        assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
        return waiting.runId();
    }

    private static PendingApproval pending(AgentRuntime runtime, RunId run) {
        return runtime.handle(run).pendingApprovals().getFirst();
    }

    private List<RunRecord> all() {
        return store.list(RunFilter.ALL);
    }

    @Test
    void aRunContinuesInItsVersionThoughAnotherIsPublishedToday() {
        for (String agent : List.of("deleter", "boss")) {
            RunId run;
            try (AgentRuntime runtime = with(catalog, boss, code)) {
                run = waiting(runtime, agent);
            }
            asked.clear();
            AgentCatalog today = query -> {
                asked.add(query.version());
                return Optional.of(deleter(query.agentId(), query.version().id().orElse("q")));
            };
            try (AgentRuntime other = with(today, boss, code)) {
                assertThat(other.approve(pending(other, run), ANN).result().text())
                        .contains("deleter p");
                assertThat(asked)
                        .filteredOn(version -> version.kind() == Version.Kind.ID)
                        .as("asked once, by its id")
                        .containsExactly(id("p"));
            }
        }
    }

    @Test
    void aRunWhoseVersionIsGoneIsLeftAsItIs() {
        assertLeftAlone("deleter", query -> Optional.empty(), "was started with version 'p' of agent 'deleter'");
        assertLeftAlone("boss", query -> Optional.empty(), "version 'p' of 'deleter'");
    }

    @Test
    void aRunIsLeftAsItIsWhileTheCatalogFails() {
        AgentCatalog failing = query -> {
            throw new IllegalStateException("down");
        };
        assertLeftAlone("deleter", failing, "the catalog of the runtime failed");
        assertLeftAlone("boss", failing, "the catalog of the runtime failed");
    }

    private void assertLeftAlone(String agent, AgentCatalog other, String words) {
        RunId run;
        try (AgentRuntime runtime = with(catalog, boss, code)) {
            run = waiting(runtime, agent);
        }
        List<RunRecord> before = all();
        try (AgentRuntime without = with(other, boss, code)) {
            PendingApproval approval = pending(without, run);
            assertThatExceptionOfType(VersionUnknownException.class)
                    .isThrownBy(() -> without.approve(approval, ANN))
                    .withMessageContaining(words);
            assertThat(store.undrained(run)).as("the answer was not stored").isEmpty();
            assertThat(all()).isEqualTo(before);
        }
        try (AgentRuntime with = with(catalog, boss, code)) {
            assertThat(with.approve(pending(with, run), ANN).result().text()).contains("deleter p");
        }
    }

    @Test
    void recoverListsRunsWhoseVersionIsGoneOrCannotBeLookedFor() {
        RunId run;
        try (AgentRuntime runtime = with(catalog, code)) {
            run = runtime.submit(
                    runtime.agent("deleter"),
                    List.of(Message.user("Go")),
                    o -> o.version("deleter", Version.published()));
        }
        List<RunRecord> before = all();
        AgentCatalog failing = query -> {
            throw new IllegalStateException("down");
        };
        for (AgentCatalog other : List.<AgentCatalog>of(query -> Optional.empty(), failing)) {
            try (AgentRuntime without = with(other, code)) {
                Recovery recovery = without.recover();
                assertThat(recovery.withoutVersion()).containsExactly(run);
                assertThat(recovery.runIds()).isEmpty();
                assertThat(all()).isEqualTo(before);
            }
        }
        try (AgentRuntime with = with(catalog, code)) {
            assertThat(with.recover().await()).extracting(RunResult::status).containsExactly(RunStatus.SUSPENDED);
        }
    }

    @Test
    void aProcessThatHasUsedAVersionContinuesItWithoutTheCatalog() {
        boolean[] gone = {false};
        AgentCatalog leaving = query -> {
            if (gone[0]) {
                throw new IllegalStateException("down");
            }
            return catalog.find(query);
        };
        try (AgentRuntime runtime = with(leaving, boss, code)) {
            RunId one = waiting(runtime, "deleter");
            RunId two = waiting(runtime, "boss");
            gone[0] = true;
            assertThat(runtime.approve(pending(runtime, one), ANN).result().text())
                    .isEqualTo("deleter p");
            assertThat(runtime.approve(pending(runtime, two), ANN).result().text())
                    .isEqualTo("boss  [deleter p]");
            assertThatExceptionOfType(VersionUnknownException.class)
                    .as("a new run asks")
                    .isThrownBy(() -> waiting(runtime, "deleter"));
        }
    }

    @Test
    void aRunIsCancelledThoughTheCatalogFails() {
        for (String agent : List.of("deleter", "boss")) {
            RunId run;
            try (AgentRuntime runtime = with(catalog, boss, code)) {
                run = waiting(runtime, agent);
            }
            AgentCatalog failing = query -> {
                throw new IllegalStateException("down");
            };
            try (AgentRuntime without = with(failing, boss, code)) {
                assertThat(without.cancel(run)).isTrue();
                assertThat(store.list(RunFilter.ALL))
                        .allMatch(each -> each.status().isEnded());
            }
        }
    }

    @Test
    void aForkContinuesInTheVersionOfItsSourceOrInAnotherOfTheCatalog() {
        RunId run;
        try (AgentRuntime runtime = with(catalog, code)) {
            run = waiting(runtime, "deleter");
            RunResult ignored = runtime.approve(pending(runtime, run), ANN).result();
        }
        try (AgentRuntime runtime = with(catalog, code)) {
            assertThat(runtime.fork(run, 1, f -> {}).result().text()).isEqualTo("deleter p");
            assertThat(runtime.fork(run, 1, f -> f.version(id("q"))).result().text())
                    .isEqualTo("deleter q");
        }
        try (AgentRuntime runtime = with(query -> Optional.empty(), code)) {
            assertThatExceptionOfType(VersionUnknownException.class)
                    .isThrownBy(() -> runtime.fork(run, 1, f -> {}))
                    .withMessageContaining("version 'p'");
        }
    }

    @Test
    void runsOfTwoVersionsInOneTreeContinueEachInItsOwn() {
        AgentCatalog boss2 = query ->
                query.agentId().equals("boss") ? Optional.of(supervisor("boss", "b", code)) : catalog.find(query);
        RunId run;
        try (AgentRuntime runtime = with(boss2, boss, code)) {
            run = runtime.agent("boss")
                    .generate("Go", o -> o.version("boss", id("b")).version("deleter", Version.published()))
                    .runId();
            assertThat(started(runtime.history(run))).containsExactly("boss=b", "deleter=p");
        }
        try (AgentRuntime runtime = with(boss2, boss, code)) {
            assertThat(runtime.approve(pending(runtime, run), ANN).result().text())
                    .isEqualTo("boss b [deleter p]");
        }
    }
}
