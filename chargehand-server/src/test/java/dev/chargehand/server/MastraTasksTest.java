package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import java.net.http.HttpResponse;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Background tasks, and numbers of runs of workflows, as Mastra's client reads them. */
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
    void runsOfWorkflowsAreCounted(HttpBinding binding) {
        ChargehandServer server = start(binding);
        HttpResponse<String> counts = get(server, "ann", "/api/workflows/run-counts");
        assertThat(counts.statusCode()).as(counts.body()).isEqualTo(200);
        assertThat(at(counts, "/pricing/running")).isEqualTo("0");
        assertThat(at(counts, "/pricing/suspended")).isEqualTo("0");
    }
}
