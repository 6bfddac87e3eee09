package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.cli.shell.Shell;
import dev.chargehand.cli.shell.Signals;
import dev.chargehand.cli.shell.Terminal;
import dev.chargehand.run.RunStatus;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Ctrl-C and a request to terminate at a question, and while nothing runs. */
class QuestionSignalsTest extends StoredRunsFixture {

    private final List<Integer> codes = new ArrayList<>();
    private final Signals signals = Signals.none(codes::add);
    private final StringWriter err = new StringWriter();

    /** Runs a command; at its first question a signal comes, which ends the process of a real command. */
    private void run(Consumer<Signals> signal, String... arguments) {
        StringWriter out = new StringWriter() {
            @Override
            public void flush() {
                if (toString().endsWith("> ") && codes.isEmpty()) {
                    signal.accept(signals);
                    err.append("ended here");
                }
            }
        };
        PrintWriter screen = new PrintWriter(out);
        Shell shell = new Shell(
                InputStream.nullInputStream(),
                screen,
                new PrintWriter(err),
                name -> null,
                folder,
                signals,
                new Terminal(InputStream.nullInputStream(), StandardCharsets.UTF_8, screen),
                "tester");
        Main.commandLine(shell).execute(arguments);
    }

    private String said() {
        return err.toString().substring(0, err.toString().indexOf("ended here"));
    }

    @Test
    void ctrlCAtAQuestionLeavesTheCallWaitingAndSaysHowToAnswerIt() {
        run(Signals::interrupt, "run", QUESTION);

        assertThat(codes).containsExactly(4);
        String id = newest().runId().value();
        assertThat(said())
                .contains("run " + id)
                .contains("waits for approval of search-files by boss/finder, call call_")
                .contains("  chargehand approve " + id);
        assertThat(newest().status()).isEqualTo(RunStatus.SUSPENDED);
    }

    @Test
    void aRequestToTerminateAtAQuestionDoesTheSameAndExitsWith143() {
        run(Signals::end, "run", QUESTION);

        assertThat(codes).containsExactly(143);
        assertThat(said()).contains("  chargehand approve " + newest().runId().value());
    }

    @Test
    void ctrlCAtTheQuestionOfApproveSaysHowToAnswerIt() {
        String id = waiting();

        run(Signals::interrupt, "approve", id);

        assertThat(codes).containsExactly(4);
        assertThat(said()).contains("  chargehand approve " + id);
        assertThat(newest().status()).isEqualTo(RunStatus.SUSPENDED);
    }

    @Test
    void aStoreThatFailsMeanwhileDoesNotKeepTheProcess() {
        Runnable fails = () -> {
            throw new IllegalStateException("locked");
        };

        assertThatThrownBy(() -> signals.asks(fails, () -> {
                    signals.end();
                    return "";
                }))
                .hasMessage("locked");
        assertThat(codes).containsExactly(143);
    }

    @Test
    void whileNothingRunsTheExitCodeNamesTheSignal() {
        signals.interrupt();
        signals.end();

        assertThat(codes).containsExactly(130, 143);
    }
}
