package dev.chargehand.langchain4j.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.langchain4j.LangChain4jProvider;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.models.OpenAiCompatibleProvider;
import dev.chargehand.run.StopReason;
import dev.chargehand.tool.Tool;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every provider's protocol as a server of another make speaks it: a supervisor, a specialist, and two calls at once. */
class ForeignProvidersTest {

    @AutoClose
    private static ForeignServer server;

    record Sum(int a, int b) {}

    /** A protocol: what the server calls it, where its API begins, and where it is asked for the model {@code clerk}. */
    enum Spoken {
        ANTHROPIC("anthropic", "/v1", "/v1/messages"),
        GEMINI("gemini", "/v1beta", "/v1beta/models/clerk:streamGenerateContent"),
        OLLAMA("ollama", "", "/api/chat"),
        MISTRAL("mistral", "/v1", "/v1/chat/completions");

        private final String provider;
        private final String api;
        private final String path;

        Spoken(String provider, String api, String path) {
            this.provider = provider;
            this.api = api;
            this.path = path;
        }

        ModelProvider open() {
            String baseUrl = "http://127.0.0.1:" + server.port() + api;
            return this == MISTRAL
                    ? OpenAiCompatibleProvider.builder()
                            .provider("mistral", baseUrl, "key")
                            .build()
                    : LangChain4jProvider.builder()
                            .baseUrl(provider, baseUrl)
                            .key(provider, "key")
                            .build();
        }

        Answer answer() {
            return Answer.of("clerk").in(name(), path);
        }
    }

    @BeforeAll
    static void startServer() throws IOException {
        server = ForeignServer.start();
    }

    @ParameterizedTest
    @EnumSource
    void itsOwnReaderFindsTheResultsUnderTheCallsOfItsOwnStream(Spoken spoken) throws IOException {
        server.answers(List.of(
                spoken.answer()
                        .first()
                        .whenLast("Add both")
                        .says("I ask – at once.")
                        .calls("add", "{\"a\":1,\"b\":2}", "add", "{\"a\":10,\"b\":20}"),
                spoken.answer().afterResultOf("add").says("3 and 30 – both."),
                spoken.answer().first().whenLast("Go").says("I delegate.").delegates("agent-clerk", "Add both."),
                spoken.answer().afterResultOf("agent-clerk").says("Together 33.")));
        Tool add = Tool.of("add", "Adds two numbers.", Sum.class, (in, context) -> Map.of("sum", in.a() + in.b()));
        try (AgentRuntime runtime =
                AgentRuntime.builder().providers(spoken.open()).build()) {
            String model = spoken.provider + "/clerk";
            Agent clerk = Agent.builder("clerk")
                    .description("Adds.")
                    .instructions("You add.")
                    .model(model)
                    .tools(add)
                    .build();
            Agent top = runtime.bind(Agent.builder("top")
                    .instructions("You lead.")
                    .model(model)
                    .agents(clerk)
                    .build());

            RunResult result = top.generate("Go");

            assertThat(result.stopReason()).isEqualTo(new StopReason.Finished());
            assertThat(result.text()).isEqualTo("Together 33.");
            assertThat(result.toolResults()).singleElement().satisfies(each -> assertThat(
                            each.output().orElseThrow().text())
                    .contains("3 and 30 – both."));
        }
    }
}
