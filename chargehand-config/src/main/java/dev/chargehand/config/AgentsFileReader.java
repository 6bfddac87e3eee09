package dev.chargehand.config;

import dev.chargehand.config.internal.file.FileReader;
import dev.chargehand.document.DocumentException;
import dev.chargehand.document.Setting;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * The reader of an {@link AgentsFile}.
 *
 * <p>All separate mistakes are collected and thrown together as an {@link DocumentException}, which says
 * for each the file, the line and the column, what is wrong, what is allowed and, for a name, which one was probably
 * meant.
 */
public final class AgentsFileReader {

    /** What the file is called unless the user says otherwise. */
    public static final String NAME = "chargehand.yaml";

    private AgentsFileReader() {}

    /**
     * Read a file.
     *
     * @param path where it is
     * @param name the file as the user knows it, for errors
     * @param tools the names of the tools an agent may have without a definition in the file
     * @throws DocumentException if it cannot be read, or there are mistakes in it
     */
    public static AgentsFile read(Path path, String name, Set<String> tools) {
        return new AgentsFile(FileReader.read(path, name, tools));
    }

    /**
     * Return the store that a file names, also if there are mistakes elsewhere in it; empty if it names none.
     *
     * @param path where it is
     * @param name the file as the user knows it, for errors
     * @throws DocumentException if it cannot be read as YAML, or its key {@code store} has a mistake
     */
    public static Optional<Setting> readStore(Path path, String name) {
        return FileReader.store(path, name);
    }
}
