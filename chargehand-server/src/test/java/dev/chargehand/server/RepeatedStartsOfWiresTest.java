package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.Wakeups;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests of wires that start runs and are sent again: the answer says so, and is that of the run. */
class RepeatedStartsOfWiresTest extends ServerFixture {

    private static final List<Map<String, Object>> MESSAGES = List.of(Map.of("role", "user", "content", "Write."));
    private static final String KEY = "k";
    private static final String NONE = "";

    /** Tokens of requests: one that is answered at once, and one that waits until the server is being stopped. */
    private static final String AT_ONCE = "at-once";

    private static final String WHEN_STOPPING = "when-stopping";

    /** A request, with a key for its header unless the path or the body has one. */
    private record Start(String path, Map<String, Object> body, String key) {

        /** Return the same request under another key. */
        Start anew() {
            Map<String, Object> fields = body.containsKey("runId") ? with(body, "runId", "anew") : body;
            return new Start(path.replace("runId=", "runId=anew-"), fields, key.isEmpty() ? NONE : key + "-anew");
        }
    }

    @Override
    List<Agent> agents() {
        List<Agent> agents = new ArrayList<>(super.agents());
        agents.add(Agent.builder("slow").model(script.modelFor("slow")).build());
        return agents;
    }

    @Override
    AgentRuntimeBuilder changed(AgentRuntimeBuilder runtime) {
        return runtime.wakeups(Wakeups.own());
    }

    private static Start workflow(String form) {
        String path = "/api/workflows/pricing/" + form;
        Map<String, Object> body = Map.of("inputData", Map.of("amount", 3));
        return new Start(path, body, KEY);
    }

    private static Start named(String form) {
        Start start = workflow(form);
        return new Start(start.path() + "?runId=of-" + form, start.body(), NONE);
    }

    private static Start message(String form) {
        return new Start(
                "/api/agents/writer/" + form, Map.of("message", "Write.", "threadId", "t", "resourceId", "ann"), KEY);
    }

    private static List<Start> starts() {
        Map<String, Object> chat = Map.of("model", "writer", "messages", MESSAGES);
        Map<String, Object> response = Map.of("model", "writer", "input", "Write.");
        Map<String, Object> page =
                Map.of("threadId", "page", "runId", "r", "messages", List.of(with(MESSAGES.getFirst(), "id", "m")));
        Map<String, Object> ui = Map.of(
                "id",
                "chat",
                "messages",
                List.of(Map.of("id", "m", "role", "user", "parts", List.of(Map.of("type", "text", "text", "Write.")))));
        return List.of(
                new Start("/api/v1/agents/writer/runs", prompt("Write."), KEY),
                new Start("/api/v1/workflows/pricing/runs", Map.of("input", Map.of("amount", 3)), KEY),
                new Start("/v1/chat/completions", chat, KEY),
                new Start("/v1/chat/completions", with(chat, "stream", true), "streamed"),
                new Start("/v1/responses", response, KEY),
                new Start("/v1/responses", with(response, "background", true), "background"),
                new Start("/ai-sdk/writer", ui, KEY),
                new Start("/ag-ui/writer", page, NONE),
                new Start("/api/agents/writer/generate", Map.of("messages", MESSAGES), KEY),
                new Start("/api/agents/writer/stream", Map.of("messages", MESSAGES, "runId", "r"), NONE),
                message("send-message"),
                message("queue-message"),
                workflow("start"),
                workflow("start-async"),
                workflow("stream"),
                named("start"),
                named("start-async"),
                named("stream"));
    }

    private static Map<String, Object> with(Map<String, Object> fields, String name, Object value) {
        Map<String, Object> all = new HashMap<>(fields);
        all.put(name, value);
        return all;
    }

    private HttpResponse<String> send(ChargehandServer server, Start start, String token) {
        List<String> headers = new ArrayList<>(List.of("Authorization", "Bearer " + token));
        if (!start.key().isEmpty()) {
            headers.addAll(List.of("Idempotency-Key", start.key()));
        }
        return post(server, start.path(), start.body(), headers.toArray(String[]::new));
    }

    private static String replayed(HttpResponse<String> answer) {
        return answer.headers().firstValue("Idempotency-Replayed").orElse("");
    }

