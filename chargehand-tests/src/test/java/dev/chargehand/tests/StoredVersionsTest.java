package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.chargehand.Agent;
import dev.chargehand.AgentCatalog;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.VersionUnknownException;
import dev.chargehand.fixture.PostgresServer;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.version.VersionStore;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.FaultyStore.Operation;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.version.AgentVersion;
import dev.chargehand.version.AgentVersions;
import dev.chargehand.version.Version;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Versions of agents are saved, published and restored, and runs use them. */
class StoredVersionsTest extends VersionFixture {

    @TempDir
    private Path folder;

    private final Agent writer1 = worker("writer", "1");
    private final Agent deleter1 = deleter("deleter", "1");
    private final Agent boss = supervisor("boss", "", writer1, deleter1);

    private final Map<Kind, String> databases = new ConcurrentHashMap<>();

    enum Kind {
        MEMORY,
        SQLITE,
        POSTGRES
    }

    /** Opens a store; for a durable one the same again, and for one in memory a view that is not closed. */
    private Store open(Kind kind) {
        return switch (kind) {
            case MEMORY -> store;
            case SQLITE -> JdbcStore.sqlite(folder.resolve("runs.db"));
            case POSTGRES ->
                JdbcStore.postgres(
                        databases.computeIfAbsent(kind, k -> PostgresServer.newStore()), PostgresServer.USER, "");
        };
    }

    /** A document is what the agent says; one with a question mark is wrong. */
    private static Agent read(String agentId, String version, String document) {
        if (document.contains("?")) {
            throw new ConfigurationException("a document has no question mark.");
        }
        return agentId.equals("deleter") ? deleter(agentId, version) : worker(agentId, version, document);
    }

    private AgentRuntime open(Store from) {
        return AgentRuntime.builder()
                .store(from)
                .providers()
                .wakeups(Wakeups.off())
                .anyoneMayApprove()
                .agents(boss, writer1, deleter1)
                .catalog(AgentCatalog.stored(StoredVersionsTest::read))
                .build();
    }

    private static String said(AgentRuntime runtime, Version version) {
        return runtime.agent("writer")
                .generate("Go", o -> o.version("writer", version))
                .text();
    }

    private static List<String> ids(List<AgentVersion> versions) {
        return versions.stream().map(AgentVersion::id).toList();
    }

