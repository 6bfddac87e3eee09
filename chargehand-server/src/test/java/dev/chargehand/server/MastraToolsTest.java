package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.Wakeups;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunWatch;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolFailureException;
import dev.chargehand.version.Version;
import dev.chargehand.workflow.Workflow;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers execute tools with Mastra's client: those that the server lists, and no others. */
@Timeout(120)
class MastraToolsTest extends ServerFixture {

    private static final String PRICE = "/api/tools/price/execute";
    private static final String PRICE_OF_SHOP = "/api/agents/shop/tools/price/execute";
    private static final RequestContext.Key<String> TIER = RequestContext.Key.of("tier", String.class);
    private static final Map<String, Object> ORDER = Map.of("data", Map.of("amount", 3));

    @TempDir
    private Path folder;

    private final CountDownLatch never = new CountDownLatch(1);

    private final Tool price = Tool.builder("price", "Prices an order.")
            .input(Order.class)
            .handler((order, context) -> {
                paid.add(order.amount());
                return Map.of(
                        "total",
                        order.amount() * 100,
                        "of",
                        context.tenantId() + "/" + context.resourceId().orElse("nobody"),
                        "tier",
                        context.requestContext().get(TIER).orElse("none"));
            })
            .build();
    private final Tool hidden = Tool.of("hidden", "Prices in secret.", Order.class, (order, context) -> {
        paid.add(order.amount());
        return "hidden";
    });
    private final Tool hangs = Tool.builder("hangs", "Never ends.")
            .input(Order.class)
            .timeout(Duration.ofMillis(50))
            .handler((order, context) -> {
                never.await();
                return "late";
            })
            .build();
    private final Tool fails = Tool.of("fails", "Fails.", Order.class, (order, context) -> {
        if (order.amount() == 0) {
            throw new ToolFailureException("secret of a failure");
        }
        throw new IllegalStateException("secret of a bug");
    });
    private final Tool asks = Tool.of("asks", "Asks.", Order.class, (order, context) -> context.suspend("How many?"));
    private final Tool nothing = Tool.of("nothing", "Gives nothing.", Order.class, (order, context) -> null);

    private Agent agent(String id, Tool... tools) {
        return Agent.builder(id).model(script.modelFor(id)).tools(tools).build();
    }

    @Override
    List<Agent> agents() {
        Tool other = Tool.of("price", "Another one of the same name.", Order.class, (order, context) -> "other");
        List<Agent> agents = new ArrayList<>(super.agents());
        agents.add(agent("shop", price, hidden));
        agents.add(agent("stall", other));
        for (boolean all : List.of(false, true)) {
            agents.add(Agent.builder("careful")
                    .version(all ? "2" : "1")
                    .model(script.modelFor("careful"))
                    .tools(price)
                    .defaultOptions(options -> options.requireToolApproval(all))
                    .build());
        }
        agents.add(Agent.builder("dynamic")
                .model(script.modelFor("dynamic"))
                .toolsFrom(context -> List.of(price))
                .build());
        return agents;
    }

    @Override
    AgentRuntimeBuilder changed(AgentRuntimeBuilder runtime) {
        return runtime.versions(none -> none.agent("careful", Version.id("2")));
    }

    private ChargehandServer serveTools(AgentRuntime runtime, HttpBinding binding, UnaryOperator<ServerBuilder> more) {
        return serve(runtime, builder -> more.apply(builder.binding(binding))
                .addContextKey("tier")
                .directTools(price, hangs, fails, asks, nothing));
    }

    private ChargehandServer serveTools(HttpBinding binding) {
        return serveTools(runtime(InMemoryStore.keepingEndedRuns()), binding, builder -> builder);
    }

    private static Map<String, Object> order(String name, Object value) {
        Map<String, Object> body = new HashMap<>(ORDER);
        body.put(name, value);
        return body;
    }

