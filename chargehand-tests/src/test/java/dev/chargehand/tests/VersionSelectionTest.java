package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.error.VersionUnknownException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.model.ToolDefinition;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.RunFilter;
import dev.chargehand.version.Version;
import dev.chargehand.version.Versions;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Which version of an agent a call and a delegation use. */
class VersionSelectionTest extends VersionFixture {

    private final Agent writer1 = worker("writer", "1");
    private final Agent writer2 = worker("writer", "2");
    private final Agent boss = supervisor("boss", "", writer1);

    private static String said(AgentRuntime runtime, String agent, Consumer<RunOptions.Builder> options) {
        return runtime.agent(agent).generate("Go", options).text();
    }

    @Test
    void withoutASelectionTheFirstVersionGivenIsUsed() {
        try (AgentRuntime runtime = runtime(writer1, writer2, boss)) {
            assertThat(said(runtime, "writer", o -> {})).isEqualTo("writer 1");
            assertThat(said(runtime, "boss", o -> {})).isEqualTo("boss  [writer 1]");
        }
        try (AgentRuntime runtime = runtime(writer2, writer1)) {
            assertThat(runtime.agent("writer").version()).contains("2");
            assertThat(said(runtime, "writer", o -> {})).isEqualTo("writer 2");
        }
    }

    @Test
    void aCallSelectsTheCalledAgentAndThoseBelowItByEveryMethod() throws Exception {
        Agent boss2 = supervisor("boss", "2", writer1);
        Agent boss1 = supervisor("boss", "1", writer1);
        Consumer<RunOptions.Builder> both = o -> o.version("boss", id("2")).version("writer", id("2"));
        String expected = "boss 2 [writer 2]";
        try (AgentRuntime runtime = runtime(boss1, boss2, writer1, writer2)) {
            Agent called = runtime.agent("boss");
            assertThat(called.generate("Go", both).text()).isEqualTo(expected);
            assertThat(called.start("Go", both).result().text()).isEqualTo(expected);
            assertThat(called.stream("Go", both).result().text()).isEqualTo(expected);
            RunId run = runtime.submit(called, List.of(Message.user("Go")), both);
            assertThat(runtime.resume(run, o -> {}).result().text()).isEqualTo(expected);
            assertThat(started(runtime.history(run))).containsExactly("boss=2", "writer=2");
        }
    }

    @Test
    void theDefaultOptionsOfTheSelectedVersionHold() {
        Agent strict = supervisor(builder("boss", "2").agents(writer1).defaultOptions(o -> o.maxSteps(1)), "boss", "2");
        Agent loose = supervisor("boss", "1", writer1);
        try (AgentRuntime runtime = runtime(loose, strict)) {
            assertThat(runtime.agent("boss")
                            .generate("Go", o -> o.version("boss", id("2")))
                            .stopReason())
                    .isInstanceOf(StopReason.MaxStepsReached.class);
        }
        try (AgentRuntime runtime = runtime(strict, loose)) {
            assertThat(said(runtime, "boss", o -> o.version("boss", id("1")))).isEqualTo("boss 1 [writer 1]");
        }
    }

    @Test
    void theFirstSourceThatNamesTheAgentWins() {
        Agent selecting = supervisor(
                builder("boss", "").agents(writer1).defaultOptions(o -> o.version("writer", id("agent"))
                        .defaultVersion(id("agent-default").orCode())),
                "boss",
                "");
        Agent[] agents = {
            selecting,
            writer1,
            worker("writer", "call"),
            worker("writer", "request"),
            worker("writer", "agent"),
            worker("writer", "runtime"),
            worker("writer", "agent-default"),
            worker("writer", "call-default"),
            worker("writer", "runtime-default")
        };
        RequestContext request = context(Versions.NONE.agent("writer", id("request")));
        try (AgentRuntime runtime = building(agents)
                .versions(v -> v.agent("writer", id("runtime")).defaultVersion(id("runtime-default")))
                .build()) {
            assertThat(said(runtime, "boss", o -> o.requestContext(request).version("writer", id("call"))))
                    .contains("[writer call]");
            assertThat(said(runtime, "boss", o -> o.requestContext(request))).contains("[writer request]");
            assertThat(said(
                            runtime,
                            "boss",
                            o -> o.defaultVersion(id("call-default").orCode())))
                    .contains("[writer agent]");
        }
        Agent plain = supervisor("boss", "", writer1);
        agents[0] = plain;
        try (AgentRuntime runtime = building(agents)
                .versions(v -> v.agent("writer", id("runtime"))
                        .defaultVersion(id("runtime-default").orCode()))
                .build()) {
            assertThat(said(
                            runtime,
                            "boss",
                            o -> o.defaultVersion(id("call-default").orCode())))
                    .as("the runtime names it")
                    .contains("[writer runtime]");
        }
        try (AgentRuntime runtime = building(agents)
                .versions(v -> v.defaultVersion(id("runtime-default").orCode()))
                .build()) {
            assertThat(said(
                            runtime,
                            "boss",
                            o -> o.defaultVersion(id("call-default").orCode())))
                    .contains("[writer call-default]");
            assertThat(said(runtime, "boss", o -> {})).contains("[writer runtime-default]");
        }
    }

