package dev.chargehand.examples;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.error.RunNotEndedException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

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

    static String briefly(AgentRuntime runtime, RunId runId) {
        try {
            return runtime.handle(runId).result(Duration.ofSeconds(20)).text();
        } catch (RunNotEndedException e) { // the run continues
            return "Not ready yet. Ask again for " + runId;
        }
    }

    static RunResult later(AgentRuntime runtime, Consumer<RunId> log) {
        RunHandle run = runtime.agent("supervisor").start("Write the report.");
        log.accept(run.runId());
        return runtime.handle(run.runId()).result(); // in this process, or in another one on the same store
    }

    static RunId accepted(AgentRuntime runtime, String prompt, String requestId) {
        Agent supervisor = runtime.agent("supervisor");
        return runtime.submit(supervisor, List.of(Message.user(prompt)), o -> o.idempotencyKey(requestId));
    }

    static RunResult otherwise(AgentRuntime runtime, RunId runId) {
        RunHandle shorter = runtime.fork(runId, 2, fork -> fork.addMessage("Leave the history out.")
                .model("openai/gpt-5-mini")
                .options(o -> o.maxSteps(12)));
        return shorter.result(); // its steps 1 and 2 are those of the old run, and nothing of them was done again
    }
}
