package dev.chargehand.cli.chat;

import dev.chargehand.cli.output.ThreadLines;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.thread.ThreadRecord;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Collectors;

/** Writes a thread to a file: as JSON if the name ends so, else what was said, in Markdown. */
final class ThreadExport {

    private final Path folder;

    /** Make it; names of files are relative to a folder. */
    ThreadExport(Path folder) {
        this.folder = folder;
    }

    /**
     * Write the file, which must not exist.
     *
     * @param name the file, or empty for one named after the thread
     */
    Path write(ThreadRecord thread, List<Message> messages, String name) {
        Path file = file(name.isEmpty() ? thread.threadId().replaceAll("[^\\w-]", "_") + ".md" : name);
        String text = file.toString().endsWith(".json")
                ? Visible.json(ThreadLines.whole(thread, messages).text()) + "\n"
                : markdown(messages);
        try {
            Files.writeString(file, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            return file;
        } catch (FileAlreadyExistsException e) {
            throw new ConfigurationException(
                    "/export: '" + file + "' exists already and was not changed; name another file.", e);
        } catch (IOException e) {
            throw new ConfigurationException(
                    "/export: '" + file + "' cannot be written (" + e.getClass().getSimpleName()
                            + "); name a file in a folder that exists.",
                    e);
        }
    }

    private Path file(String name) {
        try {
            return folder.resolve(name).normalize();
        } catch (InvalidPathException e) {
            throw new ConfigurationException(
                    "/export: '" + Visible.line(name, 100) + "' is not the name of a file.", e);
        }
    }

    private static String markdown(List<Message> messages) {
        return messages.stream()
                .filter(ThreadLines::isSaid)
                .map(message -> (message.role() == Role.USER ? "## User" : "## Assistant") + "\n\n"
                        + Visible.text(message.text().strip()) + "\n")
                .collect(Collectors.joining("\n"));
    }
}
