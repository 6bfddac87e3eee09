package dev.chargehand.examples.start;

import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.server.ChargehandServer;
import java.nio.file.Path;

/** The agents and the workflow over HTTP, at port 4111 or another one. */
public final class Serve {

    private Serve() {}

    public static void main(String[] arguments) throws InterruptedException {
        int port = arguments.length == 0 ? 4111 : Integer.parseInt(arguments[0]);
        try (AgentRuntime runtime = AgentRuntime.builder()
                        .store(JdbcStore.sqlite(Path.of("served.db")))
                        .agents(Weather.agent(), Booking.agent())
                        .workflows(Ordering.workflow())
                        .wakeups(Wakeups.all())
                        .anyoneMayApprove()
                        .build();
                ChargehandServer server =
                        ChargehandServer.builder(runtime).port(port).start()) {
            System.out.println("Listening on " + server.uri());
            Thread.currentThread().join();
        }
    }
}
