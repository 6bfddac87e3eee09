package dev.chargehand.verify.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What tools did in the outside world: a file to which any process appends one line for each effect. A line that was
 * written survives its process.
 *
 * @param file where the lines are
 */
public record OutsideLedger(Path file) {

    private static final String NOTE = "note ";

    /**
     * One effect.
     *
     * @param subject what the effect is for; without spaces
     * @param tool that had it
     * @param callId of the call
     * @param key the idempotency key of the call
     */
    public record Effect(String subject, String tool, String callId, String key) {

        private String line() {
            return String.join(" ", subject, tool, callId, key);
        }

        private static Effect of(String line) {
            String[] parts = line.split(" ", -1);
            return new Effect(parts[0], parts[1], parts[2], parts[3]);
        }
    }

    /** Write an effect. */
    public void add(Effect effect) {
        append(effect.line());
    }

    /** Write a note; returns whether there was none like it before. */
    public boolean addNote(String text) {
        String line = NOTE + text;
        if (lines().contains(line)) {
            return false;
        }
        append(line);
        return true;
    }

    /** Return whether a call has had its effect. */
    public boolean has(String callId) {
        return effects().stream().anyMatch(effect -> effect.callId().equals(callId));
    }

    /** Return the effects for each subject, in their order. */
    public Map<String, List<Effect>> bySubject() {
        return effects().stream().collect(Collectors.groupingBy(Effect::subject));
    }

    private List<Effect> effects() {
        return lines().stream()
                .filter(line -> !line.startsWith(NOTE))
                .map(Effect::of)
                .toList();
    }

    private List<String> lines() {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One write to the end of the file, which is never torn and never overwrites that of another process. */
    private void append(String line) {
        try {
            Files.write(
                    file,
                    (line + "\n").getBytes(StandardCharsets.UTF_8),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
