package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.provider.Exchange;
import dev.chargehand.testkit.provider.Side;
import dev.chargehand.testkit.provider.reply.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** {@code chargehand chat} on a terminal, whose keys arrive as bytes. */
class ChatTerminalTest extends WithProvider {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String CTRL_C = "\u0003";
    private static final String CTRL_D = "\u0004";
    private static final String ALT_ENTER = "\u001b\r";
    private static final String UP = "\u001bOA";

    @AutoClose
    private final Seat seat = new Seat(100);

    @BeforeEach
    void agents() throws IOException {
        Files.writeString(folder.resolve("chargehand.yaml"), """
                model: openai/talker
                default: boss
                agents:
                  boss: { instructions: Talk. }
                  finder: { description: Finds passages., tools: [search-files: { approval: true }] }
                """);
        Files.createDirectory(folder.resolve("docs"));
        Files.writeString(folder.resolve("docs/boats.md"), "A boat floats.\n");
    }

    private Seat chat(String... options) {
        return chat(Map.of("NO_COLOR", "1"), options);
    }

    private Seat chat(Map<String, String> more, String... options) {
        Map<String, String> environment = new HashMap<>(more);
        environment.putAll(environment());
        return seat.starts(folder, environment, behind(options, "chat")).awaitsPrompt();
    }

    @Test
    void turnsFollowEachOtherUntilCtrlDLeaves() {
        provider.enqueue(Reply.text("Hello ", "**Ann**"), Reply.text("Ann"));

        chat().types("I am Ann\r").awaits("Hello Ann").awaits("completed in ").awaitsPrompt();
        seat.types("Who am I?\r").awaits("completed in ").awaitsPrompt();
        seat.types(CTRL_D);

        assertThat(seat.leaves()).isZero();
        assertThat(heard(1)).containsExactly("I am Ann", "Hello **Ann**", "Who am I?");
        assertThat(seat.screen())
                .contains("/help lists the commands", "Continue later with: chargehand chat --thread chat_");
        assertThat(seat.err()).isEmpty();
    }

    @Test
    @DisabledOnOs(OS.WINDOWS) // it has no such terminals
    void ctrlDDuringATurnLeavesAfterIt() throws IOException {
        CountDownLatch typed = new CountDownLatch(1);
        provider.enqueue(Reply.sse()
                .role()
                .text("Boats ")
                .hold(typed)
                .text("float.")
                .finish("stop")
                .done());

        try (Seat real = Seat.ofSystem(100)) {
            real.starts(folder, environment(), "chat").awaitsPrompt().types("Why?\r");
            real.awaits("Boats").types(CTRL_D);
            real.awaitsTaken();
            typed.countDown();

            assertThat(real.leaves()).isZero();
            assertThat(real.screen()).contains("Boats float.", "completed in ", "Continue later with: ");
        }
    }

    @Test
    void aRunThatIsCancelledElsewhereEndsItsQuestionAndTheChatContinues() {
        provider.enqueue(
                Reply.toolCalls(Reply.call("c1", "search-files", "{\"query\":\"boat\"}")), Reply.text("Fine."));

        chat("--agent", "finder").types("Why?\r").awaits("Execute it?").awaitsPrompt();
        assertThat(Ran.in(folder, "cancel", "last").exitCode()).isZero();
        seat.awaits("the run was cancelled elsewhere while it waited for this answer.")
                .awaits("aborted in ")
                .awaitsPrompt()
                .types("Hello\r");
        seat.awaits("Fine.").awaits("completed in ").awaitsPrompt().types(CTRL_D);

        assertThat(seat.leaves()).isZero();
    }

    @Test
    void aMessageCanHaveSeveralLines() {
        provider.always(Reply.text("Yes."));

        chat().types("One\\\rtwo" + ALT_ENTER + "three\r")
                .awaits("completed in ")
                .awaitsPrompt();
        seat.types("\u001b[200~pasted\rfor i in a; do \\\r  echo\u001b[201~\r").awaits("completed in ");
        seat.awaitsPrompt().types("/exit\r");

        assertThat(seat.leaves()).isZero();
        assertThat(heard(0)).containsExactly("One\ntwo\nthree");
        assertThat(heard(1)).endsWith("pasted\nfor i in a; do \\\n  echo");
    }