    @Test
    void aSelectionHoldsAtEveryLevelOverTheDefaultsOfTheAgentsBetween() {
        Agent middle = supervisor(
                builder("middle", "")
                        .agents(writer1, worker("reader", "1"))
                        .defaultOptions(o -> o.version("writer", id("2")).version("reader", id("2"))),
                "middle",
                "");
        Agent top = supervisor("top", "", middle);
        try (AgentRuntime runtime =
                runtime(top, writer1, writer2, worker("writer", "3"), worker("reader", "1"), worker("reader", "2"))) {
            assertThat(said(runtime, "top", o -> {})).isEqualTo("top  [middle  [writer 2, reader 2]]");
            assertThat(said(runtime, "top", o -> o.version("writer", id("3"))))
                    .isEqualTo("top  [middle  [writer 3, reader 2]]");
        }
    }

    @Test
    void theModelIsOfferedTheSelectedVersion() {
        try (AgentRuntime runtime = runtime(boss, writer1, writer2)) {
            said(runtime, "boss", o -> o.version("writer", id("2")));
            assertThat(requests.peek().tools())
                    .extracting(ToolDefinition::description)
                    .containsExactly("writer 2 works.");
        }
    }

    @Test
    void eventsNameTheVersion() {
        try (AgentRuntime runtime = runtime(boss, writer1, writer2)) {
            RunResult result = runtime.agent("boss").generate("Go", o -> o.version("writer", id("2")));
            assertThat(started(runtime.history(result.runId()))).containsExactly("boss=null", "writer=2");
            RunEvent delegation = runtime.history(result.runId()).stream()
                    .filter(RunEvent.DelegationStart.class::isInstance)
                    .findFirst()
                    .orElseThrow();
            assertThat(delegation.toJson().at("/version").flatMap(Json::string)).contains("2");
        }
    }

    @Test
    void anUnknownVersionOfTheCalledAgentStartsNothing() {
        try (AgentRuntime runtime = runtime(writer1, writer2)) {
            for (Version version : new Version[] {id("3"), Version.published(), Version.latest()}) {
                assertThatExceptionOfType(VersionUnknownException.class)
                        .isThrownBy(() -> said(runtime, "writer", o -> o.version("writer", version)))
                        .satisfies(e -> assertThat(e.code()).isEqualTo("version-unknown"))
                        .withMessageContaining("version " + version + " of agent 'writer'");
            }
            assertThat(store.list(RunFilter.ALL)).isEmpty();
        }
    }

    @Test
    void anUnknownVersionOfASubAgentIsAnErrorResultAndNoRun() {
        try (AgentRuntime runtime = runtime(boss, writer1, writer2)) {
            RunResult result = runtime.agent("boss").generate("Go", o -> o.version("writer", id("3")));
            assertThat(result.text()).contains("version-unknown", "'3'", "version '1', version '2'");
            assertThat(store.list(RunFilter.ALL)).hasSize(1);
            assertThat(runtime.history(result.runId())).noneMatch(RunEvent.DelegationStart.class::isInstance);
        }
    }

    @Test
    void onlyOrCodeFallsBack() {
        try (AgentRuntime runtime = runtime(boss, writer1, writer2)) {
            assertThat(said(
                            runtime,
                            "boss",
                            o -> o.defaultVersion(Version.published().orCode())))
                    .isEqualTo("boss  [writer 1]");
            assertThatExceptionOfType(VersionUnknownException.class)
                    .as("what is called is not published either")
                    .isThrownBy(() -> said(runtime, "boss", o -> o.defaultVersion(Version.published())))
                    .withMessageContaining(".orCode()");
            assertThat(said(runtime, "boss", o -> o.version("writer", Version.published())))
                    .contains("version-unknown");
        }
    }

