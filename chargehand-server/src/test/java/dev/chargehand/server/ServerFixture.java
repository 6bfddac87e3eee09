package dev.chargehand.server;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.Wakeups;
import dev.chargehand.json.Json;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;

/** A server with scripted agents, and a client of it. */
abstract class ServerFixture {

    record Order(int amount) {}

    final Script script = ScriptedModel.script();
    final List<Integer> paid = new CopyOnWriteArrayList<>();
    final HttpClient client = HttpClient.newHttpClient();
    private final Map<String, Contract> contracts = new ConcurrentHashMap<>();
    private final List<AutoCloseable> open = new ArrayList<>();

    /** Return the agents: one that answers, one whose tool needs an approval, and one that starts tasks. */
    List<Agent> agents() {
        Agent writer = Agent.builder("writer")
                .description("Writes.")
                .instructions("Write well.")
                .model(script.modelFor("writer"))
                .build();
        Tool pay = Tool.builder("pay", "Pays an order.")
                .input(Order.class)
                .requiresApproval()
                .handler((order, context) -> {
                    paid.add(order.amount());
                    return "paid " + order.amount();
                })
                .build();
        Agent clerk = Agent.builder("clerk")
                .description("Pays orders.")
                .model(script.modelFor("clerk"))
                .tools(pay)
                .agents(writer)
                .build();
        Agent lead = Agent.builder("lead")
                .model(script.modelFor("lead"))
                .agents(writer)
                .background(background -> background.agents("writer"))
                .build();
        return List.of(writer, clerk, lead);
    }

    private static Workflow<Order, Integer> workflow() {
        Step<Order, Integer> price =
                Step.of("price", Order.class, Integer.class, (order, context) -> order.amount() * 100);
        return Workflow.from("pricing", Order.class)
                .description("Prices an order.")
                .then(price)
                .build(Integer.class);
    }

    /** Change the builder of the runtime. */
    AgentRuntimeBuilder changed(AgentRuntimeBuilder runtime) {
        return runtime;
    }

    AgentRuntime runtime(Store store) {
        AgentRuntime runtime = changed(AgentRuntime.builder()
                        .store(store)
                        .agents(agents().toArray(Agent[]::new))
                        .workflows(workflow())
                        .wakeups(Wakeups.all())
                        .anyoneMayApprove())
                .build();
        open.add(runtime);
        return runtime;
    }

    ChargehandServer serve(AgentRuntime runtime, UnaryOperator<ServerBuilder> changes) {
        ChargehandServer server = changes.apply(ChargehandServer.builder(runtime)
                        .port(0)
                        .timeLimit(ServerTimeLimit.DRAIN, Duration.ofSeconds(1)))
                .start();
        open.add(0, server);
        return server;
    }

    ChargehandServer serve(HttpBinding binding) {
        return serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.binding(binding));
    }

    HttpRequest.Builder request(ChargehandServer server, String path) {
        return HttpRequest.newBuilder(server.uri().resolve(path));
    }

    /** Send a request, and check the answer against the server's own description. */
    HttpResponse<String> send(HttpRequest request) {
        HttpResponse<String> answer = exchange(request);
        contract(request).check(request, answer);
        return answer;
    }

    private Contract contract(HttpRequest request) {
        return contracts.computeIfAbsent(
                request.uri().getAuthority(),
                server -> Contract.of(
                        exchange(HttpRequest.newBuilder(request.uri().resolve("/openapi.json"))
                                        .build())
                                .body()));
    }

    private HttpResponse<String> exchange(HttpRequest request) {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError("No answer to " + request + ".", e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    HttpResponse<String> get(ChargehandServer server, String path) {
        return send(request(server, path).build());
    }

    HttpResponse<String> post(ChargehandServer server, Object path, Object body, String... headers) {
        HttpRequest.Builder request = request(server, path.toString())
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(Json.of(body).text()));
        HttpRequest built = (headers.length == 0 ? request : request.headers(headers)).build();
        HttpResponse<String> answer = send(built);
        if (answer.statusCode() < 300 && !Json.of(body).fields().isEmpty()) {
            contract(built).checkAccepted(built, Json.of(body));
        }
        return answer;
    }

    /** Call something so many times at once, and return what the calls return. */
    static <T> List<T> atOnce(int times, IntFunction<T> call) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> calls = new ArrayList<>();
            for (int i = 0; i < times; i++) {
                int number = i;
                calls.add(threads.submit(() -> {
                    go.await();
                    return call.apply(number);
                }));
            }
            go.countDown();
            List<T> results = new ArrayList<>();
            for (Future<T> each : calls) {
                results.add(each.get());
            }
            return results;
        }
    }

    /** Return a text of a JSON answer. */
    static String at(HttpResponse<String> response, String pointer) {
        return Json.parse(response.body())
                .at(pointer)
                .map(value -> value.string().orElse(value.text()))
                .orElse("");
    }

    static URI path(HttpResponse<String> response) {
        return URI.create(response.headers().firstValue("Location").orElseThrow());
    }

    static Map<String, Object> prompt(String text) {
        return Map.of("input", text);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        open.clear();
        client.shutdownNow();
    }
}
