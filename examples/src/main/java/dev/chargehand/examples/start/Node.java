package dev.chargehand.examples.start;

import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.server.ChargehandServer;
import dev.chargehand.store.Store;
import java.nio.file.Path;
import java.time.Duration;

/** One of several processes on one database. The arguments are its port, and how many seconds its second step takes. */
public final class Node {

    private Node() {}

    public static void main(String[] arguments) {
        if (arguments.length != 2) {
            System.err.println("Pass a port and the seconds that the second step takes, such as: 8080 5");
            System.exit(64);
        }
        Duration delay = Duration.ofSeconds(Integer.parseInt(arguments[1]));
        AgentRuntime runtime = AgentRuntime.builder()
                .store(store())
                .workflows(Report.workflow(delay))
                .wakeups(Wakeups.all()) // continues runs that other processes have left
                .closeGrace(Duration.ofSeconds(2)) // for calls in flight
                .build();
        ChargehandServer server = ChargehandServer.builder(runtime)
                .port(Integer.parseInt(arguments[0]))
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.close(); // starts nothing more, and ends the streams
            runtime.close(); // releases the runs
        }));
        System.out.println("Listening on " + server.uri());
    }

    private static Store store() {
        String url = System.getenv("DATABASE_URL"); // such as jdbc:postgresql://host/database
        return url == null
                ? JdbcStore.sqlite(Path.of("nodes.db"))
                : JdbcStore.postgres(url, System.getenv("DATABASE_USER"), System.getenv("DATABASE_PASSWORD"));
    }
}
