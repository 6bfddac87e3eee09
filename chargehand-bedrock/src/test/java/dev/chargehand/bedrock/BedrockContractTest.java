package dev.chargehand.bedrock;

import dev.chargehand.model.Model;
import dev.chargehand.testkit.model.ModelContract;
import dev.chargehand.testkit.model.ModelWire;

/** Converse keeps the contract of every model. */
class BedrockContractTest extends ModelContract {

    private BedrockProvider provider;

    @Override
    protected ModelWire wire() {
        return ModelWire.bedrock();
    }

    @Override
    protected Model open(String baseUrl, String key) {
        provider = BedrockProvider.builder().baseUrl(baseUrl).key(key).build();
        return provider.find("bedrock/anthropic.claude-3-7-sonnet-20250219-v1:0")
                .orElseThrow();
    }

    @Override
    protected void closeModel() {
        provider.close();
    }
}
