package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentCatalog;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.json.Json;
import java.net.http.HttpResponse;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same change by many callers at once is made once, and different ones do not lose each other. */
class ManyAtOnceOverHttpTest extends ServerFixture {

    @Override
    AgentRuntimeBuilder changed(AgentRuntimeBuilder runtime) {
        return runtime.catalog(AgentCatalog.stored((id, version, document) -> Agent.builder(id)
                .version(version)
                .description("Writes.")
                .instructions(document)
                .model(script.modelFor("writer"))
                .build()));
    }

    @ParameterizedTest
    @EnumSource
    void oneOfManyAnswersIsCarriedOut(HttpBinding binding) throws Exception {
        script.on("clerk").calls("pay", Map.of("amount", 1)).then().says("Paid.");
        ChargehandServer server = serve(binding);
        HttpResponse<String> run = post(server, "/api/v1/agents/clerk/runs", prompt("Pay."), "Prefer", "wait=30");
        String call = at(run, "/pending/0/id");
        String digest = at(run, "/pending/0/digest");
        List<HttpResponse<String>> answers = atOnce(
                20,
                i -> post(
                        server,
                        "/api/v1/approvals/" + call + "/answer",
                        Map.of("decision", i % 2 == 0 ? "approve" : "decline", "digest", digest)));
        assertThat(answers).extracting(HttpResponse::statusCode).containsOnly(200, 409);
        HttpResponse<String> end =
                send(request(server, path(run) + "/events?until=end").build());
        assertThat(RunsOverHttpTest.types(end.body())).endsWith("run-finish").containsOnlyOnce("tool-call-answered");
        boolean approved = answers.getFirst().statusCode() == 200;
        assertThat(paid).hasSize(approved ? 1 : 0);
        for (int i = 0; i < 20; i++) {
            assertThat(answers.get(i).statusCode())
                    .as("the same answer as the first one has its outcome")
                    .isEqualTo(approved == (i % 2 == 0) ? 200 : 409);
        }
    }

    @ParameterizedTest
    @EnumSource
    void draftsOfManyAreAllSavedAndOneIsPublished(HttpBinding binding) throws Exception {
        ChargehandServer server = serve(binding);
        String path = "/api/v1/agents/writer/versions";
        List<HttpResponse<String>> saved = atOnce(20, i -> post(server, path, Map.of("document", "Draft " + i)));
        Set<String> ids = new HashSet<>();
        saved.forEach(answer -> ids.add(at(answer, "/id")));
        assertThat(ids).hasSize(20).doesNotContain("");
        atOnce(20, i -> post(server, path + "/" + at(saved.get(i), "/id") + "/publish", Map.of()));
        List<Json> versions = Json.parse(get(server, path + "?limit=100").body())
                .at("/versions")
                .orElseThrow()
                .as(new dev.chargehand.json.JsonType<>() {});
        assertThat(versions).hasSize(20);
        for (String flag : List.of("/published", "/latest")) {
            assertThat(versions.stream()
                            .filter(each -> each.at(flag).orElseThrow().text().equals("true")))
                    .as(flag)
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRunIsCancelledAndForkedByManyAtOnce(HttpBinding binding) throws Exception {
        script.on("clerk").calls("pay", Map.of("amount", 1)).then().says("Paid.");
        for (int i = 0; i < 10; i++) {
            script.on("writer").says("Done.");
        }
        ChargehandServer server = serve(binding);
        HttpResponse<String> run = post(server, "/api/v1/agents/clerk/runs", prompt("Pay."), "Prefer", "wait=30");
        List<HttpResponse<String>> cancels = atOnce(20, i -> post(server, path(run) + "/cancel", Map.of()));
        assertThat(cancels).extracting(HttpResponse::statusCode).containsOnly(202);
        assertThat(cancels).anyMatch(answer -> at(answer, "/cancelled").equals("true"));
        assertThat(at(get(server, path(run).toString()), "/status")).isEqualTo("aborted");
        HttpResponse<String> source = post(server, "/api/v1/agents/writer/runs", prompt("Write."), "Prefer", "wait=30");
        List<HttpResponse<String>> forks = atOnce(
                10,
                i -> post(
                        server,
                        path(source) + "/fork",
                        Map.of("afterStep", 0, "input", "Other."),
                        "Idempotency-Key",
                        "k"));
        assertThat(forks).extracting(answer -> at(answer, "/runId")).containsOnly(at(forks.getFirst(), "/runId"));
    }
}
