package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.cli.shell.Shell;
import dev.chargehand.cli.shell.Signals;
import dev.chargehand.cli.shell.Terminal;
import dev.chargehand.run.RunStatus;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A terminal asks about a call, and another command cancels its run or answers the call before anything is typed. */
class AnsweredElsewhereTest extends StoredRunsFixture {

    @AutoClose
    private final PipedOutputStream keys = new PipedOutputStream();

    /** What both outputs have, in its order. */
    private final StringWriter all = new StringWriter();

    private PipedInputStream in = new PipedInputStream();

    @BeforeEach
    void connect() throws IOException {
        in = new PipedInputStream(keys);
    }

    /** Runs a command at whose first question something happens, and at which no key is pressed. */
    private int run(Runnable atTheQuestion, String... arguments) {
        PrintWriter screen = new PrintWriter(new StringWriter() {
            private boolean asked;

            @Override
            public void write(String text, int from, int length) {
                all.write(text, from, length);
            }

            @Override
            public void write(String text) {
                all.write(text);
            }

            @Override
            public void flush() {
                if (!asked && all.toString().endsWith("> ")) {
                    asked = true;
                    atTheQuestion.run();
                }
            }
        });
        Shell shell = new Shell(
                in,
                screen,
                new PrintWriter(all),
                name -> null,
                folder,
                Signals.none(),
                new Terminal(in, StandardCharsets.UTF_8, screen),
                "tester");
        return Main.commandLine(shell).execute(arguments);
    }

    private String behindTheQuestion() {
        return all.toString().substring(all.toString().indexOf("Execute it?"));
    }

    @Test
    void aCancelledRunEndsTheQuestionAndIsShownBehindIt() {
        int code = run(() -> assertThat(run("cancel", "last").exitCode()).isZero(), "run", QUESTION);

        assertThat(code).isEqualTo(130);
        assertThat(newest().status()).isEqualTo(RunStatus.ABORTED);
        assertThat(behindTheQuestion().lines())
                .element(1)
                .isEqualTo("chargehand: the run was cancelled elsewhere while it waited for this answer.");
        assertThat(behindTheQuestion().lines().filter(line -> line.startsWith("aborted in ")))
                .hasSize(1);
    }

    @Test
    void aCancelledRunEndsTheQuestionOfApprove() {
        waiting();

        int code = run(() -> assertThat(run("cancel", "last").exitCode()).isZero(), "approve", "last");

        assertThat(code).isEqualTo(130);
        assertThat(behindTheQuestion()).contains("cancelled elsewhere");
    }

    @Test
    void aCallThatIsApprovedElsewhereEndsTheQuestionAndTheAnswerIsShown() {
        int code = run(() -> assertThat(run("approve", "last").exitCode()).isZero(), "run", QUESTION);

        assertThat(code).isZero();
        assertThat(behindTheQuestion())
                .contains("> \nchargehand: the call does not wait any more: it was answered elsewhere")
                .contains("A boat floats because it is lighter")
                .contains("completed in ");
    }
}
