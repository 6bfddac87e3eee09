package dev.chargehand.models;

import dev.chargehand.model.Model;
import dev.chargehand.testkit.model.ModelContract;
import dev.chargehand.testkit.model.ModelWire;

/** The client for chat completions, as OpenAI's own endpoint is asked. */
class OpenAiContractTest extends ModelContract {

    private OpenAiModel model;

    @Override
    protected ModelWire wire() {
        return ModelWire.chatCompletions();
    }

    @Override
    protected Model open(String baseUrl, String key) {
        model = OpenAiModel.builder()
                .name("openai/m")
                .baseUrl(baseUrl)
                .model("m")
                .apiKey(key)
                .responseFormat(true)
                .build();
        return model;
    }

    @Override
    protected void closeModel() {
        model.close();
    }
}
