package dev.chargehand.cli.live;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The screen of the process's own terminal. */
public final class SystemScreen {

    private static final Logger LOG = LoggerFactory.getLogger(SystemScreen.class);

    private SystemScreen() {}

    /** Opens it, if there is a terminal that can be painted on; its size is asked of the system, never of a program. */
    public static Optional<Screen> open(PrintWriter out) {
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
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> terminal.echo(true)));
            return Optional.of(new Screen(out, terminal::getWidth, terminal::getHeight, terminal::echo));
        } catch (IOException | IllegalStateException | LinkageError e) {
            LOG.debug("no terminal to paint on: {}", e.toString());
            return Optional.empty();
        }
    }
}
