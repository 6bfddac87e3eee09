package dev.chargehand.server.internal.binding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.server.HttpBinding;
import dev.chargehand.server.internal.http.Exchange;
import dev.chargehand.server.internal.http.ExchangeHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What writes a response to a client that is gone gets the exception that the contract of an exchange names, whatever the binding. */
class LostClientTest {

    private static final ListenOptions OPTIONS =
            new ListenOptions("127.0.0.1", 0, Duration.ofSeconds(15), Duration.ofSeconds(1));

    private final CompletableFuture<Exception> failure = new CompletableFuture<>();

    @ParameterizedTest
    @EnumSource
    void aStreamFailsWithAnExceptionOfInputAndOutput(HttpBinding binding) throws Exception {
        Listener listener = listen(binding, this::streamWithoutEnd);
        try {
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
                client.getOutputStream()
                        .write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(client.getInputStream().read())
                        .as("the response has started")
                        .isEqualTo('H');
            }
            assertThat(failure.join()).isInstanceOf(IOException.class);
        } finally {
            listener.stop();
        }
    }

    private void streamWithoutEnd(Exchange exchange) throws IOException {
        try (OutputStream out = exchange.stream(200, Map.of("Content-Type", "text/event-stream"))) {
            while (true) {
                out.write(": hb\n\n".getBytes(StandardCharsets.US_ASCII));
                out.flush();
            }
        } catch (IOException | RuntimeException e) {
            failure.complete(e);
            throw e;
        }
    }

    private static Listener listen(HttpBinding binding, ExchangeHandler handler) {
        return switch (binding) {
            case HELIDON -> HelidonBinding.listen(OPTIONS, handler);
            case JDK -> JdkBinding.listen(OPTIONS, handler);
        };
    }
}
