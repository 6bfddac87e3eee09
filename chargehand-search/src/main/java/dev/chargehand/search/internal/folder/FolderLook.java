package dev.chargehand.search.internal.folder;

import dev.chargehand.search.internal.folder.FolderFiles.Found;
import dev.chargehand.search.internal.text.FileRow;
import dev.chargehand.search.internal.text.PassageWriter;
import dev.chargehand.search.report.IndexProgress;
import dev.chargehand.search.report.SearchReport;
import dev.chargehand.search.report.SearchReport.Reason;
import java.io.IOException;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One scan of a folder: its files, the changes since the index was built, and the skipped files. Used by one
 * thread, once.
 */
final class FolderLook {

    /** After so many files that were read, the work is committed, so that a killed process has not read in vain. */
    private static final int READ_BETWEEN_COMMITS = 500;

    private final ShownPaths paths;
    private final ReadingLimits limits;
    private final boolean first;
    private final FileReading reading;
    private final Consumer<IndexProgress> progress;
    private final SkippedFiles skipped;
    private final List<Found> found;
    private final long now;
    private int read;
    private int removed;

    /**
     * List the folder.
     *
     * @param first whether what was impossible before is to be tried again
     */
    FolderLook(
            ShownPaths paths,
            Set<String> kinds,
            ReadingLimits limits,
            boolean first,
            FileReading reading,
            Consumer<IndexProgress> progress,
            InstantSource clock)
            throws InterruptedException {
        this.paths = paths;
        this.limits = limits;
        this.first = first;
        this.reading = reading;
        this.progress = progress;
        this.skipped = new SkippedFiles(paths);
        this.now = TimeUnit.MILLISECONDS.toNanos(clock.millis());
        this.found = FolderFiles.list(paths, kinds, skipped);
        requireNoInterrupt();
    }

    /** Whether the index says of every file what can be known without reading it, and knows no others. */
    boolean isAsIn(Map<String, FileRow> rows) {
        Share share = new Share(limits);
        int known = 0;
        for (Found file : found) {
            if (share.isLeft()) {
                if (!isKnown(file, rows)) {
                    return false;
                }
                share.take(rows.get(file.key()));
                known++;
            }
        }
        return known == rows.size();
    }

    private boolean isKnown(Found file, Map<String, FileRow> rows) {
        FileRow row = rows.get(file.key());
        return row != null
                && row.stamp().equals(file.stamp())
                && !row.stamp().isDoubtful(row.lookedAt())
                && !(row.passing() && (first || row.stamp().changed() == 0));
    }

    /** Bring an index up to date. */
    void bring(PassageWriter writer) throws IOException, InterruptedException {
        Map<String, FileRow> before = writer.begin();
        Set<String> gone = new HashSet<>(before.keySet());
        Share share = new Share(limits);
        read = 0;
        int done = 0;
        int skippedSoFar = 0;
        report(done, skippedSoFar, 0, false);
        for (Found file : found) {
            requireNoInterrupt();
            if (share.isLeft()) {
                FileRow known = before.get(file.key());
                FileRow row = known != null && isKnown(file, before) ? known : reread(file, known, writer);
                share.take(row);
                gone.remove(file.key());
                skippedSoFar += row.reason() == null ? 0 : 1;
            } else {
                skippedSoFar++;
            }
            report(++done, skippedSoFar, 0, false);
        }
        for (String path : gone) {
            writer.remove(path);
        }
        removed = gone.size();
        writer.commit();
    }

    private FileRow reread(Found file, @Nullable FileRow before, PassageWriter writer)
            throws IOException, InterruptedException {
        read++;
        FileReading.Read whole = reading.read(file, before, first, now);
        if (whole.pieces().isPresent()) {
            writer.replace(
                    file.key(),
                    paths.words(file.file()),
                    whole.row(),
                    whole.pieces().get());
        } else {
            writer.know(file.key(), whole.row());
        }
        if (read % READ_BETWEEN_COMMITS == 0) {
            writer.commit();
        }
        return whole.row();
    }

    /** What is to be said of an index that this look found up to date, or has brought there. */
    SearchReport report(Map<String, FileRow> rows, List<String> notes) {
        Share share = new Share(limits);
        int passages = 0;
        int beyond = 0;
        for (Found file : found) {
            FileRow row = rows.get(file.key());
            if (!share.isLeft()) {
                beyond++;
                skipped.add(file.file(), Reason.TOO_MUCH, "comes after the limit of files or of bytes was reached");
            } else if (row != null) {
                share.take(row);
                passages += row.passages();
                Reason reason = row.reason();
                if (reason != null) {
                    skipped.add(file.file(), reason, row.detail());
                }
            }
        }
        List<SearchReport.Skipped> all = skipped.byPath();
        report(found.size(), all.size(), beyond, true);
        return new SearchReport(share.files, passages, read, removed, all, notes);
    }

    private void report(int done, int skippedSoFar, int beyond, boolean ended) {
        progress.accept(new IndexProgress(found.size(), done, read, skippedSoFar, beyond, ended));
    }

    /** How much may still be indexed, file by file in the order of their paths. */
    private static final class Share {
        private final ReadingLimits limits;
        private int files;
        private long bytes;

        Share(ReadingLimits limits) {
            this.limits = limits;
        }

        boolean isLeft() {
            return files < limits.files() && bytes < limits.totalBytes();
        }

        void take(@Nullable FileRow row) {
            if (row != null && row.indexed()) {
                files++;
                bytes += row.bytes();
            }
        }
    }

    private static void requireNoInterrupt() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("Interrupted while indexing.");
        }
    }
}
