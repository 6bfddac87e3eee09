package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.chargehand.AgentRuntime;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.store.InMemoryStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of the application, which call the routes of the server that sends them. */
class PagesOverHttpTest extends ServerFixture {

    private static final String HTML = "text/html; charset=utf-8";
    private static final byte[] SHOP = "<!doctype html><title>Grüße</title>".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void aPageIsSentAsItIsAndNotInAFrameOfAnotherSite(HttpBinding binding) throws Exception {
        ChargehandServer server = serve(runtime(InMemoryStore.create()), builder -> builder.binding(binding)
                .addPage("/shop", HTML, SHOP)
                .addPage("/shop/a.css", "text/css", SHOP));
        HttpResponse<byte[]> page =
                client.send(request(server, "/shop").build(), HttpResponse.BodyHandlers.ofByteArray());
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).isEqualTo(SHOP);
        assertThat(page.headers().firstValue("Content-Type")).contains(HTML);
        assertThat(page.headers().firstValue("Content-Security-Policy")).contains("frame-ancestors 'none'");
        assertThat(page.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(client.send(request(server, "/shop/a.css").build(), HttpResponse.BodyHandlers.ofString())
                        .headers()
                        .firstValue("Content-Type"))
                .contains("text/css");
    }

    /** Read as bytes: a client of HTTP ignores a body that it does not expect, and reads it as the next response. */
    @ParameterizedTest
    @EnumSource
    void theHeadOfWhatAnyCallerMayReadOrOfAProblemIsSentWithoutABody(HttpBinding binding) throws Exception {
        ChargehandServer server = serve(runtime(InMemoryStore.create()), builder -> builder.binding(binding)
                .addPage("/shop", HTML, SHOP));
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.uri().getPort())) {
            OutputStream out = socket.getOutputStream();
            for (String request : List.of("HEAD /shop", "HEAD /healthz", "HEAD /api/v1/agents", "GET /healthz")) {
                out.write((request + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            }
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            assertThat(head(in))
                    .startsWith("HTTP/1.1 200 OK")
                    .contains("content-length: " + SHOP.length, "content-type: " + HTML);
            assertThat(head(in))
                    .startsWith("HTTP/1.1 200 OK")
                    .contains("content-length: " + "{\"status\":\"ok\"}".length(), "content-type: application/json");
            assertThat(head(in)).startsWith("HTTP/1.1 405 Method Not Allowed").contains("allow: GET");
            assertThat(head(in)).startsWith("HTTP/1.1 200 OK");
        }
    }

    /** Reads the head of a response; names of headers in lower case. */
    private static List<String> head(BufferedReader in) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            int colon = line.indexOf(": ");
            lines.add(colon < 0 ? line : line.substring(0, colon).toLowerCase(Locale.ROOT) + line.substring(colon));
        }
        return lines;
    }

    @Test
    void aPageNeedsNoSignInAndHasTheSameRulesForHostsAndMethodsAsRoutes() throws Exception {
        ChargehandServer server = serve(runtime(InMemoryStore.create()), builder -> builder.binding(HttpBinding.JDK)
                .addPrincipals(ApiKeys.of(folder.resolve("keys.json")))
                .addPage("/shop", HTML, SHOP));
        assertThat(exchange(request(server, "/shop")).statusCode()).isEqualTo(200);
        assertThat(exchange(request(server, "/api/v1/agents")).statusCode()).isEqualTo(401);
        assertThat(at(exchange(request(server, "/shop").header("Origin", "http://evil.example")), "/code"))
                .isEqualTo("bad-origin");
        assertThat(at(exchange(request(server, "/shop").DELETE()), "/code")).isEqualTo("method-not-allowed");
        assertThat(exchange(request(server, "/shop").DELETE()).headers().firstValue("Allow"))
                .contains("GET, HEAD");
        assertThat(at(exchange(request(server, "/shop/other")), "/code")).isEqualTo("route-unknown");
    }

    @Test
    void theDescriptionsOfTheServerDoNotListPages() throws Exception {
        ChargehandServer server = serve(runtime(InMemoryStore.create()), builder -> builder.binding(HttpBinding.JDK)
                .addPage("/shop", HTML, SHOP));
        assertThat(get(server, "/api/v1/info").body()).doesNotContain("/shop");
        assertThat(exchange(request(server, "/openapi.json")).body()).doesNotContain("/shop");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/healthz",
                "/api/v1/agents",
                "/api/v1/agents/writer",
                "/api/v1/agents/writer/page",
                "/v1",
                "/shop"
            })
    void aPageTakesNoPathOfTheServerOrOfAnotherPage(String path) {
        AgentRuntime runtime = runtime(InMemoryStore.create());
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> ChargehandServer.builder(runtime)
                        .port(0)
                        .addPage("/shop", HTML, SHOP)
                        .addPage(path, HTML, SHOP)
                        .start())
                .withMessageContaining("'" + path + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "shop", "/shop/", "/../x", "/a//b", "/{id}", "/a?b", "/ä"})
    void aPathIsPlain(String path) {
        ServerBuilder builder = ChargehandServer.builder(runtime(InMemoryStore.create()));
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> builder.addPage(path, HTML, SHOP))
                .withMessageContaining("'" + path + "'");
    }

    @Test
    void aMediaTypeIsOneOfHttp() {
        ServerBuilder builder = ChargehandServer.builder(runtime(InMemoryStore.create()));
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> builder.addPage("/shop", "html\r\nX-Evil: 1", SHOP))
                .withMessageContaining("text/html; charset=utf-8");
    }

    /** Send a request whose answer the description of the server does not have. */
    private HttpResponse<String> exchange(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
