package dev.chargehand.testkit.provider;

import static dev.chargehand.testkit.provider.WireClient.SOON;
import static dev.chargehand.testkit.provider.WireClient.ask;
import static dev.chargehand.testkit.provider.WireClient.data;
import static dev.chargehand.testkit.provider.WireClient.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.testkit.provider.reply.Reply;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Sizes and numbers, without limits of time: the figures are the benchmark's. */
class LoopbackLoadTest {

    @Test
    void aThousandRequestsAreHeldAtOnceAndEachGetsItsOwnAnswer() throws Exception {
        int clients = 1000;
        CountDownLatch open = new CountDownLatch(1);
        try (LoopbackProvider provider = LoopbackProvider.start(ProviderOptions.DEFAULT.forLoad());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            provider.fallback(request -> Reply.sse().hold(open).text("for " + request.model()));
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                String model = "m" + i;
                answers.add(threads.submit(() -> {
                    try (WireClient client = new WireClient(provider).post(ask(model))) {
                        client.head();
                        return client.textChunk();
                    }
                }));
            }
            provider.awaitRequests(clients, SOON);
            assertThat(provider.inFlight()).isEqualTo(clients);
            open.countDown();
            for (int i = 0; i < clients; i++) {
                assertThat(answers.get(i).get()).contains("\"for m" + i + "\"");
            }
            assertThat(provider.peakInFlight()).isEqualTo(clients);
            assertThat(provider.log()).isEmpty();
            provider.verify();
        }
    }

    @Test
    void fiftyMegabytesAreSentFromOneDelta() throws Exception {
        try (LoopbackProvider provider = LoopbackProvider.start();
                WireClient client = new WireClient(provider)) {
            provider.enqueue(Reply.repeated("x".repeat(1 << 20), 50));
            client.post(ask("m")).head();
            long bytes = 0;
            for (byte[] chunk = client.chunk(); chunk.length > 0; chunk = client.chunk()) {
                bytes += chunk.length;
            }
            assertThat(bytes).isGreaterThan(50L << 20);
            Exchange exchange = provider.log().getFirst();
            assertThat(provider.awaitEnding(exchange, SOON)).isEqualTo(Ending.COMPLETE);
            assertThat(exchange.bytesWritten()).isGreaterThan(bytes);
        }
    }

    @Test
    void aHundredThousandDeltasAreOneReply() throws Exception {
        String[] deltas = new String[100_000];
        for (int i = 0; i < deltas.length; i++) {
            deltas[i] = "t" + i;
        }
        try (LoopbackProvider provider = LoopbackProvider.start()) {
            provider.enqueue(Reply.text(deltas), Reply.repeated("t", deltas.length));
            List<String> events = data(post(provider, ask("m")).body());
            assertThat(events).hasSize(100_003);
            assertThat(events.get(100_000)).contains("\"t99999\"");
            assertThat(data(post(provider, ask("m")).body())).hasSize(100_003);
        }
    }

    @Test
    void aMegabyteOfArgumentsComesInItsFragments() throws Exception {
        String arguments = "{\"text\":\"" + "é".repeat(1 << 20) + "\"}";
        try (LoopbackProvider provider = LoopbackProvider.start()) {
            provider.enqueue(Reply.toolCalls(Reply.call("c", "f", arguments)).fragment(64));
            List<String> events = data(post(provider, ask("m")).body());
            assertThat(events).hasSize(16_385 + 4);
            assertThat(events.get(2)).contains("{\"arguments\":\"{\\\"text\\\":\\\"" + "é".repeat(55) + "\"}");
        }
    }

    @Test
    void theEchoRunsInAProcessOfItsOwnAndDiesWithItsParent() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        LoopbackProviderMain.class.getName(),
                        "--deltas",
                        "2",
                        "--delay-ms",
                        "1")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            int port = Integer.parseInt(output.readLine());
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + port + "/v1/chat/completions"))
                    .POST(HttpRequest.BodyPublishers.ofString(ask("m").replace("\"hi\"", "\"marker-42\"")))
                    .build();
            try (HttpClient client = HttpClient.newHttpClient()) {
                String body = client.send(request, HttpResponse.BodyHandlers.ofString())
                        .body();
                assertThat(body).contains("\"mark\"").contains("\"er-42\"").contains("[DONE]");
            }
            process.getOutputStream().close();
            assertThat(process.waitFor()).isZero();
        } finally {
            process.destroy();
        }
    }
}
