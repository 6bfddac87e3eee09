package dev.chargehand.examples.server;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.server.ChargehandServer;
import java.nio.file.Path;

/** Serves a supervisor over HTTP until the process is stopped. */
public final class ServedAgents {

    private ServedAgents() {}

    /** Serve a supervisor; its runs are kept in {@code runs.db}. Set OPENAI_API_KEY. */
    public static void main(String[] arguments) throws InterruptedException {
        Agent writer = Agent.builder("writer")
                .description("Writes short, friendly texts.")
                .model("openai/gpt-5-mini")
                .build();
        serve(Agent.builder("supervisor")
                .instructions("Let writer write what the user wants, and check it before you answer.")
                .model("openai/gpt-5-mini")
                .agents(writer)
                .build());
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

    /** Serve a page that calls the routes of its server. */
    static ChargehandServer withPage(AgentRuntime runtime, byte[] page) {
        return ChargehandServer.builder(runtime)
                .addPage("/shop", "text/html; charset=utf-8", page)
                .start();
    }
}
