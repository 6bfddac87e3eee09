package dev.chargehand.examples.embeddings;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.langchain4j.LangChain4jEmbeddings;
import dev.chargehand.memory.FoundMessage;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.model.EmbeddingModel;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import dev.langchain4j.model.embedding.onnx.allminilml6v2q.AllMiniLmL6V2QuantizedEmbeddingModel;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds what a user said by its meaning. The embedding model runs in this process and needs neither a key nor a network;
 * the library brings its weights.
 */
public final class FindsByMeaning {

    private static final List<String> SAID = List.of(
            "My dog Fido likes apples.",
            "On Friday I fly to Oslo to see my sister.",
            "The boiler makes a strange noise since the plumber was here.",
            "I am allergic to nuts.");

    private static final List<String> ASKED = List.of(
            "What does my pet eat?", "Where do I travel at the end of the week?", "What must not be in my food?");

    private FindsByMeaning() {}

    /** Print what is found for each question. */
    public static void main(String[] arguments) {
        found(ASKED).forEach((question, found) -> System.out.println(question + "\n  " + found));
    }

    /** Return the message that is nearest to each question in meaning. */
    static Map<String, String> found(List<String> questions) {
        EmbeddingModel embeddings =
                LangChain4jEmbeddings.of(new AllMiniLmL6V2QuantizedEmbeddingModel(), "onnx/all-minilm-l6-v2-q");
        Agent assistant = Agent.builder("assistant")
                .model(new Listener())
                .memory(m -> m.semanticRecall(r -> r.by(embeddings)))
                .build();
        Map<String, String> found = new LinkedHashMap<>();
        try (AgentRuntime runtime =
                AgentRuntime.builder().providers().agents(assistant).build()) {
            for (String text : SAID) {
                RunResult ignored = runtime.agent("assistant")
                        .generate(text, o -> o.thread("last week").resource("ann"));
            }
            if (!runtime.memory().settled(Duration.ofMinutes(1))) {
                throw new IllegalStateException("The messages were not embedded within a minute.");
            }
            for (String question : questions) {
                List<FoundMessage> messages =
                        runtime.memory().search("assistant", ScopeRef.resource("ann"), question, 1);
                found.put(question, messages.getFirst().message().text());
            }
        }
        return found;
    }

    /** Stands for a chat model, which would need a key: it only listens. */
    private static final class Listener implements Model {

        @Override
        public String name() {
            return "listener";
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            return ModelResponse.text("Noted.", Usage.of(1, 1));
        }
    }
}
