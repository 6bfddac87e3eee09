package dev.chargehand.models;

import dev.chargehand.model.Model;
import dev.chargehand.testkit.model.ModelContract;
import dev.chargehand.testkit.model.ModelWire;
import java.util.Map;

/** Mistral, over chat completions as it speaks them. */
class MistralContractTest extends ModelContract {

    private OpenAiCompatibleProvider provider;

    @Override
    protected ModelWire wire() {
        return ModelWire.mistral();
    }

    @Override
    protected Model open(String baseUrl, String key) {
        Map<String, String> environment = Map.of("MISTRAL_API_KEY", key, "MISTRAL_BASE_URL", baseUrl);
        provider =
                OpenAiCompatibleProvider.builder().environment(environment::get).build();
        return provider.find("mistral/magistral-medium-latest").orElseThrow();
    }

    @Override
    protected void closeModel() {
        provider.close();
    }
}
