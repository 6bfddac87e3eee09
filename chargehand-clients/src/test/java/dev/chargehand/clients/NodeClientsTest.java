package dev.chargehand.clients;

import dev.chargehand.AgentRuntime;
import dev.chargehand.server.ChargehandServer;
import dev.chargehand.server.HttpBinding;
import dev.chargehand.server.ServerBuilder;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The scenarios of clients for Node, each client in one process for each binding. */
@NodeRequired
class NodeClientsTest {

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
        return bothBindings("mastra.mjs", builder -> builder.addPrincipals(Scenarios::resolve)
                .directTools(Crew.WEATHER));
    }

    @TestFactory
    Stream<DynamicContainer> memoryOfMastra() {
        return bothBindings("mastra-memory.mjs", builder -> builder.addPrincipals(Scenarios::resolve));
    }

    @TestFactory
    Stream<DynamicContainer> threadsOfMastra() {
        return bothBindings("mastra-threads.mjs", builder -> builder.addPrincipals(Scenarios::resolve));
    }

    @TestFactory
    Stream<DynamicContainer> workflowsOfMastra() {
        return bothBindings("mastra-workflows.mjs", builder -> builder.addPrincipals(Scenarios::resolve)
                .addContextKey("tier"));
    }

    private static Stream<DynamicContainer> bothBindings(String file, UnaryOperator<ServerBuilder> changes) {
        return Stream.of(HttpBinding.values())
                .map(binding -> DynamicContainer.dynamicContainer(binding.name(), tests(file, binding, changes)));
    }

    private static Stream<DynamicTest> tests(String file, HttpBinding binding, UnaryOperator<ServerBuilder> changes) {
        try (AgentRuntime runtime = new Crew().runtime();
                ChargehandServer server =
                        changes.apply(Scenarios.server(runtime, binding)).start()) {
            return Scenarios.reports(NodeProcess.run(file, server.uri().toString(), Scenarios.KEY));
        }
    }
}
