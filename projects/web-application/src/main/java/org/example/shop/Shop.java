package org.example.shop;

import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.server.ChargehandServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Objects;

/** A shop with an assistant: customers ask, and an employee approves its refunds. The optional argument is the port. */
public final class Shop {

    private Shop() {}

    public static void main(String[] arguments) throws Exception {
        int port = arguments.length == 0 ? 8080 : Integer.parseInt(arguments[0]);
        AgentRuntime runtime = AgentRuntime.builder()
                .store(JdbcStore.sqlite(Path.of("shop.db"))) // runs, conversations and waiting calls
                .agents(Assistant.agent())
                .wakeups(Wakeups.all()) // continues what an earlier process left
                .anyoneMayApprove() // in your application: approverCheck
                .build();
        ChargehandServer server = ChargehandServer.builder(runtime)
                .port(port)
                .addPage("/shop", "text/html; charset=utf-8", page())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.close(); // ends the streams; pages read on from the next process
            runtime.close(); // releases the runs; the next process continues them
        }));
        System.out.println(Assistant.description());
        System.out.println("Open " + server.uri() + "/shop, and press Ctrl-C to stop.");
    }

    private static byte[] page() throws IOException {
        try (InputStream page = Shop.class.getResourceAsStream("/shop.html")) {
            return Objects.requireNonNull(page, "shop.html is missing in the jar")
                    .readAllBytes();
        }
    }
}
