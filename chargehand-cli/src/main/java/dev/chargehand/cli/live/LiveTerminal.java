package dev.chargehand.cli.live;

import java.io.IOError;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.jline.terminal.Attributes;
import org.jline.terminal.Attributes.ControlChar;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.TerminalBuilder;
import org.jline.terminal.spi.SystemStream;
import org.jline.terminal.spi.TerminalExt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A terminal that can be painted on, and at which lines can be edited. Used by one thread at a time. */
public final class LiveTerminal {

    private static final Logger LOG = LoggerFactory.getLogger(LiveTerminal.class);

    /** What a terminal has in place of a character that has no effect; macOS has another one. */
    private static final int NO_CHARACTER = System.getProperty("os.name", "").startsWith("Mac") ? 0xff : 0;

    private final Terminal terminal;
    private final Screen screen;
    private final boolean showsErrors;

    /** Make one of a terminal that is open; {@code out} writes to it. */
    public LiveTerminal(Terminal terminal, PrintWriter out) {
        this(terminal, out, true);
    }

    private LiveTerminal(Terminal terminal, PrintWriter out, boolean showsErrors) {
        this.showsErrors = showsErrors;
        this.terminal = terminal;
        this.screen = new Screen(out, () -> size(terminal::getWidth), () -> size(terminal::getHeight), this::echo);
    }

    /** Return a size; 0 of a terminal that was closed. */
    private static int size(IntSupplier asked) {
        try {
            return asked.getAsInt();
        } catch (IOError e) {
            LOG.debug("the terminal has no size any more: {}", e.toString());
            return 0;
        }
    }

    private void echo(boolean shown) {
        try {
            terminal.echo(shown);
        } catch (IOError e) {
            LOG.debug("the terminal has no settings any more: {}", e.toString());
        }
    }

    /** Open that of the process, if it has one; its size comes from the operating system, never from a program. */
    public static Optional<LiveTerminal> ofProcess(PrintWriter out) {
        try {
            Terminal terminal = TerminalBuilder.builder()
                    .system(true)
                    .dumb(false)
                    .providers(TerminalBuilder.PROP_PROVIDER_JNI)
                    .nativeSignals(false)
                    .build();
            if (terminal.getType().startsWith(Terminal.TYPE_DUMB)) {
                return Optional.empty();
            }
            Attributes before = terminal.getAttributes();
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> terminal.setAttributes(before)));
            boolean errors = terminal instanceof TerminalExt extended
                    && extended.getProvider() != null
                    && extended.getProvider().isSystemStream(SystemStream.Error);
            return Optional.of(new LiveTerminal(terminal, out, errors));
        } catch (IOException | IllegalStateException | LinkageError e) {
            LOG.debug("no terminal to paint on: {}", e.toString());
            return Optional.empty();
        }
    }

    /** Return whether standard error is shown on it, too. */
    public boolean showsErrors() {
        return showsErrors;
    }

    /** Return what is painted on. */
    public Screen screen() {
        return screen;
    }

    /**
     * Start editing lines, which takes over Ctrl-C from its current handler. Ctrl-D is a key from now on, also while no
     * line is edited: the terminal would turn it into another character before the next line is edited.
     *
     * @param history where messages are remembered, or null for nowhere
     * @param choices the possible completions of a line that is a command
     * @param interrupted what Ctrl-C does while no line is edited
     * @param closed what happens when the terminal cannot be read any more
     */
    public LineEditor editor(
            Look look, @Nullable Path history, LineEditor.Choices choices, Runnable interrupted, Runnable closed) {
        terminal.handle(Signal.INT, signal -> interrupted.run());
        Attributes attributes = terminal.getAttributes();
        attributes.setControlChar(ControlChar.VEOF, NO_CHARACTER);
        terminal.setAttributes(attributes);
        return new LineEditor(terminal, screen, look, history, choices, closed);
    }
}
