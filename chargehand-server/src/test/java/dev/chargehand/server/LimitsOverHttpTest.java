package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A caller that sends too much is rejected, and takes nothing from others. */
class LimitsOverHttpTest extends ServerFixture {

    private static final String START = "/api/v1/agents/writer/runs";

    @TempDir
    private Path folder;

    private final Store store = InMemoryStore.keepingEndedRuns();
    private final CountDownLatch end = new CountDownLatch(1);
    private ApiKeys keys;
    private String ann;
    private String bob;

    @BeforeEach
    void addCallers() {
        keys = ApiKeys.of(folder.resolve("keys.json"));
        ann = add("ann");
        bob = add("bob");
    }

    private String add(String name) {
        Principal principal = new Principal(name, "local", Optional.of(name), EnumSet.allOf(Scope.class));
        return keys.add(new ApiKey(name, principal, Optional.empty()));
    }

    private ChargehandServer serve(HttpBinding binding, UnaryOperator<ServerBuilder> limits) {
        return serve(
                runtime(store), builder -> limits.apply(builder.binding(binding).addPrincipals(keys)));
    }

    /** Let so many calls of the writer wait for the end of the test. */
    private void waitingTurns(int turns) {
        for (int i = 0; i < turns; i++) {
            script.on("writer").waitsFor(end).and().says("Done.");
        }
    }

    private HttpResponse<String> list(ChargehandServer server, String key) {
        return send(request(server, "/api/v1/runs")
                .header("Authorization", "Bearer " + key)
                .build());
    }

    private HttpResponse<String> start(ChargehandServer server, String key, String thread) {
        return post(server, START, Map.of("input", "Write.", "thread", thread), "Authorization", "Bearer " + key);
    }

