package dev.chargehand.clients.openai;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;

/** OpenAI's client for Java against a server. It checks each answer against its own description of it. */
public final class OpenAiScenarios {

    private OpenAiScenarios() {}

    /**
     * Run the scenarios.
     *
     * @param arguments the address of a server, a key of it, and the address of a server that answers few starts in a second
     */
    public static void main(String... arguments) throws InterruptedException {
        OpenAIClient client = client(arguments[0], arguments[1]);
        Scenarios scenarios = new Scenarios();
        new ChatScenarios(client).addTo(scenarios);
        new ResponseScenarios(client).addTo(scenarios);
        new ErrorScenarios(client, client(arguments[0], "wrong"), client(arguments[2], arguments[1])).addTo(scenarios);
        scenarios.run();
    }

    private static OpenAIClient client(String address, String key) {
        return OpenAIOkHttpClient.builder()
                .baseUrl(address + "/v1")
                .apiKey(key)
                .maxRetries(0)
                .responseValidation(true)
                .build();
    }
}