    @Test
    void whatIsTypedDuringATurnIsTheNextMessage() {
        provider.enqueue(Reply.text("One."), Reply.text("Two."));

        chat().types("First\rSecond\r")
                .awaits("One.")
                .awaits("completed in ")
                .awaits("Two.")
                .awaits("completed in ");
        seat.awaitsPrompt().types(CTRL_D);

        assertThat(seat.leaves()).isZero();
        assertThat(heard(1)).endsWith("Second");
    }

    @Test
    void ctrlCThrowsAwayWhatWasTypedAndSaysHowToLeave() {
        provider.always(Reply.text("Yes."));

        chat().types("Nonsense").awaits("Nonsense").types(CTRL_C).awaitsPrompt();
        seat.types(CTRL_C).awaits("Ctrl-D or /exit leaves.").awaitsPrompt();
        seat.types("Sense\r").awaits("completed in ").awaitsPrompt().types(CTRL_D);

        assertThat(seat.leaves()).isZero();
        assertThat(heard(0)).containsExactly("Sense");
    }

    @Test
    void ctrlCInterruptsATurnAndTheNextOneWorks() throws Exception {
        provider.enqueue(Reply.silence(), Reply.text("Here I am."));

        chat("--thread", "t1").types("Wait\r");
        Exchange held = provider.awaitRequests(1, PATIENCE).getFirst();
        seat.types(CTRL_C)
                .awaits("chargehand: The run was cancelled")
                .awaits("aborted in ")
                .awaitsPrompt();
        assertThat(provider.awaitClosed(held, PATIENCE)).isEqualTo(Side.CLIENT);
        seat.types("Again\r")
                .awaits("Here I am.")
                .awaits("completed in ")
                .awaitsPrompt()
                .types(CTRL_D);

        assertThat(seat.leaves()).isZero();
        assertThat(heard(1)).containsExactly("Wait", "Again");
        try (Store store = JdbcStore.sqlite(folder.resolve(".chargehand/chargehand.db"))) {
            assertThat(store.list(RunFilter.ROOTS))
                    .extracting(RunRecord::status)
                    .containsExactly(RunStatus.COMPLETED, RunStatus.ABORTED);
            assertThat(store.findThread("t1").orElseThrow().length()).isEqualTo(3);
        }
    }

    @Test
    void whatWasSaidBeforeAnInterruptStaysOnTheScreen() throws Exception {
        provider.enqueue(Reply.sse().role().text("The boat floats be").stall(), Reply.text("Fine."));

        chat().types("Why?\r").awaits("The boat floats be").types(CTRL_C);
        seat.awaits("The boat floats be…").awaits("aborted in ").awaitsPrompt().types(CTRL_D);

        assertThat(seat.leaves()).isZero();
    }

    @Test
    void aRequestToTerminateLeavesAtThePromptAndDuringATurn() throws Exception {
        assertThat(chat().terminates().leaves()).isEqualTo(130);

        provider.enqueue(Reply.silence());
        try (Seat other = new Seat(100)) {
            other.starts(folder, environment(), "chat").awaitsPrompt().types("Wait\r");
            provider.awaitRequests(1, PATIENCE);
            assertThat(other.terminates().leaves()).isEqualTo(130);
            assertThat(other.screen()).contains("stopped before run run_", "Continue later with: ", "/resume");
        }
    }

    @Test
    void aWaitingCallIsAskedForAndWhatWasTypedBeforeIsNoAnswer() {
        provider.enqueue(
                Reply.toolCalls(Reply.call("c1", "search-files", "{\"query\":\"boat\"}")), Reply.text("It floats."));

        chat("--agent", "finder").types("Why?\ry\r").awaits("Execute it?").awaitsPrompt();
        seat.types("no\r").awaitsPrompt().awaits("Reason").types("Not today\r").awaits("tester declined search-files");
        seat.awaits("completed in ").awaitsPrompt().types(CTRL_D);

        assertThat(seat.leaves()).isZero();
        assertThat(heard(1).getLast()).contains("Not today");
        assertThat(folder.resolve(".chargehand/history"))
                .content()
                .contains("Why?")
                .doesNotContain("no", "Not today");
    }

