package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentCatalog;
import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.version.Version;
import dev.chargehand.version.VersionUsage;
import dev.chargehand.version.Versions;
import dev.chargehand.workflow.Workflow;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Versions of agents that callers select when they start runs. */
@Timeout(120)
class SelectedVersionsOverHttpTest extends ServerFixture {

    private Versions selected = Versions.NONE;

    /** Return a lead with a writer below it, both in two versions, and a loner of one. */
    @Override
    List<Agent> agents() {
        Agent writer = writer("1", 10);
        return List.of(
                writer,
                writer("2", 3),
                lead("1", writer),
                lead("2", writer),
                Agent.builder("loner").model(script.modelFor("loner")).build());
    }

    private Agent writer(String version, int maxSteps) {
        return Agent.builder("writer")
                .version(version)
                .description("Writes.")
                .instructions("Write as " + version + ".")
                .model(script.modelFor("writer"))
                .defaultOptions(options -> options.maxSteps(maxSteps))
                .build();
    }

    private Agent lead(String version, Agent writer) {
        return Agent.builder("lead")
                .version(version)
                .instructions("Lead as " + version + ".")
                .model(script.modelFor("lead"))
                .agents(writer)
                .build();
    }

    @Override
    AgentRuntimeBuilder changed(AgentRuntimeBuilder runtime) {
        Agent guest = Agent.builder("guest").model(script.modelFor("guest")).build();
        return runtime.providers(new Named())
                .versions(none -> selected)
                .workflows(
                        Workflow.from("pricing", Order.class)
                                .then(agents().getFirst()
                                        .asStep("write", Order.class, (order, context) -> "Write of " + order.amount()))
                                .build(String.class),
                        Workflow.from("hosting", Order.class)
                                .then(guest.asStep("host", Order.class, (order, context) -> "Host."))
                                .build(String.class))
                .catalog(AgentCatalog.stored((id, version, document) -> Agent.builder(id)
                        .version(version)
                        .description("Writes.")
                        .instructions(document)
                        .model(script.modelFor(id))
                        .build()));
    }

    /** Knows the models of the script by name. */
    private final class Named implements ModelProvider {

        @Override
        public Set<String> names() {
            return Set.of("scripted");
        }

        @Override
        public Optional<Model> find(String name) {
            return name.startsWith("scripted/")
                    ? Optional.of(script.modelFor(name.substring("scripted/".length())))
                    : Optional.empty();
        }
    }

    private ChargehandServer selecting(HttpBinding binding, AgentRuntime runtime) {
        return serve(runtime, builder -> builder.binding(binding).selectableVersions("writer", "lead"));
    }

    private static Map<String, Object> start(Map<String, Object> versions, Object... more) {
        Map<String, Object> options = new HashMap<>(Map.of("versions", Map.of("agents", versions)));
        for (int i = 0; i < more.length; i += 2) {
            options.put((String) more[i], more[i + 1]);
        }
        return Map.of("input", "Write.", "options", options);
    }

    private static Map<String, Object> id(String version) {
        return Map.of("versionId", version);
    }

    private HttpResponse<String> run(ChargehandServer server, String path, Map<String, Object> body) {
        return post(server, path, body, "Prefer", "wait=60");
    }

    private static List<String> used(AgentRuntime runtime, HttpResponse<String> answer) {
        return runtime.usageByVersion(new RunId(at(answer, "/runId"))).stream()
                .map(SelectedVersionsOverHttpTest::name)
                .toList();
    }

    private static String name(VersionUsage usage) {
        return usage.agentId() + " " + usage.version().orElse("-");
    }

    @ParameterizedTest
    @EnumSource
    void aCallerSelectsVersionsOfTheAgentAndOfThoseBelow(HttpBinding binding) {
        script.on("lead")
                .delegates("writer", "Write.")
                .then()
                .says("Done.")
                .on("writer")
                .says("Text.");
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = selecting(binding, runtime);
        HttpResponse<String> answer =
                run(server, "/api/v1/agents/lead/runs", start(Map.of("lead", id("2"), "writer", id("2"))));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(at(answer, "/text")).isEqualTo("Done.");
        assertThat(used(runtime, answer)).containsExactly("lead 2", "writer 2");
    }

