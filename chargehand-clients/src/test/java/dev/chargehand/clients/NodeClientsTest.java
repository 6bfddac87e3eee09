package dev.chargehand.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.json.Json;
import dev.chargehand.server.ChargehandServer;
import dev.chargehand.server.HttpBinding;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import dev.chargehand.server.ServerBuilder;
import dev.chargehand.server.ServerTimeLimit;
import dev.chargehand.store.Store;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The scenarios of clients for Node, each client in one process for each binding. */
@NodeRequired
class NodeClientsTest {

    private static final int LEAST = 5;
    private static final String KEY = "key-of-ann";

    private static Optional<Principal> resolve(String token) {
        return token.equals(KEY)
                ? Optional.of(new Principal("ann", Store.LOCAL, Optional.of("ann"), EnumSet.allOf(Scope.class)))
                : Optional.empty();
    }

    @TestFactory
    Stream<DynamicContainer> openai() {
        return bothBindings("openai.mjs", builder -> builder);
    }

    @TestFactory
    Stream<DynamicContainer> aiSdk() {
        return bothBindings("ai-sdk.mjs", builder -> builder);
    }

    @TestFactory
    Stream<DynamicContainer> agUi() {
        return bothBindings("ag-ui.mjs", builder -> builder);
    }

    @TestFactory
    Stream<DynamicContainer> mastra() {
        return bothBindings("mastra.mjs", builder -> builder.addPrincipals(NodeClientsTest::resolve));
    }

    private static Stream<DynamicContainer> bothBindings(String file, UnaryOperator<ServerBuilder> changes) {
        return Stream.of(HttpBinding.values())
                .map(binding -> DynamicContainer.dynamicContainer(binding.name(), tests(file, binding, changes)));
    }

    private static Stream<DynamicTest> tests(String file, HttpBinding binding, UnaryOperator<ServerBuilder> changes) {
        List<String> lines;
        try (AgentRuntime runtime = new Crew().runtime();
                ChargehandServer server = changes.apply(ChargehandServer.builder(runtime)
                                .binding(binding)
                                .port(0)
                                .timeLimit(ServerTimeLimit.DRAIN, Duration.ofSeconds(1)))
                        .start()) {
            lines = NodeProcess.run(file, server.uri().toString(), KEY);
        }
        List<Json> reports = lines.stream()
                .filter(line -> line.startsWith("{\"scenario\":"))
                .map(Json::parse)
                .toList();
        assertThat(reports).as(String.join("\n", lines)).hasSizeGreaterThan(LEAST);
        return reports.stream()
                .map(report -> DynamicTest.dynamicTest(
                        report.at("/scenario").flatMap(Json::string).orElseThrow(),
                        () -> assertThat(report.at("/error").flatMap(Json::string))
                                .isEmpty()));
    }
}
