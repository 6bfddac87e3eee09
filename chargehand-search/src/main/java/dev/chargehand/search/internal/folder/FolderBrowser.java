package dev.chargehand.search.internal.folder;

import dev.chargehand.search.internal.document.DocumentReader;
import dev.chargehand.search.internal.document.DocumentText;
import dev.chargehand.search.internal.document.UnreadableDocumentException;
import dev.chargehand.search.internal.folder.FolderFiles.Found;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Lists and reads the files of a folder that a search of it finds passages in. Thread-safe. */
public final class FolderBrowser {

    private final ShownPaths paths;
    private final Set<String> kinds;
    private final ReadingLimits limits;
    private final Supplier<DocumentReader> documents;

    /** A file by the name that sources have, and its size. */
    public record Entry(String file, long bytes) {}

    public FolderBrowser(
            ShownPaths paths, Set<String> kinds, ReadingLimits limits, Supplier<DocumentReader> documents) {
        this.paths = paths;
        this.kinds = kinds;
        this.limits = limits;
        this.documents = documents;
    }

    /** Return the files of the folder, and of the folders in it, by their names. */
    public List<Entry> list() {
        return found().stream()
                .map(file -> new Entry(paths.shown(file.file()), file.stamp().size()))
                .toList();
    }

    /**
     * Return the text of a file as far as a search reads it; empty if the folder has no such file.
     *
     * @param file its name in sources
     * @throws UnreadableDocumentException if it has no text, or too much
     */
    public Optional<DocumentText> read(String file) throws IOException, InterruptedException {
        Optional<Found> found = found().stream()
                .filter(each -> paths.shown(each.file()).equals(file))
                .findFirst();
        if (found.isEmpty()) {
            return Optional.empty();
        }
        try (DocumentReader reader = documents.get()) {
            return Optional.of(new FileReading(paths.root(), limits, reader).text(found.get()));
        }
    }

    private List<Found> found() {
        return FolderFiles.list(paths, kinds, new SkippedFiles(paths));
    }
}
