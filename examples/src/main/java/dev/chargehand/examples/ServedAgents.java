package dev.chargehand.examples;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.server.ChargehandServer;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;

/** Serves a supervisor over HTTP until the process is stopped. */
public final class ServedAgents {

    record Search(String query) {}

    private ServedAgents() {}

    /** Serve a supervisor; its runs are kept in {@code runs.db}. Set OPENAI_API_KEY. */
    public static void main(String[] arguments) throws InterruptedException {
        Tool searchWeb = Tool.of("searchWeb", "Searches the web.", Search.class, (in, context) -> "Nothing yet.");
        serve(FirstSupervisor.supervisor(searchWeb));
    }

    private static void serve(Agent supervisor) throws InterruptedException {
        AgentRuntime runtime = AgentRuntime.builder()
                .store(JdbcStore.sqlite(Path.of("runs.db")))
                .agents(supervisor)
                .wakeups(Wakeups.all())
                .anyoneMayApprove()
                .build();
        try (runtime;
                ChargehandServer server = ChargehandServer.builder(runtime).start()) {
            System.out.println("Listening on " + server.uri());
            Thread.currentThread().join();
        }
    }
}
