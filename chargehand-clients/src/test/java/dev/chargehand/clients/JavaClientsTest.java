package dev.chargehand.clients;

import dev.chargehand.AgentRuntime;
import dev.chargehand.server.ChargehandServer;
import dev.chargehand.server.HttpBinding;
import dev.chargehand.server.ServerLimit;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The scenarios of OpenAI's client for Java, in one process for each binding. */
class JavaClientsTest {

    @TestFactory
    Stream<DynamicContainer> openai() {
        return Stream.of(HttpBinding.values())
                .map(binding -> DynamicContainer.dynamicContainer(binding.name(), tests(binding)));
    }

    private static Stream<DynamicTest> tests(HttpBinding binding) {
        try (AgentRuntime runtime = new Crew().runtime();
                AgentRuntime another = new Crew().runtime();
                ChargehandServer server = Scenarios.server(runtime, binding)
                        .addPrincipals(Scenarios::resolve)
                        .start();
                ChargehandServer limited = Scenarios.server(another, binding)
                        .limit(ServerLimit.STARTS_PER_SECOND, 1)
                        .limit(ServerLimit.START_BURST, 1)
                        .start()) {
            List<String> lines = JavaProcess.run(
                    server.uri().toString(), Scenarios.KEY, limited.uri().toString());
            return Scenarios.reports(lines);
        }
    }
}