    @ParameterizedTest
    @EnumSource
    void thePublishedVersionIsTheOneOfTheStart(HttpBinding binding) {
        script.on("writer").says("Text.").forever();
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = selecting(binding, runtime);
        Map<String, Object> body = start(Map.of("writer", Map.of("status", "published")));
        HttpResponse<String> none = run(server, "/api/v1/agents/writer/runs", body);
        assertThat(none.statusCode()).isEqualTo(422);
        assertThat(at(none, "/code")).isEqualTo("version-unknown");
        String versions = "/api/v1/agents/writer/versions";
        String saved = at(post(server, versions, Map.of("document", "Write saved.")), "/id");
        post(server, versions + "/" + saved + "/publish", Map.of());
        HttpResponse<String> answer = run(server, "/api/v1/agents/writer/runs", body);
        assertThat(used(runtime, answer)).containsExactly("writer " + saved);
    }

    @ParameterizedTest
    @EnumSource
    void aVersionThatIsMissingOrNotSelectableStartsNothing(HttpBinding binding) {
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = selecting(binding, runtime);
        HttpResponse<String> unknown = run(server, "/api/v1/agents/writer/runs", start(Map.of("writer", id("9"))));
        assertThat(unknown.statusCode()).isEqualTo(422);
        assertThat(at(unknown, "/code")).isEqualTo("version-unknown");
        for (String agent : List.of("loner", "nobody")) {
            HttpResponse<String> closed =
                    run(server, "/api/v1/agents/writer/runs", start(Map.of("writer", id("2"), agent, id("1"))));
            assertThat(closed.statusCode()).isEqualTo(422);
            assertThat(at(closed, "/code")).isEqualTo("version-not-selectable");
            assertThat(at(closed, "/detail")).contains("lead, writer").doesNotContain(agent);
        }
        List<Map<String, Object>> wrong = List.of(
                Map.of(),
                Map.of("status", "latest"),
                Map.of("status", "published", "versionId", "2"),
                Map.of("versionId", "2", "orCode", true),
                id(" "),
                id("x".repeat(65)),
                id("a\u0000b"));
        for (Map<String, Object> version : wrong) {
            HttpResponse<String> bad = run(server, "/api/v1/agents/writer/runs", start(Map.of("writer", version)));
            assertThat(bad.statusCode()).as(version.toString()).isEqualTo(400);
        }
        Map<String, Object> byDefault =
                Map.of("input", "Write.", "options", Map.of("versions", Map.of("default", id("2"))));
        assertThat(run(server, "/api/v1/agents/writer/runs", byDefault).statusCode())
                .isEqualTo(400);
        assertThat(runtime.runs(RunFilter.ROOTS)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void withoutAListNoVersionIsSelectable(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        HttpResponse<String> answer = run(server, "/api/v1/agents/writer/runs", start(Map.of("writer", id("2"))));
        assertThat(at(answer, "/code")).isEqualTo("version-not-selectable");
        assertThat(at(answer, "/detail")).contains("none");
    }

    @ParameterizedTest
    @EnumSource
    void theLimitsOfTheSelectedVersionAreNotRaised(HttpBinding binding) {
        script.on("writer").says("Text.").forever();
        ChargehandServer server = selecting(binding, runtime(InMemoryStore.keepingEndedRuns()));
        String path = "/api/v1/agents/writer/runs";
        HttpResponse<String> raised = run(server, path, start(Map.of("writer", id("2")), "maxSteps", 4));
        assertThat(at(raised, "/code")).isEqualTo("limit-not-lowered");
        assertThat(run(server, path, start(Map.of("writer", id("2")), "maxSteps", 3))
                        .statusCode())
                .isEqualTo(200);
        assertThat(run(server, path, start(Map.of("writer", id("1")), "maxSteps", 4))
                        .statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void theLimitsOfTheVersionThatTheRuntimeSelectsAreNotRaised(HttpBinding binding) {
        script.on("writer").says("Text.").forever();
        selected = Versions.NONE.agent("writer", Version.id("2"));
        ChargehandServer server = serve(binding);
        Map<String, Object> options = Map.of("maxSteps", 4);
        assertThat(at(
                        run(server, "/api/v1/agents/writer/runs", Map.of("input", "Write.", "options", options)),
                        "/code"))
                .isEqualTo("limit-not-lowered");
        Map<String, Object> raised = Map.of("messages", "Write.", "maxSteps", 4);
        assertThat(post(server, "/api/agents/writer/generate", raised).statusCode())
                .isEqualTo(400);
        Map<String, Object> lowered = Map.of("messages", "Write.", "maxSteps", 3);
        assertThat(post(server, "/api/agents/writer/generate", lowered).statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void aCallerSelectsVersionsForAWorkflow(HttpBinding binding) {
        script.on("writer").says("Text.").forever();
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = selecting(binding, runtime);
        String path = "/api/v1/workflows/pricing/runs";
        Map<String, Object> input = Map.of("amount", 1);
        Map<String, Object> versions = Map.of("versions", Map.of("agents", Map.of("writer", id("2"))));
        HttpResponse<String> answer = run(server, path, Map.of("input", input, "options", versions));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(used(runtime, answer)).contains("writer 2");
        Map<String, Object> closed = Map.of("versions", Map.of("agents", Map.of("loner", id("2"))));
        assertThat(at(run(server, path, Map.of("input", input, "options", closed)), "/code"))
                .isEqualTo("version-not-selectable");
        assertThat(run(server, path, Map.of("input", input, "options", Map.of("maxSteps", 1)))
                        .statusCode())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @EnumSource
    void aForkContinuesInTheSelectedVersions(HttpBinding binding) {
        script.on("lead")
                .delegates("writer", "Write.")
                .then()
                .says("Done.")
                .on("writer")
                .says("Text.")
                .forever();
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = selecting(binding, runtime);
        HttpResponse<String> source = run(server, "/api/v1/agents/lead/runs", prompt("Write."));
        assertThat(used(runtime, source)).containsExactly("lead 1", "writer 1");
        script.on("lead").delegates("writer", "Write.").then().says("Again.");
        Map<String, Object> options = Map.of("versions", Map.of("agents", Map.of("lead", id("2"), "writer", id("2"))));
        String path = "/api/v1/runs/" + at(source, "/runId") + "/fork";
        HttpResponse<String> fork = run(server, path, Map.of("afterStep", 0, "options", options));
        assertThat(fork.statusCode()).as(fork.body()).isEqualTo(200);
        assertThat(used(runtime, fork)).containsExactly("lead 2", "writer 2");
        Map<String, Object> closed = Map.of("versions", Map.of("agents", Map.of("loner", id("2"))));
        assertThat(at(run(server, path, Map.of("afterStep", 0, "options", closed)), "/code"))
                .isEqualTo("version-not-selectable");
    }

    @ParameterizedTest
    @EnumSource
    void aForkContinuesWithASelectableModel(HttpBinding binding) {
        script.on("loner").says("Own.").forever().on("other").says("Other.").forever();
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server =
                serve(runtime, builder -> builder.binding(binding).selectableModels("scripted/other"));
        String path =
                "/api/v1/runs/" + at(run(server, "/api/v1/agents/loner/runs", prompt("Write.")), "/runId") + "/fork";
        assertThat(at(run(server, path, Map.of("afterStep", 0)), "/text")).isEqualTo("Own.");
        assertThat(at(run(server, path, Map.of("afterStep", 0, "model", "scripted/other")), "/text"))
                .isEqualTo("Other.");
        HttpResponse<String> closed = run(server, path, Map.of("afterStep", 0, "model", "scripted/loner"));
        assertThat(closed.statusCode()).isEqualTo(422);
        assertThat(at(closed, "/code")).isEqualTo("model-not-selectable");
        assertThat(at(closed, "/detail")).isEqualTo("Callers may select these models only: scripted/other.");
    }

    @Test
    void modelsThatAreSelectableHaveNamesOfModels() {
        assertThatThrownBy(() ->
                        serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.selectableModels("gpt")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'gpt' must be named provider/model");
    }

    @ParameterizedTest
    @EnumSource
    void aForkDoesNotRaiseTheLimitsOfTheVersionThatItContinuesIn(HttpBinding binding) {
        script.on("writer").says("Text.").forever();
        ChargehandServer server = selecting(binding, runtime(InMemoryStore.keepingEndedRuns()));
        HttpResponse<String> source = run(server, "/api/v1/agents/writer/runs", start(Map.of("writer", id("2"))));
        String path = "/api/v1/runs/" + at(source, "/runId") + "/fork";
        HttpResponse<String> raised = run(server, path, Map.of("afterStep", 0, "options", Map.of("maxSteps", 4)));
        assertThat(at(raised, "/code")).as(raised.body()).isEqualTo("limit-not-lowered");
        assertThat(run(server, path, Map.of("afterStep", 0, "options", Map.of("maxSteps", 3)))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void onlyAgentsOfTheRuntimeCanBeSelectable() {
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        assertThat(serve(runtime, builder -> builder.selectableVersions("guest"))
                        .uri())
                .isNotNull(); // it is in a step of a workflow only
        assertThatThrownBy(() -> serve(runtime, builder -> builder.selectableVersions("writer", "nobody")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'nobody'")
                .hasMessageContaining("guest, lead, loner, writer");
    }
}
