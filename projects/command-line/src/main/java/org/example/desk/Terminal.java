package org.example.desk;

import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunListener;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Prints the events of runs as they come, and asks the person at the terminal. */
final class Terminal implements RunListener {

    private final BufferedReader in;
    private final PrintStream out;

    Terminal(InputStream in, PrintStream out) {
        this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        this.out = out;
    }

    void print(String line) {
        out.println(line);
    }

    @Override
    public void onEvent(RunEvent event) {
        switch (event) {
            case RunEvent.RunResume resume -> out.println("continues " + resume.runId());
            case RunEvent.TextDelta delta -> out.print(delta.text());
            case RunEvent.TextEnd end -> out.println();
            case RunEvent.ToolCall call -> out.println("calls " + call.toolName() + " " + call.arguments());
            case RunEvent.Data data -> data.value().string().ifPresent(out::println);
            case RunEvent.ToolResult result -> out.println(result.toolName() + ": " + result.output());
            case RunEvent.ToolError error -> out.println(error.toolName() + " failed: " + error.message());
            case RunEvent.RunFinish finish -> out.println(finish.status() + ": " + finish.stopReason());
            default -> {}
        }
        out.flush();
    }

    /** Returns the first line of the input; empty if it has none. */
    String prompt() throws IOException {
        String line = in.readLine();
        return line == null ? "" : line;
    }

    /** Returns the answer of the person; empty if the input has ended. */
    Optional<ApprovalAnswer> ask(PendingApproval call) throws IOException {
        out.print(call.toolName() + " " + call.arguments().text() + "; y to approve, or a reason to decline: ");
        out.flush();
        String line = in.readLine();
        out.println();
        if (line == null) {
            return Optional.empty();
        }
        Approver approver = Approver.of(System.getProperty("user.name"));
        String reason = line.isBlank() ? "No reason was given." : line;
        return Optional.of(
                line.strip().equals("y") ? ApprovalAnswer.approve(approver) : ApprovalAnswer.decline(approver, reason));
    }
}
