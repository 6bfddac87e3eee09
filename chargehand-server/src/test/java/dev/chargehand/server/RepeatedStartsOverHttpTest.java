package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Starts with an idempotency key: the same key with the same body is one run. */
class RepeatedStartsOverHttpTest extends ServerFixture {

    private static final String START = "/api/v1/agents/writer/runs";
    private static final String REPLAYED = "Idempotency-Replayed";

    @TempDir
    private Path folder;

    private static Optional<String> replayed(HttpResponse<String> answer) {
        return answer.headers().firstValue(REPLAYED);
    }

    @ParameterizedTest
    @EnumSource
    void aRepeatedStartSaysSoAndStartsNothing(HttpBinding binding) {
        script.on("writer").says("Once.");
        Store store = InMemoryStore.keepingEndedRuns();
        ChargehandServer server = serve(runtime(store), builder -> builder.binding(binding));
        String[] key = {"Idempotency-Key", "k", "Prefer", "wait=30"};
        HttpResponse<String> first = post(server, START, prompt("Write."), key);
        HttpResponse<String> again = post(server, START, prompt("Write."), key);
        HttpResponse<String> streamed =
                post(server, START, prompt("Write."), "Idempotency-Key", "k", "Accept", "text/event-stream");
        assertThat(replayed(first)).isEmpty();
        assertThat(replayed(again)).contains("true");
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(replayed(streamed)).contains("true");
        assertThat(RunsOverHttpTest.types(streamed.body())).endsWith("run-finish");
        assertThat(store.list(RunFilter.ALL)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void anotherBodyIsAMismatchInAnyField(HttpBinding binding) {
        script.on("writer").says("Once.");
        Store store = InMemoryStore.keepingEndedRuns();
        ChargehandServer server = serve(runtime(store), builder -> builder.binding(binding));
        String[] key = {"Idempotency-Key", "k"};
        Map<String, Object> body = Map.of("input", "Write.", "metadata", Map.of("a", "1"));
        assertThat(post(server, START, body, key).statusCode()).isEqualTo(202);
        assertThat(replayed(post(server, START, body, key))).contains("true");
        for (Map<String, Object> other : List.<Map<String, Object>>of(
                Map.of("input", "Other.", "metadata", Map.of("a", "1")),
                Map.of("input", "Write.", "metadata", Map.of("a", "2")),
                Map.of("input", "Write.", "metadata", Map.of("a", "1"), "thread", "t"),
                Map.of("input", "Write.", "metadata", Map.of("a", "1"), "options", Map.of("maxSteps", 1)),
                Map.of("input", "Write."))) {
            HttpResponse<String> answer = post(server, START, other, key);
            assertThat(answer.statusCode()).as(other.toString()).isEqualTo(422);
            assertThat(at(answer, "/code")).isEqualTo("idempotency-mismatch");
        }
        assertThat(store.list(RunFilter.ALL)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void theSameKeyAHundredTimesAtOnceIsOneRun(HttpBinding binding) throws Exception {
        script.on("writer").says("Once.");
        try (Store store = JdbcStore.sqlite(folder.resolve("runs.db"))) {
            AgentRuntime runtime = runtime(store);
            ChargehandServer server = serve(runtime, builder -> builder.binding(binding)
                    .limit(ServerLimit.START_BURST, 1_000)
                    .limit(ServerLimit.RUNS_OF_CALLER, 3));
            List<HttpResponse<String>> answers =
                    atOnce(100, i -> post(server, START, prompt("Write."), "Idempotency-Key", "same"));
            assertThat(answers)
                    .allSatisfy(answer -> assertThat(answer.statusCode()).isEqualTo(202));
            assertThat(answers)
                    .extracting(answer -> at(answer, "/runId"))
                    .containsOnly(at(answers.getFirst(), "/runId"));
            assertThat(answers.stream().filter(answer -> replayed(answer).isPresent()))
                    .hasSize(99);
            assertThat(store.list(RunFilter.ALL)).hasSize(1);
            close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void theSameKeyOfTwoCallersIsTwoRuns(HttpBinding binding) {
        ApiKeys keys = ApiKeys.of(folder.resolve("keys.json"));
        String ann = add(keys, "ann");
        String bob = add(keys, "bob");
        script.on("writer").says("For one.").then().says("For the other.");
        Store store = InMemoryStore.keepingEndedRuns();
        ChargehandServer server =
                serve(runtime(store), builder -> builder.binding(binding).addPrincipals(keys));
        List<HttpResponse<String>> answers = new ArrayList<>();
        for (String key : List.of(ann, bob, ann, bob)) {
            answers.add(send(request(server, START)
                    .headers("Authorization", "Bearer " + key, "Idempotency-Key", "k")
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"input\":\"Write.\"}"))
                    .build()));
        }
        assertThat(answers).extracting(HttpResponse::statusCode).containsOnly(202);
        assertThat(at(answers.get(2), "/runId")).isEqualTo(at(answers.get(0), "/runId"));
        assertThat(at(answers.get(3), "/runId"))
                .isEqualTo(at(answers.get(1), "/runId"))
                .isNotEqualTo(at(answers.get(0), "/runId"));
        assertThat(store.list(RunFilter.ALL)).hasSize(2);
    }

    private static String add(ApiKeys keys, String name) {
        Principal principal = new Principal(name, "local", Optional.of("shared"), EnumSet.allOf(Scope.class));
        return keys.add(new ApiKey(name, principal, Optional.empty()));
    }

    @ParameterizedTest
    @EnumSource
    void aRunThatIsStoredForLaterIsFoundToo(HttpBinding binding) {
        CountDownLatch end = new CountDownLatch(1);
        script.on("writer").waitsFor(end).and().says("First.").then().says("Second.");
        ChargehandServer server = serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.binding(binding)
                .limit(ServerLimit.RUNS_OF_CALLER, 1));
        post(server, START, Map.of("input", "1", "thread", "t"));
        Map<String, Object> second = Map.of("input", "2", "thread", "t");
        HttpResponse<String> stored = post(server, START, second, "Idempotency-Key", "k");
        HttpResponse<String> again = post(server, START, second, "Idempotency-Key", "k");
        assertThat(at(stored, "/status")).isEqualTo("pending");
        assertThat(replayed(stored)).isEmpty();
        assertThat(replayed(again)).contains("true");
        assertThat(at(again, "/runId")).isEqualTo(at(stored, "/runId"));
        end.countDown();
    }

    @ParameterizedTest
    @EnumSource
    void aRepeatedStartHoldsNoPlace(HttpBinding binding) {
        CountDownLatch end = new CountDownLatch(1);
        script.on("writer").waitsFor(end).and().says("First.");
        script.on("clerk").says("Second.");
        ChargehandServer server = serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.binding(binding)
                .limit(ServerLimit.RUNS_OF_CALLER, 2));
        for (int i = 0; i < 5; i++) {
            post(server, START, prompt("Write."), "Idempotency-Key", "k");
        }
        HttpResponse<String> other = post(server, "/api/v1/agents/clerk/runs", prompt("Go."));
        assertThat(at(other, "/status")).as("what has no place is pending").isNotEqualTo("pending");
        end.countDown();
    }

    @ParameterizedTest
    @EnumSource
    void aForkAndAWorkflowAreFoundToo(HttpBinding binding) {
        script.on("writer").says("First.").then().says("Other.");
        ChargehandServer server = serve(binding);
        HttpResponse<String> source = post(server, START, prompt("Write."), "Prefer", "wait=30");
        String fork = path(source) + "/fork";
        Map<String, Object> changes = Map.of("afterStep", 0, "input", "Write otherwise.");
        String[] key = {"Idempotency-Key", "k", "Prefer", "wait=30"};
        HttpResponse<String> first = post(server, fork, changes, key);
        HttpResponse<String> again = post(server, fork, changes, key);
        assertThat(at(first, "/text")).isEqualTo("Other.");
        assertThat(replayed(again)).contains("true");
        assertThat(at(again, "/runId")).isEqualTo(at(first, "/runId"));
        assertThat(post(server, fork, Map.of("afterStep", 0, "message", "More."), key)
                        .statusCode())
                .isEqualTo(422);
        Map<String, Object> input = Map.of("input", Map.of("amount", 3));
        HttpResponse<String> workflow = post(server, "/api/v1/workflows/pricing/runs", input, key);
        HttpResponse<String> repeated = post(server, "/api/v1/workflows/pricing/runs", input, key);
        assertThat(replayed(workflow)).isEmpty();
        assertThat(replayed(repeated)).contains("true");
        assertThat(at(repeated, "/runId")).isEqualTo(at(workflow, "/runId"));
        Map<String, Object> before = Map.of("before", "price", "input", Map.of("amount", 4));
        HttpResponse<String> forked = post(server, path(workflow) + "/fork", before, key);
        assertThat(at(forked, "/object")).as(forked.body()).isEqualTo("400");
    }
}