    @Test
    void ctrlCAtAQuestionLeavesTheCallWaitingAndResumeAsksAgain() {
        provider.enqueue(
                Reply.toolCalls(Reply.call("c1", "search-files", "{\"query\":\"boat\"}")), Reply.text("It floats."));

        chat("--agent", "finder")
                .types("Why?\r")
                .awaits("Execute it?")
                .awaitsPrompt()
                .types(CTRL_C);
        seat.awaits("You can continue meanwhile; /resume asks again.")
                .awaitsPrompt()
                .types("/resume\r");
        seat.awaits("Execute it?").awaitsPrompt().types("y\r");
        seat.awaits("It floats.").awaits("completed in ").awaitsPrompt().types(CTRL_D);

        assertThat(seat.leaves()).isZero();
        assertThat(seat.err()).contains("waits for approval of search-files", "chargehand approve run_");
    }

    @Test
    void whatWasTypedIsRememberedInTheNextChatByItsUserOnly() throws Exception {
        provider.always(Reply.text("Yes."));
        chat().types("One\\\rmore\r")
                .awaits("completed in ")
                .awaitsPrompt()
                .types(" secret\r")
                .awaits("completed in ");
        seat.awaitsPrompt().types(CTRL_D);
        assertThat(seat.leaves()).isZero();

        Path history = folder.resolve(".chargehand/history");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(history)))
                .isEqualTo("rw-------");
        assertThat(history)
                .content()
                .contains("One\\nmore")
                .doesNotContain("secret")
                .hasLineCount(1);

        try (Seat next = new Seat(100)) {
            next.starts(folder, environment(), "chat")
                    .awaitsPrompt()
                    .types(UP)
                    .awaits("more")
                    .types("\r");
            next.awaits("completed in ").awaitsPrompt().types(CTRL_D);
            assertThat(next.leaves()).isZero();
        }
        assertThat(heard(2)).containsExactly("One\nmore");
    }

    @Test
    void tabCompletesCommandsAndWhatTheyTake() {
        chat().types("/hel\t")
                .awaits("/help ")
                .types("\r")
                .awaits("list the threads")
                .awaitsPrompt();
        seat.types("/agent f\t")
                .awaits("finder")
                .types("\r")
                .awaits("finder answers from now on")
                .awaitsPrompt();
        seat.types("/exit\r");

        assertThat(seat.leaves()).isZero();
        assertThat(provider.requestCount()).isZero();
    }

    @Test
    void withoutColoursNothingIsColouredAndWithThemSomethingIs() {
        provider.always(Reply.text("**Yes.**"));
        chat().types("\u001b[200~One\u001b[201~\r").awaits("completed in ").awaitsPrompt();
        seat.types("/\t")
                .awaits("(list the threads)")
                .types(CTRL_C)
                .awaitsPrompt()
                .types(CTRL_D);
        assertThat(seat.leaves()).isZero();
        assertThat(seat.screen()).doesNotContainPattern("\u001b\\[[0-9;]*m");

        try (Seat coloured = new Seat(100)) {
            coloured.starts(folder, environment(), "chat")
                    .awaitsPrompt()
                    .types("One\r")
                    .awaits("completed in ");
            coloured.awaitsPrompt().types(CTRL_D);
            assertThat(coloured.leaves()).isZero();
            assertThat(coloured.screen()).containsPattern("\u001b\\[[0-9;]*m");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void whatOthersWroteIsShownAndNeverActedOn() {
        provider.enqueue(Reply.text("Red \u001b]0;owned\u0007 \u202e."));

        chat("--thread", "t1")
                .types("Hi\r")
                .awaits("\\u001b]0;owned\\u0007")
                .awaits("completed in ")
                .awaitsPrompt();
        seat.types("/history\r")
                .awaits("\\u001b]0;owned\\u0007 \\u202e")
                .awaitsPrompt()
                .types(CTRL_D);

        assertThat(seat.leaves()).isZero();
        assertThat(seat.screen()).doesNotContain("\u001b]0;owned", "\u202e");
    }
}
