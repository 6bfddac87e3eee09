package dev.chargehand.search.internal.folder;

import dev.chargehand.search.internal.text.FileRow;
import dev.chargehand.search.internal.text.FileStamp;
import dev.chargehand.search.internal.text.PassageIndex;
import dev.chargehand.search.internal.text.PassageIndex.Hit;
import dev.chargehand.search.report.SearchReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The index of a folder as it was at one time, and what is to be said of it. */
public record FolderIndex(PassageIndex passages, SearchReport report) {

    /** Whether the file of a passage is still there, in the folder, readable, and what it was. */
    public boolean isCurrent(Hit hit, ShownPaths paths) {
        FileRow row = passages.rows().get(hit.path());
        Path file = paths.file(hit.path());
        try {
            return row != null
                    && FileStamp.of(file).equals(row.stamp())
                    && Files.isReadable(file)
                    && file.toRealPath().startsWith(paths.root());
        } catch (IOException e) {
            return false;
        }
    }
}
