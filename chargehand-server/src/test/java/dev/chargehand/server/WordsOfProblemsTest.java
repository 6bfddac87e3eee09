package dev.chargehand.server;

import dev.chargehand.Agent;
import dev.chargehand.tool.Tool;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Problems speak of routes and fields, not of methods of Java, which a caller over HTTP does not have. */
class WordsOfProblemsTest extends ServerFixture {

    private static final String RUNS = "/api/v1/agents/writer/runs";

    @Override
    List<Agent> agents() {
        Tool ask = Tool.of("ask", "Asks.", Order.class, (order, context) -> context.suspend("Which?"));
        List<Agent> all = new ArrayList<>(super.agents());
        all.add(Agent.builder("asker")
                .model(script.modelFor("asker"))
                .tools(ask)
                .build());
        return all;
    }

    private List<HttpResponse<String>> problems(ChargehandServer server) {
        script.on("writer").says("Done.");
        script.on("asker").calls("ask", Map.of("amount", 1));
        HttpResponse<String> ended = post(server, RUNS, prompt("Hi."), "Prefer", "wait=30");
        post(server, "/api/v1/agents/asker/runs", prompt("Ask."), "Prefer", "wait=30");
        HttpResponse<String> waiting = get(server, "/api/v1/approvals");
        String fork = path(ended) + "/fork";
        return List.of(
                post(
                        server,
                        "/api/v1/approvals/" + at(waiting, "/approvals/0/id") + "/answer",
                        Map.of("decision", "approve", "digest", at(waiting, "/approvals/0/digest"))),
                post(server, fork, Map.of("afterStep", 1)),
                post(server, fork, Map.of("afterStep", 1, "message", "More.", "options", Map.of("maxSteps", 1))),
                post(server, fork, Map.of("afterStep", 7)),
                post(server, "/api/v1/agents/lead/runs", prompt("Go.")),
                post(server, RUNS, Map.of("input", "Hi.", "options", Map.of("activeTools", List.of("none")))),
                get(server, "/api/v1/memory/search?agent=writer&q=boats&resource=ann"));
    }

    @ParameterizedTest
    @EnumSource
    void noDetailNamesAMethod(HttpBinding binding) {
        SoftAssertions softly = new SoftAssertions();
        for (HttpResponse<String> problem : problems(serve(binding))) {
            softly.assertThat(problem.statusCode()).as(problem.body()).isBetween(400, 499);
            softly.assertThat(at(problem, "/detail"))
                    .isNotBlank()
                    .doesNotContainPattern("\\w\\((\\)|\\.\\.\\.|…|\"|\\w+ ->)")
                    .doesNotContainPattern("[a-z]\\.[a-z]");
        }
        softly.assertAll();
    }
}
