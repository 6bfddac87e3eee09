package dev.chargehand.cli.shell;

import dev.chargehand.error.ConfigurationException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The prompt of a run: the argument, or standard input. */
public final class GivenPrompt {

    /** How many bytes of standard input a prompt may have. */
    private static final int MOST = 1_000_000;

    private static final String STDIN = "-";

    private GivenPrompt() {}

    /**
     * Return the prompt.
     *
     * @param argument the argument of the command; {@code -} for standard input; null if it was left out, which means
     *     standard input unless that is a terminal
     * @throws ConfigurationException if there is no prompt, or standard input is too long or no UTF-8
     */
    public static String of(Shell shell, @Nullable String argument) {
        boolean piped = argument == null && shell.terminal() == null;
        String prompt = piped || STDIN.equals(argument) ? read(shell) : argument;
        if (prompt == null || prompt.isBlank()) {
            throw new ConfigurationException("The prompt is empty. Say in quotes what the agent is to do, or pass it to"
                    + " standard input, with - in place of the prompt.");
        }
        return prompt;
    }

    private static String read(Shell shell) {
        try {
            byte[] bytes = shell.in().readNBytes(MOST + 1);
            if (bytes.length > MOST) {
                throw new ConfigurationException("Standard input has more than " + MOST
                        + " bytes, which is too long for a prompt; put it into a file that a tool of the agent reads.");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString()
                    .strip();
        } catch (CharacterCodingException e) {
            throw new ConfigurationException("Standard input is no UTF-8 text.", e);
        } catch (IOException e) {
            throw new ConfigurationException(
                    "Standard input cannot be read (" + e.getClass().getSimpleName() + ").", e);
        }
    }
}
