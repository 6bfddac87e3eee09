package dev.chargehand.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jline.utils.AttributedString;
import org.junit.jupiter.api.Test;

/** What stays on a terminal, and what is painted over. */
class ScreenTest {

    private static List<AttributedString> lines(String... lines) {
        return Arrays.stream(lines).map(AttributedString::new).toList();
    }

    @Test
    void whatStaysIsAboveWhatIsPaintedAndPaintedOver() {
        Emulated terminal = new Emulated(40, 10);
        Screen screen = terminal.screen();
        screen.paint(lines("first"), lines("a works", "b works", "total"));
        assertThat(terminal.shown()).containsExactly("first", "a works", "b works", "total");
        screen.paint(lines("second"), lines("a works", "total"));
        assertThat(terminal.shown()).containsExactly("first", "second", "a works", "total");
        screen.paint(List.of(), lines("c", "total"));
        assertThat(terminal.shown()).containsExactly("first", "second", "c", "total");
        screen.paint(lines("third"), List.of());
        assertThat(terminal.shown()).containsExactly("first", "second", "third");
    }

    @Test
    void nothingThatStayedIsLostWhenTheTerminalScrolls() {
        Emulated terminal = new Emulated(20, 6);
        Screen screen = terminal.screen();
        for (int i = 1; i <= 20; i++) {
            screen.paint(lines("line " + i), lines("at work", "total"));
        }
        assertThat(terminal.shown()).containsExactly("line 17", "line 18", "line 19", "line 20", "at work", "total");
    }

    @Test
    void aLongLineIsBrokenByTheTerminalAndNothingOfItIsPaintedOver() {
        Emulated terminal = new Emulated(10, 8);
        Screen screen = terminal.screen();
        screen.paint(lines("0123456789abcde"), lines("work"));
        screen.paint(lines("next"), lines("work"));
        assertThat(terminal.shown()).containsExactly("0123456789", "abcde", "next", "work");
    }

    @Test
    void whatIsNoNewsIsNotPaintedAgain() {
        StringWriter out = new StringWriter();
        Screen screen = new Screen(new PrintWriter(out), () -> 80, () -> 24, echo -> {});
        screen.paint(List.of(), lines("work"));
        int length = out.toString().length();
        screen.paint(List.of(), lines("work"));
        assertThat(out.toString()).hasSize(length);
    }

    @Test
    void linesThatANarrowerWindowHasBrokenAreLeftBehindByNobody() {
        StringWriter out = new StringWriter();
        AtomicInteger columns = new AtomicInteger(80);
        Screen screen = new Screen(new PrintWriter(out), columns::get, () -> 24, echo -> {});
        screen.paint(List.of(), lines("x".repeat(70), "total"));
        columns.set(40);
        screen.paint(List.of(), lines("short", "total"));
        assertThat(out.toString()).contains("\u001b[2A"); // two rows of the first line, one of the second
    }

    @Test
    void aTerminalThatIsNarrowerThanAllLinesIsPaintedOverToo() {
        Emulated terminal = new Emulated(10, 12);
        Screen screen = terminal.screen();
        screen.paint(lines("first"), lines("boss works on it", "total"));
        screen.paint(List.of(), lines("boss waits for it", "total"));
        screen.paint(lines("last"), lines("boss", "total"));
        assertThat(terminal.shown()).containsExactly("first", "last", "boss", "total");
    }

    @Test
    void whatIsTypedIsNotShownWhileSomethingIsPainted() {
        Emulated terminal = new Emulated(40, 10);
        Screen screen = terminal.screen();
        screen.paint(lines("first"), List.of());
        screen.paint(List.of(), lines("work"));
        screen.paint(List.of(), lines("more"));
        screen.paint(lines("last"), List.of());
        assertThat(terminal.echo()).containsExactly(false, true);
    }
}
