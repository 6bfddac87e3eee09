package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.json.Json;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The pages of a list of runs of a workflow, for Mastra's client. */
class MastraRunPagesTest extends ServerFixture {

    private static final String RUNS = "/api/workflows/pricing/runs?";

    /** A store returns a thousand runs at once. */
    @Test
    void aListOfMoreThanAThousandRunsHasEachOnce() {
        Workflow<Integer, Integer> same = Workflow.from("same", Integer.class)
                .then(Step.of("only", Integer.class, Integer.class, (in, context) -> in))
                .build(Integer.class);
        List<String> made = new ArrayList<>();
        List<String> listed = new ArrayList<>();
        try (AgentRuntime runtime = AgentRuntime.builder()
                        .store(InMemoryStore.create())
                        .workflows(same)
                        .build();
                ChargehandServer server =
                        ChargehandServer.builder(runtime).port(0).start()) {
            for (int i = 0; i < 1_105; i++) {
                made.add(0, runtime.enqueue(same, i, options -> {}).runId().value());
            }
            for (int page = 0; page < 6; page++) {
                HttpResponse<String> answer = get(server, "/api/workflows/same/runs?perPage=200&page=" + page);
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                listed.addAll(ids(answer));
            }
        }
        assertThat(listed).containsExactlyElementsOf(made);
    }

    @ParameterizedTest
    @EnumSource
    void aPageAfterTheLastRunIsEmpty(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        post(server, "/api/workflows/pricing/start-async", Map.of("inputData", Map.of("amount", 1)));
        for (String page : List.of("page=10&perPage=100", "page=1000&perPage=200", "offset=999", "offset=100000")) {
            HttpResponse<String> answer = get(server, RUNS + page);
            assertThat(answer.statusCode()).as(page + answer.body()).isEqualTo(200);
            assertThat(ids(answer)).as(page).isEmpty();
            assertThat(at(answer, "/total")).as(page).isEqualTo("1");
        }
    }

    private static List<String> ids(HttpResponse<String> answer) {
        List<String> ids = new ArrayList<>();
        for (Json run : Json.parse(answer.body()).at("/runs").orElseThrow().as(Json[].class)) {
            ids.add(run.at("/runId").flatMap(Json::string).orElseThrow());
        }
        return ids;
    }
}
