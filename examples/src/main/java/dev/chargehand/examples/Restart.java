package dev.chargehand.examples;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.jdbc.JdbcStore;
import java.nio.file.Path;
import java.util.List;

/** Runs and conversations that last: a SQLite file, a thread, and what a crash left behind. */
public final class Restart {

    private Restart() {}

    static RunResult answer(Agent supervisor, Path file, String question) {
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(JdbcStore.sqlite(file))
                .agents(supervisor)
                .build()) {
            return runtime.agent("supervisor")
                    .generate(question, o -> o.thread("t1").resource("user-7"));
        }
    }

    static List<RunResult> afterACrash(Agent supervisor, Path file) {
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(JdbcStore.sqlite(file))
                .agents(supervisor)
                .build()) {
            return runtime.recover().await(); // what was running goes on from its last stored fact
        }
    }
}