    @ParameterizedTest
    @EnumSource
    void theAnswerSaysThatAnEarlierRequestHasStartedTheRun(HttpBinding binding) {
        Store store = InMemoryStore.keepingEndedRuns();
        ChargehandServer server = serve(runtime(store), builder -> builder.binding(binding));
        int runs = 0;
        for (Start start : starts()) {
            script.on("writer").says("Once.");
            HttpResponse<String> first = send(server, start, AT_ONCE);
            HttpResponse<String> again = send(server, start, AT_ONCE);
            assertThat(again.statusCode()).as(start + again.body()).isEqualTo(first.statusCode());
            assertThat(replayed(first)).as("first " + start).isEmpty();
            assertThat(replayed(again)).as("again " + start).isEqualTo("true");
            runs++;
            assertThat(store.list(RunFilter.ALL)).as(start.toString()).hasSize(runs);
        }
    }

    /** All requests have arrived when the server is stopped: one that has not would find a closed port. */
    @ParameterizedTest
    @EnumSource
    void aServerThatIsStoppedAnswersForTheRunsThatItKnows(HttpBinding binding) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        script.on("writer").says("Once.").forever();
        script.on("slow")
                .does(asked::countDown)
                .and()
                .waitsFor(end)
                .and()
                .says("Late.")
                .forever();
        Store store = InMemoryStore.keepingEndedRuns();
        Semaphore arrived = new Semaphore(0);
        CountDownLatch stopping = new CountDownLatch(1);
        ChargehandServer server = serve(runtime(store), builder -> builder.binding(binding)
                .addPrincipals(token -> caller(token, arrived, stopping))
                .timeLimit(ServerTimeLimit.DRAIN, Duration.ofMinutes(2)));
        List<HttpResponse<String>> first =
                starts().stream().map(start -> send(server, start, AT_ONCE)).toList();
        Map<String, Object> chat = Map.of("model", "slow", "messages", MESSAGES);
        Start slow = new Start("/v1/chat/completions", chat, KEY);
        Start own = new Start("/api/v1/agents/slow/runs", prompt("Write."), KEY);
        Thread held = Thread.ofVirtual().start(() -> send(server, slow, AT_ONCE));
        asked.await();
        String running = at(send(server, own, AT_ONCE), "/runId");
        int runs = store.list(RunFilter.ALL).size();

        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<HttpResponse<String>>> repeated = begin(clients, server, starts());
            List<Future<HttpResponse<String>>> others =
                    begin(clients, server, starts().stream().map(Start::anew).toList());
            List<Future<HttpResponse<String>>> ofSlow = begin(clients, server, List.of(own, slow));
            arrived.acquire(repeated.size() + others.size() + ofSlow.size());
            Thread stop = Thread.ofVirtual().start(server::close);
            while (isReady(server)) {
                Thread.onSpinWait();
            }
            stopping.countDown();

            for (int i = 0; i < first.size(); i++) {
                Start start = starts().get(i);
                HttpResponse<String> again = repeated.get(i).get();
                assertThat(again.statusCode())
                        .as(start + again.body())
                        .isEqualTo(first.get(i).statusCode());
                assertThat(replayed(again)).as(start.toString()).isEqualTo("true");
                assertThat(again.body()).as(start.toString()).doesNotContain("run-released", "draining");
                assertDraining(others.get(i).get());
            }
            assertThat(at(ofSlow.getFirst().get(), "/runId")).isEqualTo(running);
            assertDraining(ofSlow.getLast().get());
            assertThat(store.list(RunFilter.ALL)).hasSize(runs);
            end.countDown();
            held.join();
            stop.join();
        } finally {
            stopping.countDown();
            end.countDown();
        }
    }

    /** Accept any caller; a request with one token has arrived then, and is continued when the server is being stopped. */
    private static Optional<Principal> caller(String token, Semaphore arrived, CountDownLatch stopping) {
        if (token.equals(WHEN_STOPPING)) {
            arrived.release();
            try {
                stopping.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return Optional.of(new Principal("local", Store.LOCAL, Optional.empty(), EnumSet.allOf(Scope.class)));
    }

    private List<Future<HttpResponse<String>>> begin(
            ExecutorService clients, ChargehandServer server, List<Start> starts) {
        return starts.stream()
                .map(start -> clients.submit(() -> send(server, start, WHEN_STOPPING)))
                .toList();
    }

    /** Return whether a server is not being stopped yet; then it says so, or does not listen any more. */
    private boolean isReady(ChargehandServer server) throws InterruptedException {
        try {
            return client.send(request(server, "/readyz").build(), HttpResponse.BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private static void assertDraining(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
        assertThat(answer.body()).contains("draining");
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    }
}