    @ParameterizedTest
    @EnumSource
    void aDraftIsTriedAndPublishedAndAnOldVersionRestored(Kind kind) {
        try (AgentRuntime runtime = open(open(kind))) {
            AgentVersions versions = runtime.versions();
            AgentVersion first = versions.save("writer", "one");
            assertThat(first.id()).isEqualTo("stored-1");
            assertThat(first.latest()).isTrue();
            assertThat(first.published()).isFalse();
            assertThat(said(runtime, Version.id("stored-1"))).isEqualTo("writer one");
            assertThat(said(runtime, Version.latest())).isEqualTo("writer one");
            assertThatExceptionOfType(VersionUnknownException.class)
                    .isThrownBy(() -> said(runtime, Version.published()));

            assertThat(versions.publish("writer", "stored-1").published()).isTrue();
            AgentVersion draft = versions.save("writer", "two");
            assertThat(said(runtime, Version.published())).isEqualTo("writer one");
            assertThat(said(runtime, Version.latest())).isEqualTo("writer two");
            assertThat(versions.save("writer", "two")).as("the same content").isEqualTo(draft);

            AgentVersion restored = versions.restore("writer", "stored-1");
            assertThat(restored.id()).isEqualTo("stored-3");
            assertThat(restored.document()).isEqualTo("one");
            assertThat(restored.published()).isFalse();
            assertThat(versions.publish("writer", "stored-3").id()).isEqualTo("stored-3");
            assertThat(ids(versions.list("writer", null, 2))).containsExactly("stored-3", "stored-2");
            assertThat(ids(versions.list("writer", "stored-2", 2))).containsExactly("stored-1");
            assertThat(versions.list("writer", null, 100))
                    .extracting(AgentVersion::published)
                    .containsExactly(true, false, false);
            assertThat(versions.find("writer", Version.published()).map(AgentVersion::id))
                    .contains("stored-3");
            assertThat(runtime.agent("writer").generate("Go").text())
                    .as("no version is selected")
                    .isEqualTo("writer 1");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRunKeepsItsVersionThoughAnotherIsPublishedInAnotherProcess(Kind kind) {
        Store first = open(kind);
        RunId run;
        try (AgentRuntime runtime = open(first)) {
            AgentVersion ignored = runtime.versions()
                    .publish(
                            "deleter", runtime.versions().save("deleter", "one").id());
            run = waiting(runtime);
        }
        try (AgentRuntime other = open(open(kind))) {
            AgentVersion ignored = other.versions()
                    .publish("deleter", other.versions().save("deleter", "two").id());
            assertThat(other.approve(pending(other, run), ANN).result().text()).contains("deleter stored-1");
            assertThat(other.agent("deleter")
                            .generate("Go", o -> o.version("deleter", Version.published()))
                            .pendingApprovals())
                    .hasSize(1);
        }
    }

    private static RunId waiting(AgentRuntime runtime) {
        RunResult waiting = runtime.agent("boss").generate("Go", o -> o.version("deleter", Version.published()));
        assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
        return waiting.runId();
    }

    private static PendingApproval pending(AgentRuntime runtime, RunId run) {
        return runtime.handle(run).pendingApprovals().getFirst();
    }

    @ParameterizedTest
    @EnumSource
    void aRunWaitsWhoseVersionIsDeleted(Kind kind) {
        RunId run;
        try (AgentRuntime runtime = open(open(kind))) {
            AgentVersions versions = runtime.versions();
            AgentVersion ignored =
                    versions.publish("deleter", versions.save("deleter", "one").id());
            run = waiting(runtime);
            ignored =
                    versions.publish("deleter", versions.save("deleter", "two").id());
            assertThat(versions.delete("deleter", "stored-1")).isTrue();
            assertThat(versions.delete("deleter", "stored-1")).isFalse();
        }
        try (AgentRuntime without = open(open(kind))) {
            List<RunRecord> before = without.store().list(RunFilter.ALL);
            assertThatExceptionOfType(VersionUnknownException.class)
                    .isThrownBy(() -> without.approve(pending(without, run), ANN))
                    .withMessageContaining("executes version 'stored-1' of 'deleter'");
            assertThat(without.store().list(RunFilter.ALL)).isEqualTo(before);
            assertThat(without.versions().save("deleter", "one").id())
                    .as("its number is not used again")
                    .isEqualTo("stored-3");
            assertThat(without.cancel(run)).isTrue();
            assertThat(without.store().list(RunFilter.ALL))
                    .allMatch(each -> each.status().isEnded());
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachTenantHasItsOwn(Kind kind) {
        try (AgentRuntime runtime = open(open(kind))) {
            var acme = runtime.forTenant("acme");
            AgentVersion ours = runtime.versions()
                    .publish("writer", runtime.versions().save("writer", "ours").id());
            AgentVersion theirs = acme.versions()
                    .publish("writer", acme.versions().save("writer", "theirs").id());
            assertThat(theirs.id()).isEqualTo(ours.id());
            assertThat(said(runtime, Version.published())).isEqualTo("writer ours");
            assertThat(acme.agent("writer")
                            .generate("Go", o -> o.version("writer", Version.published()))
                            .text())
                    .isEqualTo("writer theirs");
            assertThat(runtime.forTenant("new").versions().list("writer", null, 1))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void ofSaversAndPublishersInTwoProcessesOneComesAfterTheOther(Kind kind) throws Exception {
        try (AgentRuntime one = open(open(kind));
                AgentRuntime two = kind == Kind.MEMORY ? one : open(open(kind));
                ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
            CountDownLatch start = new CountDownLatch(1);
            List<Future<AgentVersion>> saved = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                AgentVersions versions = (i % 2 == 0 ? one : two).versions();
                String document = "document " + i;
                saved.add(workers.submit(() -> {
                    start.await();
                    return versions.publish(
                            "writer", versions.save("writer", document).id());
                }));
            }
            start.countDown();
            List<String> ids = new ArrayList<>();
            for (Future<AgentVersion> each : saved) {
                ids.add(each.get().id());
            }
            assertThat(ids).doesNotHaveDuplicates();
            List<AgentVersion> all = two.versions().list("writer", null, 100);
            assertThat(ids(all)).containsExactlyInAnyOrderElementsOf(ids);
            assertThat(all).filteredOn(AgentVersion::published).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void aProcessThatIsGoneBetweenDraftAndPublishLeavesTheDraft(Kind kind) {
        FaultyStore dying = FaultyStore.over(open(kind));
        AgentRuntime gone = open(dying);
        AgentVersion ignored = gone.versions()
                .publish("writer", gone.versions().save("writer", "one").id());
        int next = dying.count(Operation.CHANGE_VERSIONS) + 2;
        assertThat(dying.failOn(Operation.CHANGE_VERSIONS, next)).isSameAs(dying);
        AgentVersion draft = gone.versions().save("writer", "two");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> gone.versions().publish("writer", draft.id()));
        gone.close();
        try (AgentRuntime runtime = open(open(kind))) {
            assertThat(said(runtime, Version.published())).isEqualTo("writer one");
            assertThat(said(runtime, Version.latest())).isEqualTo("writer two");
            assertThat(runtime.versions().save("writer", "two").id()).isEqualTo("stored-2");
            assertThat(runtime.versions().publish("writer", "stored-2").published())
                    .isTrue();
            assertThat(said(runtime, Version.published())).isEqualTo("writer two");
        }
    }

    @Test
    void aStoreThatFailsIsAnErrorAndNeverTheAgentInCode() {
        FaultyStore faulty = FaultyStore.over(InMemoryStore.keepingEndedRuns());
        try (AgentRuntime runtime = open(faulty)) {
            FaultyStore ignored = faulty.failOn(Operation.READ_VERSIONS, 1);
            assertThatExceptionOfType(VersionUnknownException.class)
                    .isThrownBy(() -> said(runtime, Version.published().orCode()))
                    .withMessageContaining("the catalog of the runtime failed");
            assertThat(runtime.store().list(RunFilter.ALL)).isEmpty();
        }
    }

    @Test
    void whatIsWrongIsNeitherSavedNorPublished() {
        try (AgentRuntime runtime = open(store)) {
            AgentVersions versions = runtime.versions();
            Steps.assertMisconfigured(() -> versions.save("writer", "what?"), "question mark");
            Steps.assertMisconfigured(() -> versions.save("wirter", "one"), "wirter", "boss, writer, deleter");
            Steps.assertMisconfigured(() -> versions.save("writer", "x".repeat(262_145)), "262144");
            Steps.assertMisconfigured(() -> versions.list("writer", null, 0), "1 to 100");
            Steps.assertMisconfigured(() -> versions.list("writer", null, 101), "1 to 100");
            Steps.assertMisconfigured(() -> versions.list("writer", "1", 10), "'1'");
            assertThat(versions.list("writer", null, 10)).isEmpty();
            for (String missing :
                    List.of("stored-1", "stored-01", "stored-0", "1", "stored-x", "stored-9999999999999999999")) {
                assertThatExceptionOfType(VersionUnknownException.class)
                        .isThrownBy(() -> versions.publish("writer", missing))
                        .withMessageContaining("'" + missing + "' of agent 'writer'");
                assertThatExceptionOfType(VersionUnknownException.class)
                        .isThrownBy(() -> versions.restore("writer", missing));
                assertThat(versions.delete("writer", missing)).isFalse();
            }
            AgentVersion ignored =
                    versions.publish("writer", versions.save("writer", "one").id());
            Steps.assertMisconfigured(() -> versions.delete("writer", "stored-1"), "is published");
        }
    }

    @Test
    void aVersionThatThisProcessCannotReadIsNotPublishedOrUsed() {
        try (AgentRuntime runtime = open(store)) {
            AgentVersion ignored = runtime.versions().save("writer", "one");
        }
        try (AgentRuntime other = building(writer1)
                .catalog(AgentCatalog.stored((agentId, version, document) -> {
                    throw new IllegalStateException("unreadable");
                }))
                .build()) {
            Steps.assertMisconfigured(() -> other.versions().publish("writer", "stored-1"), "unreadable");
            Steps.assertMisconfigured(() -> other.versions().restore("writer", "stored-1"), "unreadable");
            assertThat(other.versions().find("writer", Version.published())).isEmpty();
            assertThatExceptionOfType(VersionUnknownException.class)
                    .isThrownBy(() -> said(other, Version.latest()))
                    .withMessageContaining("unreadable");
        }
    }

    @Test
    void aReaderMustReturnTheAgentAndVersionThatItWasGiven() {
        try (AgentRuntime runtime = building(writer1)
                .catalog(AgentCatalog.stored((agentId, version, document) -> worker(agentId, "2")))
                .build()) {
            Steps.assertMisconfigured(() -> runtime.versions().save("writer", "one"), "returned agent 'writer'", "'2'");
        }
    }

    @Test
    void aStoreWithoutVersionsIsNamed() {
        Store none = new ForwardingStore(store) {
            @Override
            public Store forTenant(String tenantId) {
                return this;
            }

            @Override
            public Optional<VersionStore> versions() {
                return Optional.empty();
            }
        };
        try (AgentRuntime runtime = open(none)) {
            Steps.assertMisconfigured(() -> runtime.versions().list("writer", null, 10), "store", "keeps no versions");
            assertThatExceptionOfType(VersionUnknownException.class)
                    .isThrownBy(() -> said(runtime, Version.published()))
                    .withMessageContaining("keeps no versions");
        }
    }
}
