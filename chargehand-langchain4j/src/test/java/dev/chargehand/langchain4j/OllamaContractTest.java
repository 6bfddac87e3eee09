package dev.chargehand.langchain4j;

import dev.chargehand.model.Model;
import dev.chargehand.testkit.model.ModelContract;
import dev.chargehand.testkit.model.ModelWire;

/** Ollama, over its own wire. */
class OllamaContractTest extends ModelContract {

    private LangChain4jProvider provider;

    @Override
    protected ModelWire wire() {
        return ModelWire.ollama();
    }

    @Override
    protected Model open(String baseUrl, String key) {
        provider = LangChain4jProvider.builder()
                .baseUrl("ollama", baseUrl)
                .key("ollama", key)
                .build();
        return provider.find("ollama/qwen3").orElseThrow();
    }

    @Override
    protected void closeModel() {
        provider.close();
    }
}
