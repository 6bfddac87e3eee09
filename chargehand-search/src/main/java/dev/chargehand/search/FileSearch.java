package dev.chargehand.search;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.search.PassageIndex.Hit;
import dev.chargehand.tool.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds passages in a folder of texts and documents: Markdown and plain text, HTML, PDF, and the formats of Word, Excel,
 * PowerPoint and LibreOffice.
 *
 * <p>The words of a question are looked up with BM25 over paragraphs, lists and blocks of code; inflected English words
 * and the parts of names such as {@code maxSteps} are found, and other languages by whole words. There is no query
 * syntax.
 *
 * <p>The folder is looked at on first use, and again by a search that comes {@link Builder#refreshAfter} later; only
 * files that are new or have changed are read then. No passage is returned of a file that is gone, has changed since, may
 * no longer be read or has left the folder: before that, the folder is looked at again. The index is in memory, and is
 * kept between runs of a program if it gets a {@link Builder#keptIn folder} for that.
 *
 * <p>Only files below the real path of the folder are read: symbolic links are not followed. Hidden files and folders,
 * {@code node_modules} and {@code target} are left out. What else is left out, {@link #report} tells.
 *
 * <p>Documents may be hostile: HTML, PDF and office files are read by a process of its own, which is begun when there is
 * one to read, has a limit of memory and of time for each, and ends with the look at the folder. PDF needs
 * {@code org.apache.pdfbox:pdfbox} on the class path.
 *
 * <p>Thread-safe. Close it to free the index.
 */
public final class FileSearch implements AutoCloseable {

    /** The most passages that one search returns. */
    public static final int MOST_PASSAGES = 20;

    private static final int LOOKS_PER_SEARCH = 3;

    private final ShownPaths paths;
    private final IndexMaker maker;
    private final long refreshNanos;
    private final Tool tool;

    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable FolderIndex index;
    private volatile long lookedAt;
    private volatile long looks;
    private volatile boolean closed;

    /**
     * How much is indexed.
     *
     * @param fileBytes of one file
     * @param files the most files
     * @param totalBytes after which no further file is read
     * @param documentBytes of one document that cannot be read in part
     */
    record Limits(int fileBytes, int files, long totalBytes, int documentBytes) {}

    private FileSearch(Builder builder) {
        String prefix = builder.sourcePrefix;
        this.paths = new ShownPaths(
                realPath(builder.folder),
                prefix == null
                        ? ShownPaths.defaultPrefix(builder.folder, Path.of("").toAbsolutePath())
                        : prefix);
        this.maker = new IndexMaker(
                paths,
                builder.kinds,
                new Limits(builder.maxFileBytes, builder.maxFiles, builder.maxTotalBytes, builder.maxDocumentBytes),
                builder.documents(),
                builder.progress,
                builder.keptIn,
                builder.clock);
        this.refreshNanos = builder.refreshAfter.toNanos();
        this.tool = SearchTool.of(this, paths.prefix());
    }

    /**
     * Searches a folder with the default settings.
     *
     * @throws ConfigurationException if the folder does not exist or is not one
     */
    public static FileSearch over(Path folder) {
        return builder(folder).build();
    }

    /** Begins a search with more to say than {@link #over}. */
    public static Builder builder(Path folder) {
        return new Builder(folder);
    }

    /**
     * Returns this search as the tool {@code search-files}, for a query and a limit of 1 to 20 passages, 5 unless given.
     *
     * <p>Its result is {@code {"passages": [{"source", "heading", "text"}], "note"}}; the list is empty when nothing is
     * found. The tool is repeatable, and it works until this search is closed.
     */
    public Tool tool() {
        return tool;
    }

    /**
     * Returns the passages that fit best, best first; none if no word of the query is found.
     *
     * @param query any text; it has no syntax, and its first 64 terms count
     * @param limit 1 to {@link #MOST_PASSAGES}
     * @throws ConfigurationException if the limit is not allowed, or the folder can no longer be read
     * @throws ChargehandException with code {@code search-closed} if this search is closed
     * @throws InterruptedException if the thread was interrupted while the index was being built; the next call builds it
     */
    public List<Passage> search(String query, int limit) throws InterruptedException {
        if (limit < 1 || limit > MOST_PASSAGES) {
            throw new ConfigurationException(
                    "The limit of a search must be 1 to " + MOST_PASSAGES + ", but is " + limit + ".");
        }
        boolean again = false;
        for (int look = 1; ; look++) {
            FolderIndex current = index(again);
            if (!current.passages().open()) {
                continue; // another search has looked again meanwhile; if this one was closed, the next line says so
            }
            try {
                List<Hit> hits = hits(current, query, limit);
                List<Hit> right = hits.stream()
                        .filter(hit -> current.isCurrent(hit, paths.root()))
                        .toList();
                if (right.size() == hits.size() || look >= LOOKS_PER_SEARCH) {
                    return right.stream().map(this::passage).toList();
                }
                again = true;
            } catch (IOException e) {
                throw failed(e);
            }
        }
    }

    private static List<Hit> hits(FolderIndex current, String query, int limit) throws IOException {
        try {
            return current.passages().search(query, limit);
        } finally {
            current.passages().done();
        }
    }

    private Passage passage(Hit hit) {
        return new Passage(
                paths.shown(paths.root().resolve(hit.path())) + ":" + hit.place(), hit.heading(), hit.text());
    }

    /**
     * Tells what is indexed and what was left out, after a look at the folder if one is due.
     *
     * @throws ConfigurationException if the folder can no longer be read
     * @throws ChargehandException with code {@code search-closed} if this search is closed
     * @throws InterruptedException if the thread was interrupted while the index was being built
     */
    public SearchReport report() throws InterruptedException {
        return index(false).report();
    }

    /** Frees the index, but not one that is kept; searches under way end well, later ones fail. Harmless when repeated. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            FolderIndex last = index;
            index = null;
            if (last != null) {
                last.passages().close();
            }
        } catch (IOException e) {
            throw failed(e);
        } finally {
            lock.unlock();
        }
    }

    /** While the folder is looked at again, others search the index that there is. */
    private FolderIndex index(boolean now) throws InterruptedException {
        FolderIndex before = index;
        long lastLook = looks;
        if (before != null && !now && (!isDue() || lock.isLocked())) {
            return before;
        }
        lock.lockInterruptibly();
        try {
            if (closed) {
                throw closedException();
            }
            FolderIndex there = index;
            long thisLook = looks;
            boolean lookedMeanwhile = thisLook != lastLook;
            if (there == null || (!lookedMeanwhile && (now || isDue()))) {
                FolderIndex made = maker.look(there);
                lookedAt = System.nanoTime();
                looks = thisLook + 1;
                index = made;
                if (there != null && there.passages() != made.passages()) {
                    there.passages().close();
                }
                return made;
            }
            return there;
        } catch (IOException e) {
            throw failed(e);
        } finally {
            lock.unlock();
        }
    }

    private boolean isDue() {
        return System.nanoTime() - lookedAt >= refreshNanos;
    }

    private static Path realPath(Path folder) {
        Path real;
        try {
            real = folder.toRealPath();
        } catch (IOException e) {
            throw new ConfigurationException(
                    "There is no folder '" + folder + "' to search: create it, or give another one.", e);
        }
        if (!Files.isDirectory(real)) {
            throw new ConfigurationException(
                    "'" + folder + "' cannot be searched, because it is not a folder: give the one it is in.");
        }
        return real;
    }

    private ChargehandException closedException() {
        return new ChargehandException(
                "search-closed", false, "The search over '" + paths.prefix() + "' is closed; open another one.", null);
    }

    private ChargehandException failed(IOException e) {
        return new ChargehandException(
                "search-failed", false, "The search over '" + paths.prefix() + "' failed: " + e.getMessage(), e);
    }

    /** Collects the settings of a {@link FileSearch}. Not thread-safe. */
    public static final class Builder {

        private static final Set<String> KINDS = Set.of(
                ".md .markdown .mdx .txt .rst .adoc .text .html .htm .xhtml .pdf .docx .xlsx .pptx .odt .ods .odp"
                        .split(" "));

        private final Path folder;
        private @Nullable String sourcePrefix;
        private Set<String> kinds = KINDS;
        private @Nullable Path keptIn;
        private Duration refreshAfter = Duration.ofSeconds(10);
        private Consumer<IndexProgress> progress = ignored -> {};
        private InstantSource clock = InstantSource.system();
        private boolean isolated = true;
        private int maxDocumentBytes = 32_000_000;
        private int maxDocumentMegabytes = 384;
        private Duration maxDocumentTime = Duration.ofSeconds(30);
        private int maxFileBytes = 5_000_000;
        private int maxFiles = 10_000;
        private long maxTotalBytes = 200_000_000;

        private Builder(Path folder) {
            this.folder = folder;
        }

        /**
         * Sets what stands for the folder in a source.
         *
         * <p>Unless set: the folder's path from the working directory if it is inside, else its name.
         */
        public Builder sourcePrefix(String prefix) {
            this.sourcePrefix = prefix;
            return this;
        }

        /**
         * Sets the ends of the names of the files to index, such as {@code .md}; any case.
         *
         * <p>Unless set: .md .markdown .mdx .txt .rst .adoc .text .html .htm .xhtml .pdf .docx .xlsx .pptx .odt .ods .odp.
         * The first three are read as Markdown, those from .html on as what they are, all others as text, by paragraphs.
         *
         * @throws ConfigurationException if there is none, or one without a name after its dot
         */
        public Builder kinds(String... ends) {
            if (ends.length == 0 || Stream.of(ends).anyMatch(end -> !end.matches("\\.?[^./\\\\][^/\\\\]*"))) {
                throw new ConfigurationException(
                        "The kinds of files to search must be ends of names such as .md, but are: " + List.of(ends));
            }
            this.kinds = Stream.of(ends)
                    .map(end -> (end.startsWith(".") ? end : "." + end).toLowerCase(Locale.ROOT))
                    .collect(Collectors.toUnmodifiableSet());
            return this;
        }

        /**
         * Keeps the index between runs of a program in a folder of its own, which is made if need be; unless set, it is
         * in memory only.
         *
         * <p>The texts of the files are in it, so only the user of the process may read it. It belongs to one searched
         * folder. If it is damaged, or of another version, folder or other settings, or cannot be written, the report
         * says so and the index is made again or stays in memory: a search does not fail by it. Several processes may
         * share it; one writes, and whoever has to write at the same time keeps what it needs in memory.
         */
        public Builder keptIn(Path indexFolder) {
            this.keptIn = indexFolder;
            return this;
        }

        /**
         * Sets after what time a search looks at the folder again, 10 seconds unless set; zero for every search.
         *
         * <p>A look lists the files and reads those that are new or have another size, time of change or, where the
         * system tells, other rights; a file that changed within two seconds before it was read is compared by its
         * content.
         *
         * @throws ConfigurationException if it is negative
         */
        public Builder refreshAfter(Duration time) {
            if (time.isNegative()) {
                throw new ConfigurationException("A search's refreshAfter must not be negative, but is " + time + ".");
            }
            this.refreshAfter = time;
            return this;
        }

        /**
         * Sets who is told how the look at the folder goes on: at its begin, after each file, and at its end. It is called
         * by the thread that searches, and must be quick; what it throws ends the search.
         */
        public Builder onProgress(Consumer<IndexProgress> listener) {
            this.progress = listener;
            return this;
        }

        /**
         * Sets whether HTML, PDF and office files are read by a process of its own, as they are unless set. Without, a
         * hostile one can take any time and all memory of this process: only for files that you trust, where no process
         * can be started.
         */
        public Builder isolateDocuments(boolean isolate) {
            this.isolated = isolate;
            return this;
        }

        /**
         * Sets the limits for one PDF or office file; one that is larger or needs more is left out.
         *
         * @param bytes of the file, 32,000,000 unless set
         * @param megabytes of memory that the process which reads it has, 384 unless set
         * @param time that it may take, 30 seconds unless set
         * @throws ConfigurationException if one is not above zero
         */
        public Builder maxDocument(int bytes, int megabytes, Duration time) {
            this.maxDocumentBytes = (int) aboveZero("maxDocument bytes", bytes);
            this.maxDocumentMegabytes = (int) aboveZero("maxDocument megabytes", megabytes);
            this.maxDocumentTime = Duration.ofMillis(aboveZero("maxDocument time", time.toMillis()));
            return this;
        }

        /** Sets what tells when a file is looked at; its times are compared with that. */
        Builder clock(InstantSource source) {
            this.clock = source;
            return this;
        }

        private Supplier<DocumentReader> documents() {
            int megabytes = maxDocumentMegabytes;
            Duration time = maxDocumentTime;
            return isolated ? () -> new DocumentProcess(megabytes, time) : () -> DocumentKinds::read;
        }

        /**
         * Sets how many bytes of one text or HTML file are indexed, 5,000,000 unless set; of a larger file the rest is left
         * out.
         */
        public Builder maxFileBytes(int bytes) {
            this.maxFileBytes = (int) aboveZero("maxFileBytes", bytes);
            return this;
        }

        /** Sets how many files are indexed, 10,000 unless set; the first ones by path. */
        public Builder maxFiles(int files) {
            this.maxFiles = (int) aboveZero("maxFiles", files);
            return this;
        }

        /** Sets after how many bytes of all files no further file is indexed, 200,000,000 unless set. */
        public Builder maxTotalBytes(long bytes) {
            this.maxTotalBytes = aboveZero("maxTotalBytes", bytes);
            return this;
        }

        /**
         * Makes the search; the folder is read on first use.
         *
         * @throws ConfigurationException if the folder does not exist or is not one
         */
        public FileSearch build() {
            return new FileSearch(this);
        }

        private static long aboveZero(String name, long value) {
            if (value < 1) {
                throw new ConfigurationException("A search's " + name + " must be above zero, but is " + value + ".");
            }
            return value;
        }
    }
}
