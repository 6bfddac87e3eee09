package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.Wakeups;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs of workflows, and of tools that callers execute, belong to the resource of the caller. */
@Timeout(120)
class WorkflowsOfResourcesTest extends ServerFixture {

    private static final String START = "/api/v1/workflows/letters/runs";
    private static final Map<String, Object> INPUT = Map.of("input", Map.of("amount", 3));

    @TempDir
    private Path folder;

    private final Tool who = Tool.of("who", "Says who asks.", Order.class, (order, context) -> context.resourceId()
            .orElse("nobody"));
    private AgentRuntime runtime;
    private ChargehandServer server;
    private String ann;
    private String bob;
    private String foreign;
    private String boss;
    private String both;

    /** A workflow whose step is an agent, and one whose step asks. */
    @Override
    AgentRuntimeBuilder changed(AgentRuntimeBuilder runtime) {
        script.on("writer").says("A letter.").forever();
        return runtime.workflows(
                        Workflow.from("letters", Order.class)
                                .then(agents().getFirst()
                                        .asStep("write", Order.class, (order, context) -> "Write " + order.amount()))
                                .build(String.class),
                        Workflow.from("asking", Order.class)
                                .then(Step.of("ask", Order.class, String.class, (order, context) -> context.resumeData(
                                                Order.class)
                                        .map(data -> "done for "
                                                + context.resourceId().orElse("nobody"))
                                        .orElseGet(() -> context.suspend(Map.of()))))
                                .build(String.class))
                .wakeups(Wakeups.own());
    }

    private void serve(HttpBinding binding, Path keysIn) {
        ApiKeys keys = ApiKeys.of(keysIn);
        Set<Scope> own = EnumSet.complementOf(EnumSet.of(Scope.RESOURCES_ANY));
        ann = key(keys, "ann", "local", Optional.of("ann"), own);
        bob = key(keys, "bob", "local", Optional.of("bob"), own);
        foreign = key(keys, "eve", "other", Optional.of("ann"), own);
        boss = key(keys, "boss", "local", Optional.empty(), EnumSet.allOf(Scope.class));
        both = key(keys, "both", "local", Optional.of("bob"), EnumSet.allOf(Scope.class));
        runtime = runtime(InMemoryStore.keepingEndedRuns());
        server = serve(
                runtime, builder -> builder.binding(binding).addPrincipals(keys).directTools(who));
    }

    private static String key(ApiKeys keys, String name, String tenant, Optional<String> resource, Set<Scope> scopes) {
        return keys.add(new ApiKey(name, new Principal(name, tenant, resource, scopes), Optional.empty()));
    }

    private HttpResponse<String> start(String path, Map<String, Object> body, String key) {
        return post(server, path, body, "Authorization", "Bearer " + key, "Prefer", "wait=60");
    }

    private HttpResponse<String> call(String method, String path, String key) {
        HttpRequest.Builder request = request(server, path).header("Authorization", "Bearer " + key);
        return send(request.method(method, HttpRequest.BodyPublishers.noBody()).build());
    }

    private List<RunRecord> runs(RunFilter filter) {
        return runtime.runs(filter);
    }

