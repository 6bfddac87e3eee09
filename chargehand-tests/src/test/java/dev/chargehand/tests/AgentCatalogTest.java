package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.chargehand.Agent;
import dev.chargehand.AgentCatalog;
import dev.chargehand.AgentCatalog.Query;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.error.VersionUnknownException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.spi.CallInfo.Kind;
import dev.chargehand.store.RunFilter;
import dev.chargehand.version.Version;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Versions of agents that a catalog finds when a run or a delegation starts. */
class AgentCatalogTest extends VersionFixture {

    private final Agent writer1 = worker("writer", "1");
    private final Agent boss = supervisor("boss", "", writer1);
    private final List<Query> asked = new CopyOnWriteArrayList<>();

    /** A catalog of the versions p, which is published, and d, which was saved last. */
    private Optional<Agent> find(Query query) {
        asked.add(query);
        String id =
                switch (query.version().kind()) {
                    case ID -> query.version().id().orElseThrow();
                    case PUBLISHED -> "p";
                    case LATEST -> "d";
                };
        return List.of("p", "d").contains(id) ? Optional.of(worker(query.agentId(), id)) : Optional.empty();
    }

    private AgentRuntime with(AgentCatalog catalog, Agent... agents) {
        return building(agents).catalog(catalog).build();
    }

    private static String said(AgentRuntime runtime, String agent, Version version) {
        return runtime.agent(agent)
                .generate("Go", o -> o.version("writer", version))
                .text();
    }

    @Test
    void theCalledAgentIsThePublishedOneTheLatestOneOrThatOfAnId() {
        try (AgentRuntime runtime = with(this::find, writer1)) {
            assertThat(said(runtime, "writer", Version.published())).isEqualTo("writer p");
            assertThat(said(runtime, "writer", Version.latest())).isEqualTo("writer d");
            assertThat(said(runtime, "writer", id("d"))).isEqualTo("writer d");
            assertThat(said(runtime, "writer", Version.published().orCode())).isEqualTo("writer p");
            assertThat(said(runtime, "writer", id("x").orCode())).isEqualTo("writer 1");
        }
    }

    @Test
    void aDelegationIsToTheSelectedVersionWhichItsEventsName() {
        try (AgentRuntime runtime = with(this::find, boss)) {
            RunResult result = runtime.agent("boss").generate("Go", o -> o.version("writer", Version.published()));
            assertThat(result.text()).isEqualTo("boss  [writer p]");
            List<RunEvent> events = runtime.history(result.runId());
            assertThat(started(events)).containsExactly("boss=null", "writer=p");
            assertThat(events)
                    .filteredOn(RunEvent.DelegationStart.class::isInstance)
                    .extracting(event -> event.toJson().at("/version").flatMap(Json::string))
                    .containsExactly(Optional.of("p"));
        }
    }

    @Test
    void theDefaultVersionOfTheRuntimeIsLookedForInTheCatalog() {
        Agent alone = supervisor(builder("boss", "").agents(writer1), "boss", "");
        try (AgentRuntime runtime = building(alone)
                .catalog(query -> query.agentId().equals("writer") ? find(query) : Optional.empty())
                .versions(v -> v.defaultVersion(Version.published().orCode()))
                .build()) {
            assertThat(runtime.agent("boss").generate("Go").text()).isEqualTo("boss  [writer p]");
        }
    }

    @Test
    void aVersionInCodeIsNotLookedForInTheCatalog() {
        try (AgentRuntime runtime = with(this::find, writer1, worker("writer", "p", "in code"))) {
            assertThat(said(runtime, "writer", id("p"))).isEqualTo("writer in code");
            assertThat(runtime.agent("writer").generate("Go").text()).isEqualTo("writer 1");
            assertThat(asked).isEmpty();
        }
    }

    @Test
    void aCatalogIsAskedForTheTenantOfTheRun() {
        try (AgentRuntime runtime = with(this::find, boss)) {
            assertThat(runtime.forTenant("acme")
                            .agent("boss")
                            .generate("Go", o -> o.version("writer", Version.latest()))
                            .text())
                    .isEqualTo("boss  [writer d]");
            assertThat(asked).containsExactly(new Query("acme", "writer", Version.latest()));
        }
    }

    @Test
    void aMissingVersionStartsNothing() {
        try (AgentRuntime runtime = with(this::find, boss, writer1)) {
            assertThatExceptionOfType(VersionUnknownException.class)
                    .isThrownBy(() -> said(runtime, "writer", id("x")))
                    .withMessageContaining("no version 'x' of agent 'writer'")
                    .withMessageContaining("catalog")
                    .matches(e -> !e.retryable());
            assertThat(store.list(RunFilter.ALL)).isEmpty();
            assertThat(said(runtime, "boss", id("x"))).contains("version-unknown", "'x'");
            assertThat(store.list(RunFilter.ALL)).as("the run of the boss only").hasSize(1);
        }
    }

