package dev.chargehand.examples.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.server.ApiKey;
import dev.chargehand.server.ApiKeys;
import dev.chargehand.server.ChargehandServer;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A key that a program adds, for a caller of a tenant. */
class KeysTest {

    @TempDir
    Path folder;

    private static String added(ApiKeys keys) {
        Principal shop = new Principal("shop", "acme", Optional.of("ann"), Set.of(Scope.AGENTS_READ, Scope.RUNS_WRITE));
        return keys.add(new ApiKey("shop", shop, Optional.empty())); // cannot be read again
    }

    private static int status(HttpClient client, ChargehandServer server, String key)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(server.uri().resolve("/api/v1/agents"))
                .header("Authorization", "Bearer " + key)
                .build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    @Test
    void aKeyOfTheFileIsAccepted() throws IOException, InterruptedException {
        Agent clerk = Agent.builder("clerk").model("openai/gpt-5-mini").build();
        ApiKeys keys = ApiKeys.of(folder.resolve("keys.json"));
        String key = added(keys);
        try (AgentRuntime runtime = AgentRuntime.builder().agents(clerk).build();
                ChargehandServer server = ChargehandServer.builder(runtime)
                        .port(0)
                        .addPrincipals(keys)
                        .start();
                HttpClient client = HttpClient.newHttpClient()) {
            assertThat(status(client, server, key)).isEqualTo(200);
            assertThat(status(client, server, key + "x")).isEqualTo(401);
        }
    }
}
