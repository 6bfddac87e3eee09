package dev.chargehand.cli.live;

import dev.chargehand.cli.shell.Questioner;
import java.io.IOError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jline.keymap.KeyMap;
import org.jline.reader.Candidate;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReader.Option;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.Reference;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.reader.impl.history.DefaultHistory;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.utils.AttributedString;
import org.jspecify.annotations.Nullable;

/**
 * Edits lines on a terminal: messages, which are remembered and may have several lines, and answers to questions, which
 * are not remembered. Used by one thread; {@link #stop} may be called by any.
 */
public final class LineEditor {

    private static final int MOST_REMEMBERED = 1_000;
    private static final int LONGEST_REMEMBERED = 10_000;
    private static final String LEAVES = "leave-or-delete";

    /** What the library would print of a history that cannot be read; held, or the setting is forgotten. */
    private static final Logger LIBRARY = Logger.getLogger("org.jline");

    private final Terminal terminal;
    private final Screen screen;
    private final String prompt;
    private final LineReader messages;
    private final LineReader questions;
    private final Runnable closed;
    private volatile boolean stopped;

    /** The possible completions of a line. */
    @FunctionalInterface
    public interface Choices {

        /** Return the possible completions of the last word. */
        List<Choice> after(List<String> words);
    }

    /**
     * One of them.
     *
     * @param word the completed word
     * @param says its meaning; empty for none
     */
    public record Choice(String word, String says) {}

    LineEditor(Terminal terminal, Screen screen, Look look, @Nullable Path history, Choices choices, Runnable closed) {
        this.closed = closed;
        LIBRARY.setLevel(Level.OFF);
        this.terminal = terminal;
        this.screen = screen;
        this.prompt = new AttributedString("> ", look.strong()).toAnsi(terminal);
        this.messages = reader(terminal, look)
                .history(new Remembered())
                .completer(
                        (reader, line, found) -> choices.after(line.words().subList(0, line.wordIndex() + 1)).stream()
                                .map(LineEditor::candidate)
                                .forEach(found::add))
                .variable(LineReader.HISTORY_SIZE, MOST_REMEMBERED)
                .variable(LineReader.HISTORY_FILE_SIZE, MOST_REMEMBERED)
                .build();
        if (history == null) {
            messages.getVariables().remove(LineReader.HISTORY_FILE);
        } else {
            messages.setVariable(LineReader.HISTORY_FILE, history);
        }
        messages.getWidgets().put(LineReader.ACCEPT_LINE, this::accept);
        // As the Enter key is sent while lines are edited, and as it was sent before.
        Objects.requireNonNull(messages.getKeyMaps().get(LineReader.MAIN))
                .bind(new Reference(LineReader.SELF_INSERT_UNMETA), KeyMap.alt('\r'), KeyMap.alt('\n'));
        this.questions = reader(terminal, look)
                .variable(LineReader.DISABLE_HISTORY, true)
                .variable(LineReader.DISABLE_COMPLETION, true)
                .build();
        for (LineReader reader : List.of(messages, questions)) {
            reader.getWidgets().put(LineReader.CALLBACK_INIT, this::begins);
            reader.getWidgets().put(LEAVES, () -> leaves(reader));
            Objects.requireNonNull(reader.getKeyMaps().get(LineReader.MAIN))
                    .bind(new Reference(LEAVES), KeyMap.ctrl('D'));
        }
    }

    private static LineReaderBuilder reader(Terminal terminal, Look look) {
        DefaultParser words = new DefaultParser();
        words.setQuoteChars(new char[0]);
        words.setEscapeChars(new char[0]);
        LineReaderBuilder builder = LineReaderBuilder.builder()
                .terminal(terminal)
                .appName("chargehand")
                .parser(words)
                .option(Option.DISABLE_EVENT_EXPANSION, true)
                .option(Option.INSERT_TAB, false)
                .variable(LineReader.SECONDARY_PROMPT_PATTERN, "  ")
                .variable(LineReader.BELL_STYLE, "none");
        return look.colour() ? builder : uncoloured(builder);
    }

