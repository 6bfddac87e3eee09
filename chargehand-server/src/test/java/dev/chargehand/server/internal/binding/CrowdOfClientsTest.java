package dev.chargehand.server.internal.binding;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.chargehand.server.internal.http.Exchange;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Clients that connect before the server accepts any of them are all answered. If more of them connect than the system queues, Linux
 * resets connections whose request arrives in more than one segment, which no handler and no log of the server sees.
 */
class CrowdOfClientsTest {

    private static final ListenOptions OPTIONS =
            new ListenOptions("127.0.0.1", 0, Duration.ofSeconds(15), Duration.ofSeconds(1));
    private static final int CLIENTS = 100;
    private static final int HUNG = 60_000;

    @Test
    void allClientsThatConnectAtOnceAreAnswered() throws Exception {
        HttpServer server = JdkBinding.bind(OPTIONS);
        List<Socket> clients = new ArrayList<>();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(connected(server.getAddress().getPort(), text(i)));
            }
            Listener listener = JdkBinding.start(server, OPTIONS, CrowdOfClientsTest::echo);
            try {
                for (int i = 0; i < CLIENTS; i++) {
                    assertThat(answer(clients.get(i), text(i)))
                            .as("answer to client %s", i)
                            .startsWith("HTTP/1.1 200")
                            .endsWith(text(i));
                }
            } finally {
                listener.stop();
            }
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    private static void echo(Exchange exchange) throws IOException {
        exchange.send(200, Map.of(), exchange.body().readAllBytes());
    }

    private static String text(int client) {
        return "client-%03d".formatted(client);
    }

    /** Send headers and body as many clients do, one after the other. */
    private static Socket connected(int port, String text) throws IOException {
        Socket socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(HUNG);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), HUNG);
        OutputStream out = socket.getOutputStream();
        out.write(("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: " + text.length() + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String answer(Socket socket, String text) throws IOException {
        StringBuilder answer = new StringBuilder();
        int next = socket.getInputStream().read();
        while (next >= 0) {
            answer.append((char) next);
            next = answer.toString().endsWith(text)
                    ? -1
                    : socket.getInputStream().read();
        }
        return answer.toString();
    }
}
