package dev.chargehand.clients;

import dev.chargehand.AgentRuntime;
import dev.chargehand.server.ChargehandServer;
import dev.chargehand.server.HttpBinding;
import dev.chargehand.server.ServerBuilder;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The scenarios of clients for Node, each client in one process that calls a server of each binding. */
@NodeRequired
class NodeClientsTest {

    @TestFactory
    Stream<DynamicTest> openai() {
        return scenarios("openai.mjs", builder -> builder);
    }

    @TestFactory
    Stream<DynamicTest> requestsOfOpenai() {
        return scenarios("openai-requests.mjs", builder -> builder);
    }

    @TestFactory
    Stream<DynamicTest> aiSdk() {
        return scenarios("ai-sdk.mjs", builder -> builder);
    }

    @TestFactory
    Stream<DynamicTest> agUi() {
        return scenarios("ag-ui.mjs", builder -> builder);
    }

    @TestFactory
    Stream<DynamicTest> mastra() {
        return scenarios("mastra.mjs", builder -> builder.addPrincipals(Scenarios::resolve)
                .directTools(Crew.WEATHER));
    }

    @TestFactory
    Stream<DynamicTest> memoryOfMastra() {
        return scenarios("mastra-memory.mjs", builder -> builder.addPrincipals(Scenarios::resolve));
    }

    @TestFactory
    Stream<DynamicTest> threadsOfMastra() {
        return scenarios("mastra-threads.mjs", builder -> builder.addPrincipals(Scenarios::resolve));
    }

    @TestFactory
    Stream<DynamicTest> runsOfMastra() {
        return scenarios("mastra-runs.mjs", builder -> builder.addPrincipals(Scenarios::resolve));
    }

    @TestFactory
    Stream<DynamicTest> workflowsOfMastra() {
        return scenarios("mastra-workflows.mjs", builder -> builder.addPrincipals(Scenarios::resolve)
                .addContextKey("tier"));
    }

    private static Stream<DynamicTest> scenarios(String file, UnaryOperator<ServerBuilder> changes) {
        try (AgentRuntime jdkRuntime = new Crew().runtime();
                AgentRuntime helidonRuntime = new Crew().runtime();
                ChargehandServer jdk = start(jdkRuntime, HttpBinding.JDK, changes);
                ChargehandServer helidon = start(helidonRuntime, HttpBinding.HELIDON, changes)) {
            String servers = "JDK=" + jdk.uri() + ",HELIDON=" + helidon.uri();
            return Scenarios.reports(NodeProcess.run(file, servers, Scenarios.KEY));
        }
    }

    private static ChargehandServer start(
            AgentRuntime runtime, HttpBinding binding, UnaryOperator<ServerBuilder> changes) {
        return changes.apply(Scenarios.server(runtime, binding)).start();
    }
}