    private static void requireRejected(HttpResponse<String> answer, String code) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(429);
        assertThat(at(answer, "/code")).isEqualTo(code);
        assertThat(answer.headers().firstValue("Retry-After").map(Integer::parseInt))
                .hasValueSatisfying(seconds -> assertThat(seconds).isPositive());
    }

    @ParameterizedTest
    @EnumSource
    void aNoisyCallerIsSlowedDownAndOthersAreNot(HttpBinding binding) throws Exception {
        ChargehandServer server = serve(binding, builder -> builder.limit(ServerLimit.REQUEST_BURST, 5)
                .limit(ServerLimit.REQUESTS_PER_SECOND, 1));
        assertThat(get(server, "/healthz").statusCode()).isEqualTo(200);
        long start = System.nanoTime();
        List<HttpResponse<String>> answers = atOnce(60, i -> list(server, ann));
        long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds() + 1;
        assertThat(answers.stream().filter(answer -> answer.statusCode() == 200).count())
                .isBetween(5L, 5 + seconds);
        answers.stream()
                .filter(answer -> answer.statusCode() != 200)
                .forEach(answer -> requireRejected(answer, "rate-limited"));
        assertThat(list(server, bob).statusCode()).isEqualTo(200);
        for (int i = 0; i < 20; i++) {
            assertThat(get(server, "/readyz").statusCode())
                    .as("no caller at all")
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource
    void startsAreLimitedAndARejectedOneStoresNothing(HttpBinding binding) throws Exception {
        waitingTurns(3);
        ChargehandServer server = serve(
                binding, builder -> builder.limit(ServerLimit.START_BURST, 2).limit(ServerLimit.STARTS_PER_SECOND, 1));
        long start = System.nanoTime();
        List<HttpResponse<String>> answers = atOnce(30, i -> start(server, ann, "t" + i));
        long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds() + 1;
        long accepted =
                answers.stream().filter(answer -> answer.statusCode() == 202).count();
        assertThat(accepted).isBetween(2L, 2 + seconds);
        answers.stream()
                .filter(answer -> answer.statusCode() != 202)
                .forEach(answer -> requireRejected(answer, "rate-limited"));
        assertThat(store.list(RunFilter.ALL)).hasSize((int) accepted);
        assertThat(start(server, bob, "t").statusCode()).isEqualTo(202);
    }

    @ParameterizedTest
    @EnumSource
    void aResponseInTheBackgroundIsAStartOfItsCallerToo(HttpBinding binding) {
        waitingTurns(3);
        ChargehandServer server = serve(binding, builder -> builder.limit(ServerLimit.START_BURST, 3)
                .limit(ServerLimit.STARTS_PER_SECOND, 1)
                .limit(ServerLimit.PENDING_RUNS_OF_TENANT, 1));
        List<Integer> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            answers.add(post(
                            server,
                            "/v1/responses",
                            Map.of("model", "writer", "input", "Write.", "background", true),
                            "Authorization",
                            "Bearer " + ann)
                    .statusCode());
        }
        assertThat(answers).startsWith(200).contains(429);
        assertThat(store.list(RunFilter.ALL)).hasSizeLessThan(20);
        end.countDown();
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerThatIsMadeAgainIsAStartOfItsCallerToo(HttpBinding binding) {
        script.on("writer").says("Done.").forever();
        ChargehandServer server = serve(
                binding, builder -> builder.limit(ServerLimit.START_BURST, 1).limit(ServerLimit.STARTS_PER_SECOND, 1));
        Object said = Map.of("id", "m", "role", "user", "parts", List.of(Map.of("type", "text", "text", "Write.")));
        List<Integer> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String trigger = i == 0 ? "submit-message" : "regenerate-message";
            answers.add(post(
                            server,
                            "/ai-sdk/writer",
                            Map.of("id", "c", "messages", List.of(said), "trigger", trigger),
                            "Authorization",
                            "Bearer " + ann)
                    .statusCode());
        }
        assertThat(answers).startsWith(200).contains(429);
    }

    @ParameterizedTest
    @EnumSource
    void optionsOfWorkflowsHoldForEachClient(HttpBinding binding) {
        ChargehandServer server = serve(
                runtime(store), builder -> builder.binding(binding).workflowOptions(o -> o.metadata("served", "yes")));
        Map<String, Object> input = Map.of("amount", 2);
        post(server, "/api/v1/workflows/pricing/runs", Map.of("input", input), "Prefer", "wait=30");
        post(server, "/api/workflows/pricing/start-async", Map.of("inputData", input));

        assertThat(store.list(RunFilter.ROOTS)).hasSize(2).allSatisfy(run -> assertThat(
                        store.read(run.runId(), 0).getFirst().text())
                .contains("\"served\":\"yes\""));
    }

    @ParameterizedTest
    @EnumSource
    void aNoisyCallerTakesNoPlacesOfOthers(HttpBinding binding) {
        waitingTurns(3);
        ChargehandServer server = serve(binding, builder -> builder.limit(ServerLimit.RUNS_OF_TENANT, 3)
                .limit(ServerLimit.RUNS_OF_CALLER, 1)
                .limit(ServerLimit.PENDING_RUNS_OF_RESOURCE, 2));
        List<String> statuses = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            statuses.add(at(start(server, ann, "t"), "/status"));
        }
        assertThat(statuses).containsExactly("running", "pending", "pending");
        requireRejected(start(server, ann, "t"), "too-many-runs");
        assertThat(at(start(server, bob, "t"), "/status")).isEqualTo("running");
        assertThat(store.list(RunFilter.ALL)).hasSize(4);
        end.countDown();
    }

    @ParameterizedTest
    @EnumSource
    void aCallerHasSoManyStreamsAndOthersHaveTheirs(HttpBinding binding) throws Exception {
        waitingTurns(3);
        ChargehandServer server = serve(binding, builder -> builder.limit(ServerLimit.STREAMS_OF_CALLER, 2));
        String run = at(start(server, ann, "t"), "/runId");
        String other = at(start(server, bob, "t"), "/runId");
        List<InputStream> open = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            open.add(stream(server, ann, run).body());
        }
        HttpResponse<InputStream> third = stream(server, ann, run);
        assertThat(third.statusCode()).isEqualTo(429);
        assertThat(Json.parse(new String(third.body().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8))
                        .at("/code")
                        .flatMap(Json::string))
                .contains("too-many-streams");
        HttpResponse<InputStream> theirs = stream(server, bob, other);
        assertThat(theirs.statusCode()).isEqualTo(200);
        end.countDown();
        open.add(theirs.body());
        for (InputStream each : open) {
            assertThat(new String(each.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8))
                    .contains("event: run-finish");
        }
    }

    private HttpResponse<InputStream> stream(ChargehandServer server, String key, String run) throws Exception {
        HttpRequest request = request(server, "/api/v1/runs/" + run + "/events")
                .header("Authorization", "Bearer " + key)
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofInputStream());
    }
}
