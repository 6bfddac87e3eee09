package dev.chargehand.langchain4j;

import dev.chargehand.model.Model;
import dev.chargehand.testkit.model.ModelContract;
import dev.chargehand.testkit.model.ModelWire;

/** Gemini, over its own wire. */
class GeminiContractTest extends ModelContract {

    private LangChain4jProvider provider;

    @Override
    protected ModelWire wire() {
        return ModelWire.gemini();
    }

    @Override
    protected Model open(String baseUrl, String key) {
        provider = LangChain4jProvider.builder()
                .baseUrl("gemini", baseUrl)
                .key("gemini", key)
                .build();
        return provider.find("gemini/gemini-3-pro").orElseThrow();
    }

    @Override
    protected void closeModel() {
        provider.close();
    }
}
