package dev.chargehand.langchain4j;

import dev.chargehand.model.Model;
import dev.chargehand.testkit.model.ModelContract;
import dev.chargehand.testkit.model.ModelWire;

/** Anthropic, over its own wire. */
class AnthropicContractTest extends ModelContract {

    private LangChain4jProvider provider;

    @Override
    protected ModelWire wire() {
        return ModelWire.anthropic();
    }

    @Override
    protected Model open(String baseUrl, String key) {
        provider = LangChain4jProvider.builder()
                .baseUrl("anthropic", baseUrl)
                .key("anthropic", key)
                .build();
        return provider.find("anthropic/claude-opus-4-6").orElseThrow();
    }

    @Override
    protected void closeModel() {
        provider.close();
    }
}
