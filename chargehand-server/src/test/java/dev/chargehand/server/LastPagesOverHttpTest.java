package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentCatalog;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonType;
import dev.chargehand.version.AgentVersions;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The last page of a list, also if it is full: it names no next one, which would be empty. */
class LastPagesOverHttpTest extends ServerFixture {

    @Override
    AgentRuntimeBuilder changed(AgentRuntimeBuilder runtime) {
        return runtime.catalog(AgentCatalog.stored((id, version, document) -> Agent.builder(id)
                .version(version)
                .instructions(document)
                .model(script.modelFor(id))
                .build()));
    }

    /** Read a list to its end, and return how many rows each page has. */
    private List<Integer> sizes(ChargehandServer server, String path, String rows, String cursor) {
        List<Integer> sizes = new ArrayList<>();
        String next = "";
        do {
            HttpResponse<String> page = get(server, path + (next.isEmpty() ? "" : "&" + cursor + "=" + next));
            assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
            sizes.add(Json.parse(page.body())
                    .at("/" + rows)
                    .orElseThrow()
                    .as(new JsonType<List<Json>>() {})
                    .size());
            next = at(page, "/next");
        } while (!next.isEmpty());
        return sizes;
    }

    /** Run an agent three times, each time in a thread of its own. */
    private void runThrice(ChargehandServer server) {
        script.on("writer").says("Done.").forever();
        for (String thread : List.of("a", "b", "c")) {
            Map<String, Object> body = Map.of("input", "Write.", "thread", thread, "resource", "ann");
            HttpResponse<String> answer = post(server, "/api/v1/agents/writer/runs", body, "Prefer", "wait=30");
            assertThat(at(answer, "/status")).isEqualTo("completed");
        }
    }

    @ParameterizedTest
    @EnumSource
    void ofRuns(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        runThrice(server);
        assertThat(sizes(server, "/api/v1/runs?limit=3", "runs", "after")).containsExactly(3);
        assertThat(sizes(server, "/api/v1/runs?limit=1", "runs", "after")).containsExactly(1, 1, 1);
        assertThat(sizes(server, "/api/v1/runs?limit=2", "runs", "after")).containsExactly(2, 1);
        assertThat(sizes(server, "/api/v1/runs?limit=200&status=failed", "runs", "after"))
                .containsExactly(0);
    }

    @ParameterizedTest
    @EnumSource
    void ofThreadsAndTheirMessages(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        runThrice(server);
        String threads = "/api/v1/threads?resource=ann";
        assertThat(sizes(server, threads + "&limit=3", "threads", "offset")).containsExactly(3);
        assertThat(sizes(server, threads + "&limit=2", "threads", "offset")).containsExactly(2, 1);
        String messages = "/api/v1/threads/a/messages?resource=ann";
        assertThat(sizes(server, messages + "&limit=2", "messages", "before")).containsExactly(2);
        assertThat(sizes(server, messages + "&limit=1", "messages", "before")).containsExactly(1, 1);
        assertThat(at(get(server, messages + "&limit=1"), "/messages/0/role")).isEqualTo("assistant");
    }

    @ParameterizedTest
    @EnumSource
    void ofVersions(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        String path = "/api/v1/agents/writer/versions";
        for (int i = 0; i < AgentVersions.LONGEST_PAGE; i++) {
            assertThat(post(server, path, Map.of("document", "Write " + i + "."))
                            .statusCode())
                    .isEqualTo(201);
        }
        assertThat(sizes(server, path + "?limit=100", "versions", "after")).containsExactly(100);
        assertThat(sizes(server, path + "?limit=50", "versions", "after")).containsExactly(50, 50);
        assertThat(sizes(server, path + "?limit=99", "versions", "after")).containsExactly(99, 1);
    }
}
