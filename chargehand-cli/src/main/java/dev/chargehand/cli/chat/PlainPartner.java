package dev.chargehand.cli.chat;

import dev.chargehand.cli.live.Typed;
import dev.chargehand.cli.shell.Questioner;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.cli.shell.Terminal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A program that writes a message in each line, or a user at a terminal without editing. */
final class PlainPartner implements ChatPartner {

    private static final String PROMPT = "> ";
    private static final String FURTHER = ">> ";

    private final Shell shell;
    private final @Nullable Terminal terminal;
    private final BufferedReader in;

    PlainPartner(Shell shell) {
        this.shell = shell;
        this.terminal = shell.terminal();
        this.in = new BufferedReader(new InputStreamReader(shell.in(), StandardCharsets.UTF_8));
    }

    @Override
    public Typed next() {
        Optional<String> line = line(PROMPT);
        if (line.isEmpty()) {
            return new Typed.Left();
        }
        StringBuilder message = new StringBuilder(line.get());
        while (!message.isEmpty() && message.charAt(message.length() - 1) == '\\') {
            message.setCharAt(message.length() - 1, '\n');
            message.append(line(FURTHER).orElse(""));
        }
        return new Typed.Message(message.toString());
    }

    private Optional<String> line(String prompt) {
        if (terminal != null) {
            return terminal.read(prompt);
        }
        try {
            return Optional.ofNullable(in.readLine());
        } catch (IOException e) {
            throw new UncheckedIOException("Standard input cannot be read.", e);
        }
    }

    @Override
    public void show(String text) {
        shell.note(text);
    }

    @Override
    public @Nullable Questioner asked() {
        return terminal;
    }

    @Override
    public String keys() {
        return "A line that ends with a backslash continues in the next one. A message that starts with a slash is written"
                + " with two.";
    }
}
