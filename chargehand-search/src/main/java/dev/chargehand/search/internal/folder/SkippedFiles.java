package dev.chargehand.search.internal.folder;

import dev.chargehand.search.report.SearchReport.Reason;
import dev.chargehand.search.report.SearchReport.Skipped;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Collects what was left out and why. Not thread-safe. */
final class SkippedFiles {

    private static final Logger LOG = LoggerFactory.getLogger(SkippedFiles.class);

    private final ShownPaths paths;
    private final List<Skipped> skipped = new ArrayList<>();

    SkippedFiles(ShownPaths paths) {
        this.paths = paths;
    }

    void add(Path file, Reason reason, String detail) {
        Skipped entry = new Skipped(paths.shown(file), reason, detail);
        skipped.add(entry);
        LOG.debug("{} {}", entry.file(), detail);
    }

    List<Skipped> byPath() {
        return skipped.stream().sorted(Comparator.comparing(Skipped::file)).toList();
    }

    /** Describe the failure without the path, which is next to it, and without texts in the system's language. */
    static String why(IOException failure) {
        return switch (failure) {
            case AccessDeniedException ignored -> "may not be read: no permission";
            case NoSuchFileException ignored -> "no longer exists";
            default -> "could not be read (" + failure.getClass().getSimpleName() + ")";
        };
    }
}