    /** What is chosen among choices still stands out by being inverse. */
    private static LineReaderBuilder uncoloured(LineReaderBuilder builder) {
        return builder.highlighter(new Uncoloured())
                .variable(LineReader.COMPLETION_STYLE_STARTING, "fg:default")
                .variable(LineReader.COMPLETION_STYLE_DESCRIPTION, "fg:default");
    }

    private static Candidate candidate(Choice choice) {
        return new Candidate(
                choice.word(), choice.word(), null, choice.says().isEmpty() ? null : choice.says(), null, null, true);
    }

    /** Let the user type a message; text that was typed before counts. */
    public Typed read() {
        if (stopped) {
            return new Typed.Left();
        }
        try {
            String text = messages.readLine(prompt);
            // Ctrl-C that came with the Enter key was meant for the line.
            return Thread.interrupted() ? new Typed.Cleared(text.isEmpty()) : new Typed.Message(text);
        } catch (UserInterruptException e) {
            Thread.interrupted();
            return stopped
                    ? new Typed.Left()
                    : new Typed.Cleared(e.getPartialLine().isEmpty());
        } catch (EndOfFileException e) {
            return new Typed.Left();
        } catch (IOError e) {
            closed.run();
            return new Typed.Left();
        }
    }

    /**
     * Ask something; nothing if it was not answered. Text that was typed before the question is not an answer.
     *
     * @param over whether the question has become useless, which ends it
     */
    public Optional<String> ask(String question, BooleanSupplier over) {
        if (stopped) {
            return Optional.empty();
        }
        try (ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("question").factory())) {
            long millis = Questioner.BETWEEN_LOOKS.toMillis();
            var unused = looks.scheduleWithFixedDelay(
                    () -> {
                        if (over.getAsBoolean()) {
                            terminal.raise(Signal.INT);
                        }
                    },
                    millis,
                    millis,
                    TimeUnit.MILLISECONDS);
            forgetWhatWasTyped();
            String answer = questions.readLine(question);
            return Thread.interrupted() ? Optional.empty() : Optional.of(answer);
        } catch (UserInterruptException e) {
            Thread.interrupted();
            return Optional.empty();
        } catch (EndOfFileException e) {
            return Optional.empty();
        } catch (IOError e) {
            closed.run();
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("The terminal cannot be read.", e);
        }
    }

    /** Show lines, which are wrapped between words and indented to their second column. */
    public void show(String text) {
        BrokenLines.of(text, screen.columns()).forEach(this::print);
    }

    /** Return how many columns a line may have. */
    public int columns() {
        return screen.columns();
    }

    /** Show a line as it is. */
    public void print(String line) {
        terminal.writer().println(line);
        terminal.writer().flush();
    }

    /** End the current edit, and start no other one. */
    public void stop() {
        stopped = true;
        terminal.raise(Signal.INT);
    }

    /** What is typed of a line is only there to be read once the terminal gives single keys. */
    private void forgetWhatWasTyped() throws IOException {
        Attributes before = terminal.enterRawMode();
        try {
            while (terminal.reader().peek(1) >= 0) {
                terminal.reader().read();
            }
        } finally {
            terminal.setAttributes(before);
        }
    }

    /** Called when it can be interrupted, and nothing was read yet. */
    private boolean begins() {
        if (stopped) {
            Thread.currentThread().interrupt();
        }
        return true;
    }

    /** What Ctrl-D does; the library asks the terminal which key that is, and the terminal does not know any more. */
    private static boolean leaves(LineReader reader) {
        if (reader.getBuffer().length() == 0) {
            throw new EndOfFileException();
        }
        reader.callWidget(LineReader.DELETE_CHAR);
        return true;
    }

    /** A line continues in the next one if it ends with a backslash. */
    private boolean accept() {
        var line = messages.getBuffer();
        if (line.cursor() == line.length() && line.toString().endsWith("\\")) {
            line.backspace();
            line.write('\n');
            return true;
        }
        messages.callWidget("." + LineReader.ACCEPT_LINE);
        return true;
    }

    /** What would make the file long is not worth remembering. */
    private static final class Remembered extends DefaultHistory {

        @Override
        public void add(Instant time, String line) {
            if (line.length() <= LONGEST_REMEMBERED) {
                super.add(time, line);
            }
        }
    }
}
