package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.error.ModelException;
import dev.chargehand.json.Json;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import java.net.http.HttpResponse;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Background tasks, and numbers of runs of workflows, as Mastra's client reads them. */
@Timeout(120)
class MastraTasksTest extends ServerFixture {

    private ChargehandServer start(HttpBinding binding) {
        return serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.binding(binding)
                .addPrincipals(token -> Optional.of(new Principal(
                        token,
                        Store.LOCAL,
                        Optional.of(token),
                        EnumSet.complementOf(EnumSet.of(Scope.RESOURCES_ANY))))));
    }

    private HttpResponse<String> get(ChargehandServer server, String user, String path) {
        return send(
                request(server, path).header("Authorization", "Bearer " + user).build());
    }

    @ParameterizedTest
    @EnumSource
    void aTaskHasTheCallThatHasStartedIt(HttpBinding binding) {
        script.on("lead")
                .calls("agent-writer", Map.of("prompt", "Write.", "background", true))
                .then()
                .says("It has started.");
        script.on("writer").says("A letter.").forever();
        ChargehandServer server = start(binding);
        HttpResponse<String> run = post(
                server,
                "/api/agents/lead/generate",
                Map.of("messages", "Write.", "memory", Map.of("thread", "t")),
                "Authorization",
                "Bearer ann");
        String id = at(run, "/runId");
        HttpResponse<String> tasks = get(server, "ann", "/api/background-tasks");
        assertThat(at(tasks, "/total")).as(tasks.body()).isEqualTo("1");
        String task = at(tasks, "/tasks/0/id");
        HttpResponse<String> alone = get(server, "ann", "/api/background-tasks/" + task);
        for (Map.Entry<String, String> field : Map.of(
                        "/toolName",
                        "agent-writer",
                        "/args/prompt",
                        "Write.",
                        "/toolCallId",
                        at(run, "/toolCalls/0/payload/toolCallId"),
                        "/agentId",
                        "lead",
                        "/runId",
                        id,
                        "/threadId",
                        "t",
                        "/resourceId",
                        "ann",
                        "/retryCount",
                        "0")
                .entrySet()) {
            assertThat(at(alone, field.getKey())).as(alone.body()).isEqualTo(field.getValue());
            assertThat(at(tasks, "/tasks/0" + field.getKey())).isEqualTo(field.getValue());
        }
        Map<String, String> totals = Map.ofEntries(
                Map.entry("runId=" + id, "1"),
                Map.entry("runId=absent", "0"),
                Map.entry("threadId=t&agentId=lead&toolName=agent-writer", "1"),
                Map.entry("threadId=other", "0"),
                Map.entry("agentId=writer", "0"),
                Map.entry("toolName=pay", "0"),
                Map.entry("toDate=2000-01-01T00:00:00.000Z", "0"),
                Map.entry("fromDate=2000-01-01T00:00:00.000Z&orderBy=startedAt&orderDirection=asc", "1"));
        totals.forEach((query, total) -> assertThat(at(get(server, "ann", "/api/background-tasks?" + query), "/total"))
                .as(query)
                .isEqualTo(total));
        assertThat(at(get(server, "ann", "/api/background-tasks?orderBy=size"), "/code"))
                .isEqualTo("bad-request");
        assertThat(at(get(server, "bob", "/api/background-tasks"), "/total")).isEqualTo("0");
        assertThat(at(get(server, "bob", "/api/background-tasks?runId=" + id), "/total"))
                .isEqualTo("0");
        assertThat(get(server, "bob", "/api/background-tasks/" + task).body())
                .isEqualTo(get(server, "bob", "/api/background-tasks/absent").body());
    }

    @ParameterizedTest
    @EnumSource
    void aTaskThatHasEndedHasItsResultOrItsError(HttpBinding binding) {
        script.on("lead")
                .calls("agent-writer", Map.of("prompt", "Write.", "background", true))
                .then()
                .says("It has started.")
                .then()
                .calls("agent-writer", Map.of("prompt", "Write.", "background", true))
                .then()
                .says("It has started.")
                .forever();
        script.on("writer")
                .says("A letter.")
                .then()
                .failsWith(new ModelException(ModelException.Kind.AUTHENTICATION, "The key is wrong.", null))
                .forever();
        ChargehandServer server = start(binding);
        Json written = ended(server);
        assertThat(written.at("/status")).contains(Json.of("completed"));
        assertThat(written.at("/result")).contains(Json.of(Map.of("text", "A letter.")));
        assertThat(written.at("/error")).isEmpty();
        Json failed = ended(server);
        assertThat(failed.at("/status")).contains(Json.of("failed"));
        assertThat(failed.at("/error/message").flatMap(Json::string))
                .hasValueSatisfying(message -> assertThat(message).contains("model-authentication"));
        assertThat(failed.at("/result")).isEmpty();
    }

    /** Start a task, and return it when it has ended; the time limit of the test ends the wait. */
    private Json ended(ChargehandServer server) {
        Map<String, Object> body = Map.of("messages", "Write.");
        HttpResponse<String> run = post(server, "/api/agents/lead/generate", body, "Authorization", "Bearer ann");
        String query = "/api/background-tasks?runId=" + at(run, "/runId");
        while (true) {
            Json task =
                    Json.parse(get(server, "ann", query).body()).at("/tasks/0").orElseThrow();
            if (task.at("/completedAt").isPresent()) {
                return task;
            }
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @EnumSource
    void runsOfWorkflowsAreCounted(HttpBinding binding) {
        ChargehandServer server = start(binding);
        HttpResponse<String> counts = get(server, "ann", "/api/workflows/run-counts");
        assertThat(counts.statusCode()).as(counts.body()).isEqualTo(200);
        assertThat(at(counts, "/pricing/running")).isEqualTo("0");
        assertThat(at(counts, "/pricing/suspended")).isEqualTo("0");
    }
}