    @Test
    void anUnknownAgentInASelectorStartsNothing() {
        Agent nested = supervisor(
                "top",
                "",
                supervisor(
                        builder("boss", "").agents(writer1).defaultOptions(o -> o.version("wirter", id("2"))),
                        "boss",
                        ""));
        try (AgentRuntime runtime = runtime(boss, writer1, writer2)) {
            Steps.assertMisconfigured(
                    () -> said(runtime, "boss", o -> o.version("wirter", id("2"))), "wirter", "boss, writer");
            Steps.assertMisconfigured(
                    () -> said(runtime, "boss", o -> o.requestContext(context(Versions.NONE.agent("wirter", id("2"))))),
                    "wirter");
            Steps.assertMisconfigured(() -> runtime.bind(nested).generate("Go"), "wirter");
            assertThat(store.list(RunFilter.ALL)).isEmpty();
        }
        Steps.assertMisconfigured(
                () -> building(boss).versions(v -> v.agent("wirter", id("2"))).build(), "wirter", "runtime");
    }

    @Test
    void aSelectionOfTheRequestThatIsMalformedOrNotStoredIsRejected() {
        try (AgentRuntime runtime = runtime(writer1, writer2)) {
            for (String wrong : new String[] {
                "{\"writer\":{\"versionId\":\"2\"}}",
                "[]",
                "{\"agents\":{\"writer\":\"2\"}}",
                "{\"agents\":{\"writer\":{\"status\":\"draft\"}}}"
            }) {
                Steps.assertMisconfigured(
                        () -> said(
                                runtime,
                                "writer",
                                o -> o.requestContext(RequestContext.of(Versions.KEY, Json.parse(wrong)))),
                        "ersion");
            }
            RequestContext.Key<Json> lost = RequestContext.Key.transientOf(Versions.KEY.name(), Json.class);
            Steps.assertMisconfigured(
                    () -> said(
                            runtime, "writer", o -> o.requestContext(RequestContext.of(lost, Versions.NONE.toJson()))),
                    "stored");
            assertThat(store.list(RunFilter.ALL)).isEmpty();
        }
    }

    @Test
    void aHookCannotSelectVersionsOfItsDelegation() {
        try (AgentRuntime runtime = runtime(boss, writer1, writer2)) {
            RequestContext other = context(Versions.NONE.agent("writer", id("2")));
            assertThat(said(
                            runtime,
                            "boss",
                            o -> o.onDelegationStart(
                                    start -> DelegationDecision.proceed().withRequestContext(other))))
                    .contains("selects versions only where a run is started");
            assertThat(said(runtime, "boss", o -> o.requestContext(other)
                            .onDelegationStart(start -> DelegationDecision.proceed()
                                    .withRequestContext(start.run().requestContext()))))
                    .as("passing on what the run has")
                    .isEqualTo("boss  [writer 2]");
        }
    }

    @Test
    void versionsOfOneAgentNeedAVersionEach() {
        Steps.assertMisconfigured(() -> runtime(writer1, worker("writer", "1")), "given twice", "version '1'");
        Steps.assertMisconfigured(() -> runtime(writer1, worker("writer", "")), "given twice", "no version");
        Steps.assertMisconfigured(() -> runtime(worker("writer", ""), writer1), "given twice");
        Steps.assertMisconfigured(() -> builder("writer", "x".repeat(65)), "64");
        Steps.assertMisconfigured(() -> builder("writer", "a\nb"), "control");
    }

    @Test
    void aVersionWithoutADescriptionIsNotDelegatedTo() {
        Agent silent = Agent.builder("writer")
                .version("2")
                .model(Scripts.on("writer").says("writer 2").forever().modelFor("writer"))
                .build();
        try (AgentRuntime runtime = runtime(boss, writer1, silent)) {
            assertThat(said(runtime, "boss", o -> o.version("writer", id("2")))).contains("no description");
            assertThat(said(runtime, "writer", o -> o.version("writer", id("2"))))
                    .isEqualTo("writer 2");
        }
    }
}
