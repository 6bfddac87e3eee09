package dev.chargehand.examples.start;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;

/** An agent whose tool waits for a human: without an argument it starts a run, with the id of a run it approves its calls. */
public final class Booking {

    record Trip(String city) {}

    private Booking() {}

    static Agent agent() {
        Tool book = Tool.builder("book", "Books a trip.")
                .input(Trip.class)
                .requiresApproval()
                .handler((trip, context) -> "Booked: " + trip.city())
                .build();
        return Agent.builder("booking")
                .instructions("Book what the user wants.")
                .model("openai/gpt-5-mini")
                .tools(book)
                .build();
    }

    public static void main(String[] arguments) {
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(JdbcStore.sqlite(Path.of("runs.db")))
                .agents(agent())
                .anyoneMayApprove()
                .build()) {
            RunResult result = arguments.length == 0
                    ? runtime.agent("booking").generate("Book a trip to Oslo.")
                    : approved(runtime, new RunId(arguments[0]));
            for (PendingApproval call : result.pendingApprovals()) {
                System.out.println(
                        "waits: " + call.toolName() + " " + call.arguments().text());
            }
            System.out.println(result.runId() + " " + result.status() + " " + result.text());
        }
    }

    private static RunResult approved(AgentRuntime runtime, RunId runId) {
        for (PendingApproval call : runtime.handle(runId).pendingApprovals()) {
            System.out.println(
                    "approves " + call.toolName() + " " + call.arguments().text());
            runtime.approve(call, Approver.of("ann")).result();
        }
        return runtime.handle(runId).result();
    }
}
