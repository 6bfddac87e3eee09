package dev.chargehand.search.internal.folder;

import dev.chargehand.search.internal.document.DocumentReader;
import dev.chargehand.search.internal.text.KeptIndex;
import dev.chargehand.search.internal.text.PassageCutter;
import dev.chargehand.search.internal.text.PassageIndex;
import dev.chargehand.search.internal.text.PassageWriter;
import dev.chargehand.search.internal.text.VectorNotice;
import dev.chargehand.search.report.IndexProgress;
import dev.chargehand.search.report.SearchReport;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.util.Version;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the index of a folder and brings it up to date, in memory and where it is kept. One look at a time. */
public final class IndexMaker {

    private static final Logger LOG = LoggerFactory.getLogger(IndexMaker.class);

    /** The version of the passages' construction and stored form. */
    private static final int FORMAT = 6;

    private final ShownPaths paths;
    private final Set<String> kinds;
    private final ReadingLimits limits;
    private final Supplier<DocumentReader> documents;
    private final Consumer<IndexProgress> progress;
    private final InstantSource clock;
    private final String identity;
    private final @Nullable KeptIndex kept;

    public IndexMaker(
            ShownPaths paths,
            Set<String> kinds,
            ReadingLimits limits,
            Supplier<DocumentReader> documents,
            Consumer<IndexProgress> progress,
            @Nullable Path keptIn,
            InstantSource clock) {
        this.clock = clock;
        this.paths = paths;
        this.kinds = kinds;
        this.limits = limits;
        this.documents = documents;
        this.progress = progress;
        this.identity = String.join(
                "|",
                Integer.toString(FORMAT),
                Version.LATEST.toString(),
                Integer.toString(PassageCutter.LONGEST),
                Integer.toString(limits.fileBytes()),
                Integer.toString(limits.documentBytes()),
                paths.root().toString());
        this.kept = keptIn == null ? null : new KeptIndex(keptIn.toAbsolutePath(), identity);
    }

    /**
     * Look at the folder.
     *
     * @param last what the look before this one came to, or null if this is the first
     */
    public FolderIndex look(@Nullable FolderIndex last) throws IOException, InterruptedException {
        List<String> notes = new ArrayList<>();
        try (VectorNotice ignored = VectorNotice.silenced();
                DocumentReader reader = documents.get()) {
            FileReading reading = new FileReading(paths.root(), limits, reader);
            FolderLook look = new FolderLook(paths, kinds, limits, last == null, reading, progress, clock);
            boolean damaged = false;
            PassageIndex current = last == null ? null : last.passages();
            if (last == null && kept != null) {
                try {
                    current = kept.load().orElse(null);
                } catch (KeptIndex.UnusableException e) {
                    note(notes, "The kept index is " + e.getMessage() + ", so it is made again.", e);
                    damaged = true;
                }
            }
            if (current == null || !look.isAsIn(current.rows())) {
                current = brought(look, current, damaged, notes);
            }
            current.search(
                    new TermQuery(new Term(PassageIndex.TEXT, "warm")), 1); // so that Lucene gives its notice now
            SearchReport report = look.report(current.rows(), notes);
            LOG.debug(
                    "'{}': {} files with {} passages; {} read, {} taken out, {} left out",
                    paths.prefix(),
                    report.files(),
                    report.passages(),
                    report.read(),
                    report.removed(),
                    report.skipped().size());
            return new FolderIndex(current, report);
        } catch (ClosedByInterruptException e) {
            Thread.interrupted();
            throw new InterruptedException("Interrupted while indexing.");
        }
    }

    private PassageIndex brought(FolderLook look, @Nullable PassageIndex current, boolean afresh, List<String> notes)
            throws IOException, InterruptedException {
        if (kept != null) {
            try {
                try (KeptIndex.Writing writing = kept.write(afresh)) {
                    look.bring(writing.writer());
                }
                Optional<PassageIndex> written = kept.load();
                if (written.isPresent()) {
                    return written.get();
                }
            } catch (LockObtainFailedException e) {
                note(notes, "Another process is writing the kept index, so what has changed is kept in memory.", null);
            } catch (ClosedByInterruptException e) {
                throw e;
            } catch (IOException e) {
                note(
                        notes,
                        "The index cannot be kept (" + e.getClass().getSimpleName() + "), so it is in memory only.",
                        e);
            }
        }
        ByteBuffersDirectory memory = current == null ? new ByteBuffersDirectory() : current.directory();
        try (PassageWriter writer = PassageWriter.open(memory, identity)) {
            look.bring(writer);
        }
        return PassageIndex.open(memory);
    }

    private static void note(List<String> notes, String note, @Nullable Throwable cause) {
        notes.add(note);
        if (cause == null) {
            LOG.info(note);
        } else {
            LOG.warn(note);
            LOG.debug(note, cause);
        }
    }
}