    @Test
    void aCatalogThatThrowsIsAnErrorAndNeverTheAgentInCode() {
        AgentCatalog throwing = query -> {
            throw new IllegalStateException("no connection, key sk-123");
        };
        try (AgentRuntime runtime =
                building(boss, writer1).catalog(throwing).addSecret("sk-123").build()) {
            for (Version version :
                    List.of(Version.published(), id("2"), Version.published().orCode())) {
                assertThatExceptionOfType(VersionUnknownException.class)
                        .isThrownBy(() -> said(runtime, "writer", version))
                        .withMessageContaining("agent 'writer'")
                        .withMessageContaining("no connection")
                        .withMessageNotContaining("sk-123")
                        .withCauseInstanceOf(IllegalStateException.class)
                        .matches(e -> e.code().equals("version-unknown") && e.retryable());
            }
            assertThat(store.list(RunFilter.ALL)).isEmpty();
            assertThat(said(runtime, "boss", Version.published())).contains("version-unknown", "catalog");
            assertThat(store.list(RunFilter.ALL)).hasSize(1);
        }
    }

    @Test
    void aCatalogThatHangsIsAbandonedAfterItsTimeLimit() {
        CountDownLatch never = new CountDownLatch(1);
        AgentCatalog hanging = query -> {
            while (never.getCount() > 0) {
                try {
                    never.await();
                } catch (InterruptedException e) {
                    // it ignores interrupts
                }
            }
            return find(query);
        };
        try (AgentRuntime runtime = building(boss, writer1)
                .catalog(hanging)
                .catalogTimeLimit(Duration.ofMillis(50))
                .build()) {
            assertThatExceptionOfType(VersionUnknownException.class)
                    .isThrownBy(() -> said(runtime, "writer", Version.published()))
                    .withMessageContaining("did not answer within 0.05 s")
                    .matches(VersionUnknownException::retryable);
            assertThat(runtime.abandonedCalls()).containsExactly("catalog of the versions of writer");
            assertThat(store.list(RunFilter.ALL)).isEmpty();
            assertThat(said(runtime, "boss", Version.published())).contains("version-unknown", "did not answer");
            never.countDown();
        }
    }

    @Test
    void aRunIsCancelledWhileTheCatalogHangs() throws InterruptedException {
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        AgentCatalog hanging = query -> {
            called.countDown();
            never.await();
            return Optional.empty();
        };
        Agent top = supervisor(
                "top",
                "",
                supervisor(
                        builder("boss", "").agents(writer1).defaultOptions(o -> o.version("writer", id("2"))),
                        "boss",
                        ""));
        try (AgentRuntime runtime = building(top)
                .catalog(hanging)
                .catalogTimeLimit(Duration.ofHours(1))
                .build()) {
            var run = runtime.agent("top").start("Go");
            called.await();
            assertThat(runtime.cancel(run.runId())).isTrue();
            assertThat(run.result().status()).isEqualTo(RunStatus.ABORTED);
        }
    }

    @Test
    void whatTheCatalogReturnsIsChecked() {
        assertWrong(query -> null, "returned null");
        assertWrong(query -> Optional.of(worker("reader", "2")), "returned agent 'reader' with version '2'");
        assertWrong(query -> Optional.of(worker("writer", "3")), "returned agent 'writer' with version '3'");
        assertWrong(query -> Optional.of(worker("writer", "", "?")), "with no version");
    }

    private void assertWrong(AgentCatalog catalog, String words) {
        try (AgentRuntime runtime = with(catalog, writer1)) {
            assertThatExceptionOfType(VersionUnknownException.class)
                    .isThrownBy(() -> said(runtime, "writer", id("2")))
                    .withMessageContaining("Version '2' of agent 'writer'")
                    .withMessageContaining(words);
            assertThat(store.list(RunFilter.ALL)).isEmpty();
        }
    }

    @Test
    void anUnknownAgentInASelectorDoesNotReachTheCatalog() {
        try (AgentRuntime runtime = with(this::find, boss)) {
            Steps.assertMisconfigured(
                    () -> runtime.agent("boss").generate("Go", o -> o.version("wirter", Version.published())),
                    "wirter");
            assertThat(asked).isEmpty();
            assertThat(store.list(RunFilter.ALL)).isEmpty();
        }
    }

    @Test
    void aCallOfTheCatalogIsInstrumented() {
        Spans spans = new Spans();
        try (AgentRuntime runtime =
                building(boss).catalog(this::find).addInstrumentation(spans).build()) {
            assertThat(said(runtime, "boss", Version.published())).isEqualTo("boss  [writer p]");
            assertThat(spans.of(Kind.CATALOG)).hasSize(1);
            assertThat(spans.of(Kind.CATALOG).getFirst().info().name()).isEqualTo("writer");
        }
    }

    @Test
    void optionsOfTheCatalogAreChecked() {
        Steps.assertMisconfigured(() -> building(writer1).catalog(null), "catalog");
        Steps.assertMisconfigured(() -> building(writer1).catalogTimeLimit(Duration.ZERO), "above zero");
        Steps.assertMisconfigured(() -> AgentCatalog.stored(null), "reader");
        Steps.assertMisconfigured(() -> runtime(worker("writer", "stored-3")), "stored-3", "name of saved versions");
        try (AgentRuntime runtime = with(this::find, writer1)) {
            Steps.assertMisconfigured(runtime::versions, "AgentCatalog.stored");
        }
    }
}
