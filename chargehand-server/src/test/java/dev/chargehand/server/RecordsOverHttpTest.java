package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentCatalog;
import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.metric.RunTimes;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.ScriptedEmbeddings;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is stored in addition to runs: facts, memory, versions, tasks and numbers. */
class RecordsOverHttpTest extends ServerFixture {

    private static final String THREADS = "/api/v1/memory/threads/";

    private final RunTimes times = new RunTimes();

    @Override
    List<Agent> agents() {
        List<Agent> all = new ArrayList<>(super.agents());
        all.add(Agent.builder("reader")
                .model(script.modelFor("reader"))
                .memory(memory -> memory.semanticRecall(recall -> recall.by(new ScriptedEmbeddings())))
                .build());
        return all;
    }

    @Override
    AgentRuntimeBuilder changed(AgentRuntimeBuilder runtime) {
        return runtime.addListener(times).catalog(AgentCatalog.stored((id, version, document) -> {
            if (document.startsWith("!")) {
                throw new ConfigurationException("The document starts with an exclamation mark.");
            }
            return Agent.builder(id)
                    .version(version)
                    .description("Writes.")
                    .instructions(document)
                    .model(script.modelFor("writer"))
                    .build();
        }));
    }

    private HttpResponse<String> patch(ChargehandServer server, String path, Map<String, Object> body) {
        return send(request(server, path)
                .header("Content-Type", "application/json")
                .method(
                        "PATCH",
                        HttpRequest.BodyPublishers.ofString(Json.of(body).text()))
                .build());
    }

    private HttpResponse<String> delete(ChargehandServer server, String path) {
        return send(request(server, path).DELETE().build());
    }

    private HttpResponse<String> run(ChargehandServer server, String agent, String text, String thread) {
        return post(
                server,
                "/api/v1/agents/" + agent + "/runs",
                Map.of("input", text, "thread", thread, "resource", "ann"),
                "Prefer",
                "wait=30");
    }

