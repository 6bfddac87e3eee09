package dev.chargehand.bench.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Makes and deletes the folders of databases. */
public final class Folders {

    private Folders() {}

    public static Path temporary() {
        try {
            return Files.createTempDirectory("chargehand-bench");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Delete a folder and all that is in it; harmless if it is missing. */
    public static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