    @ParameterizedTest
    @EnumSource
    void aCallerReadsTheRunThatItHasStartedAndNobodyElseDoes(HttpBinding binding) {
        serve(binding, folder.resolve("keys.json"));
        HttpResponse<String> answer = start(START, INPUT, ann);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(at(answer, "/object")).isEqualTo("A letter.");
        String run = "/api/v1/runs/" + at(answer, "/runId");
        assertThat(at(call("GET", run, ann), "/resource")).isEqualTo("ann");
        assertThat(at(call("GET", run + "/result", ann), "/object")).isEqualTo("A letter.");
        assertThat(call("GET", run + "/events", ann).body()).contains("workflow-finish");
        String nested = runs(RunFilter.ALL.agent("writer")).getFirst().runId().value();
        assertThat(at(call("GET", "/api/v1/runs/" + nested, ann), "/resource")).isEqualTo("ann");
        assertThat(call("GET", "/api/v1/runs", ann).body()).contains(at(answer, "/runId"));
        assertThat(call("GET", "/api/v1/runs?resource=ann", boss).body()).contains(at(answer, "/runId"));
        for (String other : List.of(bob, foreign)) {
            for (String path : List.of(run, run + "/result", run + "/events", "/api/v1/runs/" + nested)) {
                assertThat(call("GET", path, other).statusCode()).as(path).isEqualTo(404);
            }
            assertThat(call("GET", "/api/v1/runs", other).body()).doesNotContain(at(answer, "/runId"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoeverActsForAnyResourceNamesOne(HttpBinding binding) {
        serve(binding, folder.resolve("keys.json"));
        Map<String, Object> forAnn = Map.of("input", Map.of("amount", 3), "resource", "ann");
        for (String key : List.of(boss, both, ann)) {
            String run = at(start(START, forAnn, key), "/runId");
            assertThat(at(call("GET", "/api/v1/runs/" + run, ann), "/resource")).isEqualTo("ann");
        }
        HttpResponse<String> denied = start(START, forAnn, bob);
        assertThat(denied.statusCode()).isEqualTo(403);
        assertThat(at(denied, "/scope")).isEqualTo("resources:any");
        String ofNobody = at(start(START, INPUT, boss), "/runId");
        assertThat(call("GET", "/api/v1/runs/" + ofNobody, ann).statusCode()).isEqualTo(404);
        assertThat(call("GET", "/api/v1/runs/" + ofNobody, boss).body()).doesNotContain("\"resource\"");
        String own = at(start(START, INPUT, both), "/runId");
        assertThat(at(call("GET", "/api/v1/runs/" + own, bob), "/resource")).isEqualTo("bob");
    }

    @ParameterizedTest
    @EnumSource
    void aQuestionIsListedAndAnsweredByItsResourceOnly(HttpBinding binding) {
        serve(binding, folder.resolve("keys.json"));
        HttpResponse<String> answer = start("/api/v1/workflows/asking/runs", INPUT, ann);
        assertThat(at(answer, "/status")).as(answer.body()).isEqualTo("suspended");
        HttpResponse<String> waiting = call("GET", "/api/v1/approvals", ann);
        assertThat(at(waiting, "/approvals/0/rootRunId")).isEqualTo(at(answer, "/runId"));
        assertThat(at(waiting, "/approvals/0/resourceId")).isEqualTo("ann");
        String id = at(waiting, "/approvals/0/id");
        Map<String, Object> data =
                Map.of("decision", "data", "digest", at(waiting, "/approvals/0/digest"), "data", Map.of("amount", 1));
        for (String other : List.of(bob, foreign)) {
            assertThat(at(call("GET", "/api/v1/approvals", other), "/approvals"))
                    .isEqualTo("[]");
            assertThat(start("/api/v1/approvals/" + id + "/answer", data, other).statusCode())
                    .isEqualTo(404);
        }
        HttpResponse<String> answered = start("/api/v1/approvals/" + id + "/answer", data, ann);
        assertThat(answered.statusCode()).as(answered.body()).isLessThan(300);
        runtime.handle(new RunId(at(answer, "/runId"))).result();
        assertThat(at(call("GET", "/api/v1/runs/" + at(answer, "/runId") + "/result", ann), "/object"))
                .isEqualTo("done for ann");
    }

    @ParameterizedTest
    @EnumSource
    void aKeyCountsForTheResource(HttpBinding binding) {
        serve(binding, folder.resolve("keys.json"));
        String[] headers = {"Authorization", "Bearer " + both, "Idempotency-Key", "k"};
        String run = at(post(server, START, INPUT, headers), "/runId");
        assertThat(at(post(server, START, INPUT, headers), "/runId")).isEqualTo(run);
        Map<String, Object> forAnn = Map.of("input", Map.of("amount", 3), "resource", "ann");
        HttpResponse<String> other = post(server, START, forAnn, headers);
        assertThat(other.statusCode()).as(other.body()).isEqualTo(202);
        assertThat(at(other, "/runId")).isNotEqualTo(run);
    }

    @ParameterizedTest
    @EnumSource
    void aClientOfMastraFindsItsRunByTheIdOfItsStart(HttpBinding binding) {
        serve(binding, folder.resolve("keys.json"));
        String path = "/api/workflows/asking/";
        Map<String, Object> body = Map.of("inputData", Map.of("amount", 3));
        HttpResponse<String> answer = start(path + "start-async?runId=r", body, ann);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(at(call("GET", path + "runs", ann), "/runs/0/resourceId")).isEqualTo("ann");
        assertThat(at(call("GET", path + "runs/r", ann), "/resourceId")).isEqualTo("ann");
        String run = at(call("GET", path + "runs", ann), "/runs/0/runId");
        for (String other : List.of(bob, foreign)) {
            assertThat(at(call("GET", path + "runs", other), "/total")).isEqualTo("0");
            for (String id : List.of("r", run)) {
                assertThat(call("GET", path + "runs/" + id, other).statusCode()).isEqualTo(404);
            }
            assertThat(start(path + "time-travel-async?runId=" + run, Map.of("step", "ask"), other)
                            .statusCode())
                    .isEqualTo(404);
        }
        HttpResponse<String> travel = start(path + "time-travel-async?runId=r", Map.of("step", "ask"), ann);
        assertThat(travel.statusCode()).as(travel.body()).isEqualTo(200);
        assertThat(at(call("GET", path + "runs?resourceId=ann", boss), "/total"))
                .isEqualTo("2");
        HttpResponse<String> resumed =
                start(path + "resume-async?runId=r", Map.of("step", "ask", "resumeData", Map.of("amount", 1)), ann);
        assertThat(at(resumed, "/result")).as(resumed.body()).isEqualTo("done for ann");
    }

    @ParameterizedTest
    @EnumSource
    void whatIsForgottenIsEveryRunOfTheResource(HttpBinding binding) {
        serve(binding, folder.resolve("keys.json"));
        String run = at(start(START, INPUT, ann), "/runId");
        String path = "/api/tools/who/execute";
        HttpResponse<String> tool = start(path, Map.of("data", Map.of("amount", 1)), ann);
        assertThat(Json.parse(tool.body()).string()).contains("ann");
        assertThat(runs(RunFilter.ROOTS.agent("tool-who")).getFirst().resourceId())
                .contains("ann");
        String kept = at(start(START, INPUT, bob), "/runId");
        HttpResponse<String> forgotten = call("DELETE", "/api/v1/memory?resource=ann", boss);
        assertThat(at(forgotten, "/runs")).as(forgotten.body()).isEqualTo("2");
        assertThat(call("GET", "/api/v1/runs/" + run, ann).statusCode()).isEqualTo(404);
        assertThat(runs(RunFilter.ALL))
                .hasSize(2)
                .allMatch(left -> left.rootRunId().value().equals(kept));
    }
}
