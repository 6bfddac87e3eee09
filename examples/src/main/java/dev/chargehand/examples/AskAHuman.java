package dev.chargehand.examples;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/** A tool that needs a human's approval, answered days later in another process, and one that asks for data. */
public final class AskAHuman {

    private AskAHuman() {}

    record DeleteCustomer(String id) {}

    record Booking(String flight) {}

    record Question(String text) {}

    record Choice(int option) {}

    static Tool deleteCustomer(BiFunction<String, String, Object> database) {
        return Tool.builder("deleteCustomer", "Deletes a customer for good.")
                .input(DeleteCustomer.class)
                .requiresApproval(in -> !in.id().startsWith("draft-"))
                .repeatable()
                .handler((in, context) -> database.apply(in.id(), context.idempotencyKey()))
                .build();
    }

    static Tool bookSeat() {
        return Tool.builder("bookSeat", "Books a seat.")
                .input(Booking.class)
                .suspends(Question.class, Choice.class)
                .handler((in, context) -> {
                    if (context.providedData().isEmpty()) {
                        return context.suspend(new Question("Window (1) or aisle (2)?"));
                    }
                    return "Booked option "
                            + context.providedData(Choice.class).orElseThrow().option();
                })
                .build();
    }

    static List<PendingApproval> begin(Agent supervisor, Path file) {
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(JdbcStore.sqlite(file))
                .agents(supervisor)
                .build()) {
            RunResult result = runtime.agent("supervisor")
                    .generate("Delete customer 42", o -> o.thread("t1").resource("user-7"));
            return result.pendingApprovals(); // agent path, tool, arguments, digest; empty if nothing waits
        }
    }

    /** Days later, perhaps in another process on the same store. */
    static RunResult answer(
            Agent supervisor, Path file, PendingApproval approval, String employee, Predicate<PendingApproval> agrees) {
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(JdbcStore.sqlite(file))
                .agents(supervisor)
                .approverCheck((waiting, approver) -> approver.id().endsWith("@example.com"))
                .build()) {
            Approver approver = Approver.of(employee);
            RunHandle run = agrees.test(approval)
                    ? runtime.approve(approval, approver)
                    : runtime.decline(approval, approver, "This customer has open invoices.");
            return run.result(); // the run has ended, or waits for another answer
        }
    }
}
