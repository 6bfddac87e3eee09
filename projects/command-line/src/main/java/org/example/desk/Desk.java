package org.example.desk;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A command that checks and publishes drafts. The prompt is the arguments, or the first line of the standard input; {@code --recover}
 * continues what an earlier command left, because it was killed or because a call had no answer.
 */
public final class Desk {

    private final AgentRuntime runtime;
    private final Terminal terminal;

    private Desk(AgentRuntime runtime, Terminal terminal) {
        this.runtime = runtime;
        this.terminal = terminal;
    }

    public static void main(String[] arguments) throws IOException {
        boolean recover = arguments.length == 1 && arguments[0].equals("--recover");
        Terminal terminal = new Terminal(System.in, System.out);
        terminal.print(Editor.description());
        String prompt = arguments.length > 0 ? String.join(" ", arguments) : terminal.prompt();
        if (prompt.isBlank()) {
            System.err.println("Give a prompt, as arguments or on the standard input, or --recover.");
            System.exit(64);
        }
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(JdbcStore.sqlite(Path.of("desk.db")))
                .agents(Editor.agent())
                .addListener(terminal)
                .anyoneMayApprove() // who may use this terminal
                .build()) {
            Desk desk = new Desk(runtime, terminal);
            if (recover) {
                desk.recover();
            } else {
                desk.run(prompt);
            }
        }
    }

    private void run(String prompt) throws IOException {
        answer(runtime.agent("editor").generate(prompt).runId());
    }

    private void recover() throws IOException {
        int found = 0;
        for (RunResult interrupted : runtime.recover().await()) {
            found++;
            answer(interrupted.runId());
        }
        for (RunRecord waits : runtime.runs(RunFilter.ROOTS.statuses(RunStatus.SUSPENDED))) {
            found++;
            answer(waits.runId());
        }
        if (found == 0) {
            terminal.print("There is nothing to recover.");
        }
    }

    /** Asks for answers until the run waits for none. */
    private void answer(RunId run) throws IOException {
        for (PendingApproval call = next(run); call != null; call = next(run)) {
            Optional<ApprovalAnswer> answer = terminal.ask(call);
            if (answer.isEmpty()) {
                terminal.print("The call waits in desk.db; answer it with --recover.");
                return;
            }
            runtime.answer(call, answer.get(), options -> {}).result();
        }
    }

    private PendingApproval next(RunId run) {
        return runtime.handle(run).pendingApprovals().stream().findFirst().orElse(null);
    }
}