    private void assertProblem(HttpResponse<String> answer, int status, String code) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(at(answer, "/code")).isEqualTo(code);
        assertThat(Json.parse(answer.body()).fields()).containsKey("error");
    }

    @ParameterizedTest
    @EnumSource
    void theAnswerIsWhatTheToolGives(HttpBinding binding) {
        ChargehandServer server = serveTools(binding);
        for (String path : List.of(PRICE + "?", PRICE_OF_SHOP)) {
            HttpResponse<String> answer = post(server, path, order("requestContext", Map.of("tier", "gold")));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(Json.parse(answer.body()).canonical())
                    .isEqualTo(Json.of(Map.of("total", 300, "of", "local/nobody", "tier", "gold"))
                            .canonical());
        }
        assertThat(paid).containsExactly(3, 3);
        assertThat(post(server, "/api/tools/nothing/execute", ORDER).body()).isEqualTo("null");
        assertThat(at(get(server, "/api/tools/nothing"), "/description")).isEqualTo("Gives nothing.");
    }

    @ParameterizedTest
    @EnumSource
    void anExecutionIsARunThatIsStored(HttpBinding binding) {
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serveTools(runtime, binding, builder -> builder);
        post(server, PRICE, ORDER);
        assertThat(runtime.runs(RunFilter.ROOTS))
                .singleElement()
                .satisfies(run -> assertThat(run.agentId()).isEqualTo("tool-price"))
                .satisfies(run -> assertThat(run.status()).isEqualTo(RunStatus.COMPLETED));
        ChargehandServer second = serveTools(runtime, binding, builder -> builder);
        assertThat(post(second, PRICE, ORDER).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void aRepeatedRequestExecutesTheToolOnce(HttpBinding binding) throws Exception {
        ChargehandServer server = serveTools(binding);
        List<HttpResponse<String>> answers = atOnce(4, number -> post(server, PRICE + "?runId=r1", ORDER));
        answers.add(post(server, PRICE, order("runId", "r1")));
        assertThat(answers)
                .extracting(HttpResponse::body)
                .containsOnly(answers.getFirst().body());
        assertThat(at(answers.getFirst(), "/total")).isEqualTo("300");
        assertThat(paid).containsExactly(3);
        assertProblem(
                post(server, PRICE + "?runId=r1", Map.of("data", Map.of("amount", 4))), 422, "idempotency-mismatch");
        assertProblem(
                post(server, PRICE + "?runId=r1", order("requestContext", Map.of("tier", "gold"))),
                422,
                "idempotency-mismatch");
        post(server, PRICE, ORDER, "Idempotency-Key", "k");
        post(server, PRICE, ORDER, "Idempotency-Key", "k");
        assertThat(paid).containsExactly(3, 3);
    }

    @ParameterizedTest
    @EnumSource
    void argumentsThatDoNotFitAreRejectedWithTheirPlaces(HttpBinding binding) {
        ChargehandServer server = serveTools(binding);
        for (String path : List.of(PRICE, PRICE_OF_SHOP)) {
            HttpResponse<String> wrong = post(server, path, Map.of("data", Map.of("amount", "three")));
            assertProblem(wrong, 400, "bad-request");
            assertThat(at(wrong, "/error")).startsWith("The field 'data' of the body breaks its schema: /amount");
            assertProblem(post(server, path, Map.of()), 400, "bad-request");
            assertProblem(post(server, path, Map.of("data", List.of(1))), 400, "bad-request");
            assertProblem(post(server, path, order("requestContext", Map.of("role", "admin"))), 400, "bad-request");
        }
        assertThat(paid).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aToolThatIsNotListedIsLikeOneThatDoesNotExist(HttpBinding binding) {
        ChargehandServer server = serveTools(binding);
        HttpResponse<String> missing = post(server, "/api/tools/missing/execute", ORDER);
        assertProblem(missing, 404, "tool-unknown");
        for (String path : List.of(
                "/api/tools/hidden/execute",
                "/api/agents/shop/tools/hidden/execute",
                "/api/agents/shop/tools/missing/execute",
                "/api/agents/stall/tools/price/execute",
                "/api/agents/shop/tools/fails/execute",
                "/api/agents/dynamic/tools/price/execute",
                "/api/tools/pay/execute",
                "/api/agents/clerk/tools/pay/execute")) {
            HttpResponse<String> answer = post(server, path, ORDER);
            assertThat(answer.statusCode()).as(path).isEqualTo(404);
            assertThat(answer.body()).as(path).isEqualTo(missing.body());
        }
        assertProblem(post(server, "/api/agents/nobody/tools/price/execute", ORDER), 404, "agent-unknown");
        assertProblem(post(serve(binding), PRICE, ORDER), 404, "tool-unknown");
        assertThat(paid).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aCallThatNeedsAnApprovalIsNotExecuted(HttpBinding binding) {
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serveTools(
                runtime,
                binding,
                builder -> builder.workflowOptions(options -> options.requireToolApproval(
                        call -> call.arguments().text().contains("3"))));
        assertProblem(post(server, "/api/agents/careful/tools/price/execute", ORDER), 403, "not-allowed");
        assertThat(runtime.runs(RunFilter.ROOTS)).isEmpty();
        HttpResponse<String> answer = post(server, PRICE, ORDER);
        assertProblem(answer, 403, "not-allowed");
        assertThat(end(runtime, answer)).isEqualTo(RunStatus.ABORTED);
        assertThat(paid).isEmpty();
        post(server, PRICE, Map.of("data", Map.of("amount", 4)));
        assertThat(paid).containsExactly(4);
    }

    private static RunStatus end(AgentRuntime runtime, HttpResponse<String> answer) {
        RunId run = new RunId(at(answer, "/runId"));
        try (RunWatch events = runtime.watch(run, null)) {
            events.forEach(event -> {});
        }
        return runtime.findRun(run).orElseThrow().status();
    }

    @ParameterizedTest
    @EnumSource
    void aToolThatAsksForDataIsCancelled(HttpBinding binding) {
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        HttpResponse<String> answer =
                post(serveTools(runtime, binding, builder -> builder), "/api/tools/asks/execute", ORDER);
        assertProblem(answer, 424, "cancelled");
        assertThat(end(runtime, answer)).isEqualTo(RunStatus.ABORTED);
    }

    @Test
    void anExecutionThatAProcessHasLeftContinuesAtAnotherServer() {
        Path file = folder.resolve("runs.db");
        AgentRuntime left = AgentRuntime.builder()
                .store(JdbcStore.sqlite(file))
                .wakeups(Wakeups.off())
                .build();
        RunId run;
        try (left) {
            ChargehandServer server = serveTools(left, HttpBinding.JDK, builder -> builder);
            run = left.submit(workflow(left), Json.of(Map.of("amount", 7)), options -> {});
            server.close();
        }
        assertThat(paid).isEmpty();
        AgentRuntime next = runtime(JdbcStore.sqlite(file));
        serveTools(next, HttpBinding.JDK, builder -> builder);
        assertThat(next.handle(run).result().object().flatMap(result -> result.at("/total")))
                .contains(Json.of(700));
        assertThat(paid).containsExactly(7);
    }

    @SuppressWarnings("unchecked")
    private static Workflow<Json, ?> workflow(AgentRuntime runtime) {
        return (Workflow<Json, ?>) runtime.workflows().stream()
                .filter(workflow -> workflow.id().equals("tool-price"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void toolsThatCallersCannotExecuteAreRefused() {
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        Tool.Builder<Order> may = Tool.builder("may", "May need an approval.").input(Order.class);
        Tool.Builder<Order> data = Tool.builder("data", "Asks for data.").input(Order.class);
        for (Tool tool : List.of(
                price.requiringApproval(),
                may.requiresApproval(order -> order.amount() > 9)
                        .handler((order, context) -> 1)
                        .build(),
                data.suspends(String.class, Order.class)
                        .handler((order, context) -> 1)
                        .build(),
                Tool.external("client", "Is executed by the client.", price.input()),
                Tool.of("n".repeat(60), "Has a long name.", Order.class, (order, context) -> 1))) {
            assertThatExceptionOfType(ConfigurationException.class)
                    .isThrownBy(() -> ChargehandServer.builder(runtime).directTools(price, tool))
                    .withMessageContaining("'" + tool.name() + "'");
        }
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> ChargehandServer.builder(runtime).directTools(price, price))
                .withMessageContaining("'price'");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> serveTools(runtime, HttpBinding.JDK, builder -> builder.wires(ServerWire.OPENAI)))
                .withMessageContaining("MASTRA");
        serveTools(runtime, HttpBinding.JDK, builder -> builder);
        Tool other = Tool.of("price", "Another one of the same name.", Order.class, (order, context) -> "other");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> serve(runtime, builder -> builder.directTools(other)))
                .withMessageContaining("'tool-price'");
    }

    @ParameterizedTest
    @EnumSource
    void aToolThatHangsEndsByItsTimeLimit(HttpBinding binding) {
        HttpResponse<String> answer = post(serveTools(binding), "/api/tools/hangs/execute", ORDER);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(424);
        assertThat(at(answer, "/runId")).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aFailureSaysNothingOfTheCode(HttpBinding binding) {
        ChargehandServer server = serveTools(binding);
        for (int amount : List.of(0, 1)) {
            HttpResponse<String> answer =
                    post(server, "/api/tools/fails/execute", Map.of("data", Map.of("amount", amount)));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(424);
            assertThat(answer.body()).doesNotContain("secret", "Exception", "dev.chargehand", "java.");
            assertThat(Json.parse(answer.body()).fields()).containsOnlyKeys("error", "code", "runId");
        }
    }

    @ParameterizedTest
    @EnumSource
    void executionsAreForCallersWithTheScopeAndForTheirResource(HttpBinding binding) {
        ApiKeys keys = ApiKeys.of(folder.resolve("keys.json"));
        String ann = add(keys, "ann", "local", EnumSet.of(Scope.RUNS_WRITE));
        String eve = add(keys, "eve", "other", EnumSet.of(Scope.RUNS_WRITE, Scope.RUNS_READ));
        String reader = add(keys, "reader", "local", EnumSet.of(Scope.AGENTS_READ, Scope.RUNS_READ));
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serveTools(runtime, binding, builder -> builder.addPrincipals(keys));
        for (String path : List.of(PRICE, PRICE_OF_SHOP)) {
            assertProblem(post(server, path, ORDER), 401, "not-signed-in");
            assertProblem(post(server, path, ORDER, "Authorization", "Bearer " + reader), 403, "not-allowed");
        }
        assertThat(paid).isEmpty();
        assertThat(at(post(server, PRICE + "?runId=r1", ORDER, "Authorization", "Bearer " + ann), "/of"))
                .isEqualTo("local/ann");
        assertThat(at(post(server, PRICE + "?runId=r1", ORDER, "Authorization", "Bearer " + eve), "/of"))
                .isEqualTo("other/eve");
        assertThat(paid).containsExactly(3, 3);
        String run = runtime.runs(RunFilter.ROOTS).getFirst().runId().value();
        HttpResponse<String> foreign = send(request(server, "/api/v1/runs/" + run)
                .header("Authorization", "Bearer " + eve)
                .build());
        assertThat(foreign.statusCode()).isEqualTo(404);
    }

    private static String add(ApiKeys keys, String name, String tenant, Set<Scope> scopes) {
        return keys.add(new ApiKey(name, new Principal(name, tenant, Optional.of(name), scopes), Optional.empty()));
    }

    @ParameterizedTest
    @ValueSource(strings = {PRICE, PRICE_OF_SHOP})
    void executionsAreLimitedLikeStarts(String path) {
        ChargehandServer server =
                serveTools(runtime(InMemoryStore.keepingEndedRuns()), HttpBinding.JDK, builder -> builder.limit(
                                ServerLimit.START_BURST, 1)
                        .limit(ServerLimit.STARTS_PER_SECOND, 1));
        assertThat(post(server, path, ORDER).statusCode()).isEqualTo(200);
        assertProblem(post(server, path, ORDER), 429, "rate-limited");
        assertThat(paid).containsExactly(3);
    }
}