    @ParameterizedTest
    @EnumSource
    void theFactsOfARunAreReadInPages(HttpBinding binding) {
        script.on("writer").says("Done.");
        ChargehandServer server = serve(binding);
        String run = at(run(server, "writer", "Write.", "t"), "/runId");
        List<String> types = new ArrayList<>();
        String next = "0";
        while (!next.isEmpty()) {
            HttpResponse<String> page = get(server, "/api/v1/runs/" + run + "/facts?limit=2&from=" + next);
            for (int i = 0; i < 2; i++) {
                types.add(at(page, "/facts/" + i + "/type"));
                assertThat(at(page, "/facts/" + i + "/position")).isIn("", Integer.toString(types.size() - 1));
            }
            next = at(page, "/next");
        }
        types.removeIf(String::isEmpty);
        HttpResponse<String> all = get(server, "/api/v1/runs/" + run + "/facts?limit=200");
        assertThat(types).hasSizeGreaterThan(2);
        assertThat(at(all, "/facts/0/type")).isEqualTo(types.getFirst());
        assertThat(at(all, "/facts/" + (types.size() - 1) + "/type")).isEqualTo(types.getLast());
        assertThat(at(all, "/facts/" + types.size() + "/type")).isEmpty();
        assertThat(get(server, "/api/v1/runs/none/facts").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @EnumSource
    void aWorkingMemoryIsReadAndChanged(HttpBinding binding) {
        script.on("writer").says("Done.");
        ChargehandServer server = serve(binding);
        run(server, "writer", "Write.", "t");
        for (String path :
                List.of(THREADS + "t/working?resource=ann", "/api/v1/memory/resource/working?resource=ann")) {
            assertThat(at(get(server, path), "/revision")).as(path).isEqualTo("0");
            assertThat(at(patch(server, path, Map.of("text", "Likes boats.", "revision", 0)), "/revision"))
                    .isEqualTo("1");
            HttpResponse<String> late = patch(server, path, Map.of("text", "Likes cars.", "revision", 0));
            assertThat(late.statusCode()).isEqualTo(409);
            assertThat(at(late, "/code")).isEqualTo("memory-conflict");
            assertThat(at(patch(server, path, Map.of("text", "")), "/revision")).isEqualTo("2");
            assertThat(at(get(server, path), "/text")).isEmpty();
            assertThat(patch(server, path, Map.of("text", "x".repeat(20_000))).statusCode())
                    .isEqualTo(400);
        }
        assertThat(get(server, THREADS + "t/working?resource=bob").body())
                .isEqualTo(get(server, THREADS + "none/working?resource=bob").body());
        assertThat(get(server, "/api/v1/memory/resource/working").statusCode()).isEqualTo(400);
    }

    @ParameterizedTest
    @EnumSource
    void twoWhoReplaceTheSameRevisionAtOnceDoNotLoseOne(HttpBinding binding) throws Exception {
        ChargehandServer server = serve(binding);
        String path = "/api/v1/memory/resource/working?resource=ann";
        List<HttpResponse<String>> answers =
                atOnce(20, i -> patch(server, path, Map.of("text", "Text " + i, "revision", 0)));
        assertThat(answers.stream().filter(answer -> answer.statusCode() == 200))
                .hasSize(1);
        assertThat(answers.stream().filter(answer -> answer.statusCode() == 409))
                .hasSize(19);
        assertThat(at(get(server, path), "/revision")).isEqualTo("1");
    }

    @ParameterizedTest
    @EnumSource
    void messagesAreFoundAndForgotten(HttpBinding binding) {
        script.on("reader").says("There are fjords.").then().says("Bread.");
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, builder -> builder.binding(binding));
        run(server, "reader", "Tell me of holidays in Norway.", "t");
        run(server, "reader", "Tell me of bakers.", "u");
        assertThat(runtime.memory().settled(Duration.ofSeconds(30))).isTrue();
        String search = "/api/v1/memory/search?agent=reader&q=holidays+in+Norway&limit=1";
        assertThat(at(get(server, search + "&resource=ann"), "/messages/0/text"))
                .contains("Norway");
        assertThat(at(get(server, search + "&resource=ann&thread=u"), "/messages/0/text"))
                .doesNotContain("Norway");
        assertThat(at(get(server, search + "&resource=bob"), "/messages/0/text"))
                .isEmpty();
        assertThat(get(server, search.replace("reader", "writer") + "&resource=ann")
                        .statusCode())
                .isEqualTo(400);
        assertThat(at(get(server, search.replace("reader", "none") + "&resource=ann"), "/code"))
                .isEqualTo("agent-unknown");
        assertThat(get(server, "/api/v1/memory/search?agent=reader&resource=ann")
                        .statusCode())
                .isEqualTo(400);
        HttpResponse<String> forgotten = delete(server, "/api/v1/memory?resource=ann");
        assertThat(at(forgotten, "/threads")).isEqualTo("2");
        assertThat(at(get(server, "/api/v1/threads?resource=ann"), "/threads/0/id"))
                .isEmpty();
        assertThat(at(delete(server, "/api/v1/memory?resource=ann"), "/runs")).isEqualTo("0");
        assertThat(delete(server, "/api/v1/memory").statusCode()).isEqualTo(400);
    }

    @ParameterizedTest
    @EnumSource
    void aResourceWithAnOpenRunIsNotForgotten(HttpBinding binding) {
        script.on("clerk").calls("pay", Map.of("amount", 1)).then().says("Paid.");
        ChargehandServer server = serve(binding);
        run(server, "clerk", "Pay.", "t");
        assertThat(at(delete(server, "/api/v1/memory?resource=ann"), "/code")).isEqualTo("resource-busy");
        assertThat(at(delete(server, "/api/v1/memory?resource=ann&cancel=true"), "/runs"))
                .isEqualTo("1");
        assertThat(paid).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void versionsAreSavedPublishedAndRestored(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        String path = "/api/v1/agents/writer/versions";
        assertThat(at(get(server, path + "/published"), "/code")).isEqualTo("version-unknown");
        HttpResponse<String> draft = post(server, path, Map.of("document", "Write briefly."));
        assertThat(draft.statusCode()).isEqualTo(201);
        String first = at(draft, "/id");
        String second = at(post(server, path, Map.of("document", "Write at length.")), "/id");
        assertThat(at(get(server, path + "?limit=1"), "/versions/0/id")).isEqualTo(second);
        assertThat(at(get(server, path + "?limit=1&after=" + second), "/versions/0/id"))
                .isEqualTo(first);
        assertThat(at(post(server, path + "/" + first + "/publish", Map.of()), "/published"))
                .isEqualTo("true");
        assertThat(at(get(server, path + "/published"), "/document")).isEqualTo("Write briefly.");
        HttpResponse<String> restored = post(server, path + "/" + first + "/restore", Map.of());
        assertThat(at(restored, "/document")).isEqualTo("Write briefly.");
        assertThat(at(restored, "/latest")).isEqualTo("true");
        HttpResponse<String> wrong = post(server, path, Map.of("document", "!"));
        assertThat(wrong.statusCode()).isEqualTo(422);
        assertThat(at(wrong, "/detail")).contains("exclamation mark");
        assertThat(at(post(server, path + "/none/publish", Map.of()), "/code")).isEqualTo("version-unknown");
        assertThat(at(get(server, "/api/v1/agents/none/versions"), "/code")).isEqualTo("agent-unknown");
        for (String bad : List.of("?after=none", "?limit=0", "?limit=101")) {
            assertThat(get(server, path + bad).statusCode()).as(bad).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theProcessKnowsTheTimesOfItsOwnRuns(HttpBinding binding) {
        script.on("clerk").delegates("writer", "Write.").then().says("Done.");
        script.on("writer").says("Text.");
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer without = serve(runtime, builder -> builder.binding(binding));
        ChargehandServer server =
                serve(runtime, builder -> builder.binding(binding).times(times));
        run(server, "clerk", "Write.", "t");
        HttpResponse<String> summary = get(server, "/api/v1/metrics/summary");
        assertThat(at(summary, "/process/firstText/p50Millis")).isNotEmpty();
        assertThat(at(summary, "/process/tools/p95Millis")).isNotEmpty();
        assertThat(at(summary, "/process/abandonedCalls")).isEqualTo("0");
        HttpResponse<String> none = get(without, "/api/v1/metrics/summary");
        assertThat(at(none, "/process/firstText")).isEmpty();
        assertThat(at(none, "/process/abandonedCalls")).isEqualTo("0");
        assertThat(at(get(server, "/api/v1/metrics/summary?resource=bob"), "/process"))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void runsAreCounted(HttpBinding binding) {
        script.on("writer").says("One.").then().says("Two.");
        script.on("clerk").calls("pay", Map.of("amount", 1)).then().says("Paid.");
        ChargehandServer server = serve(binding);
        run(server, "writer", "1", "t");
        run(server, "writer", "2", "t");
        run(server, "clerk", "Pay.", "u");
        HttpResponse<String> summary = get(server, "/api/v1/metrics/summary?window=2h");
        assertThat(at(summary, "/all/runs")).isEqualTo("3");
        assertThat(at(summary, "/all/byStatus/completed")).isEqualTo("2");
        assertThat(at(summary, "/byAgent/clerk/byStatus/suspended")).isEqualTo("1");
        assertThat(at(summary, "/byAgent/clerk/duration")).isEmpty();
        assertThat(at(summary, "/byAgent/writer/duration/p95Millis")).isNotEmpty();
        assertThat(at(get(server, "/api/v1/metrics/summary?resource=bob"), "/all/runs"))
                .isEqualTo("0");
        for (String bad : List.of("0h", "1", "h", "31d", "1w", "-1h", "99999d")) {
            assertThat(get(server, "/api/v1/metrics/summary?window=" + bad).statusCode())
                    .as(bad)
                    .isEqualTo(400);
        }
    }

    @ParameterizedTest
    @EnumSource
    void tasksAreFoundByRunThreadAndId(HttpBinding binding) {
        script.on("lead")
                .calls("agent-writer", Map.of("prompt", "Write.", "background", true))
                .then()
                .says("It has started.");
        script.on("writer").says("A letter.");
        ChargehandServer server = serve(binding);
        String run = at(run(server, "lead", "Write.", "t"), "/runId");
        String task = at(get(server, "/api/v1/tasks?run=" + run), "/tasks/0/id");
        assertThat(at(get(server, "/api/v1/threads/t/tasks?resource=ann"), "/tasks/0/id"))
                .isEqualTo(task);
        assertThat(at(get(server, "/api/v1/tasks"), "/tasks/0/id")).isEqualTo(task);
        assertThat(at(get(server, "/api/v1/tasks?resource=bob"), "/tasks/0/id")).isEmpty();
        assertThat(at(get(server, "/api/v1/tasks/" + task), "/agent")).isEqualTo("writer");
        assertThat(at(get(server, "/api/v1/tasks/" + run), "/code")).isEqualTo("task-unknown");
        assertThat(at(get(server, "/api/v1/threads/none/tasks?resource=ann"), "/code"))
                .isEqualTo("thread-unknown");
    }
}
