package dev.chargehand.search;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.search.internal.document.DocumentKinds;
import dev.chargehand.search.internal.document.DocumentProcess;
import dev.chargehand.search.internal.document.DocumentReader;
import dev.chargehand.search.internal.folder.FolderBrowser;
import dev.chargehand.search.internal.folder.FolderIndex;
import dev.chargehand.search.internal.folder.IndexMaker;
import dev.chargehand.search.internal.folder.ReadingLimits;
import dev.chargehand.search.internal.folder.ShownPaths;
import dev.chargehand.search.internal.rank.Ranking;
import dev.chargehand.search.internal.rank.Ranking.Ranked;
import dev.chargehand.search.internal.text.PassageIndex.Hit;
import dev.chargehand.search.report.IndexProgress;
import dev.chargehand.search.report.Passage;
import dev.chargehand.search.report.SearchReport;
import dev.chargehand.tool.Tool;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A search for passages in a folder of texts and documents: Markdown and plain text, HTML, PDF, the formats of
 * Word, Excel, PowerPoint and LibreOffice, data and source code.
 *
 * <p>The words of a question are looked up with BM25 over paragraphs, lists and blocks of code; inflected English words
 * and the parts of names such as {@code maxSteps} are found, and other languages by whole words. There is no query
 * syntax.
 *
 * <p>The folder is looked at on first use, and again by a search that comes {@link Builder#refreshAfter} later; only
 * files that are new or have changed are read then. No passage is returned of a file that is gone, has changed since,
 * may no longer be read or has left the folder: before that, the folder is looked at again. The index is in memory, and
 * is kept between runs of a program if it gets a {@link Builder#keptIn folder} for that.
 *
 * <p>Only files inside the real path of the folder are read: symbolic links are not followed. Hidden files and folders,
 * {@code node_modules} and {@code target}, and files named {@code chargehand.yaml}, {@code chargehand.schema.json},
 * {@code package-lock.json} and {@code pnpm-lock.yaml} are left out. {@link #report} lists other skipped files.
 *
 * <p>Documents may be hostile: HTML, PDF and office files are read by a process of its own, which is started for the
 * first document, has a limit of memory and of time for each, and ends with the look at the folder. PDF needs
 * {@code org.apache.pdfbox:pdfbox} on the class path.
 *
 * <p>Thread-safe. Close it to free the index.
 */
public final class FileSearch implements AutoCloseable {

    /** The most passages that one search returns. */
    public static final int MOST_PASSAGES = 20;

    private static final int LOOKS_PER_SEARCH = 3;

    private final ShownPaths paths;
    private final CurrentIndex index;
    private final Tool tool;
    private final FileTools files;

    private FileSearch(Builder builder) {
        String prefix = builder.sourcePrefix;
        this.paths = new ShownPaths(
                ShownPaths.realPath(builder.folder),
                prefix == null
                        ? ShownPaths.defaultPrefix(builder.folder, Path.of("").toAbsolutePath())
                        : prefix);
        ReadingLimits limits = new ReadingLimits(
                builder.maxFileBytes, builder.maxFiles, builder.maxTotalBytes, builder.maxDocumentBytes);
        IndexMaker maker = new IndexMaker(
                paths, builder.kinds, limits, builder.documents(), builder.progress, builder.keptIn, builder.clock);
        this.index = new CurrentIndex(maker, builder.refreshAfter, paths.prefix());
        this.tool = SearchTool.of(this, paths.prefix());
        this.files =
                new FileTools(new FolderBrowser(paths, builder.kinds, limits, builder.documents()), paths.prefix());
    }

    /**
     * Search a folder with the default settings.
     *
     * @throws ConfigurationException if the folder does not exist or is not one
     */
    public static FileSearch over(Path folder) {
        return builder(folder).build();
    }

    /** Create a builder of a search with more settings than {@link #over}. */
    public static Builder builder(Path folder) {
        return new Builder(folder);
    }

    /**
     * Return this search as the tool {@code search-files}, for a query and a limit of 1 to 20 passages, 5 unless given.
     *
     * <p>Its result is {@code {"passages": [{"source", "heading", "text", "sure"}], "note"}}; the list is empty when nothing
     * is found. {@code sure} is how sure the search is that the passage answers the query, from 0 to 1. The tool is
     * repeatable, and it works until this search is closed.
     */
    public Tool tool() {
        return tool;
    }

    /**
     * Return a tool {@code list-files}, which names the files that this search reads with their sizes, 200 for each call.
     *
     * <p>Its result is {@code {"files": [{"file", "bytes"}], "note"}}. The tool is repeatable.
     */
    public Tool listTool() {
        return files.list();
    }

    /**
     * Return a tool {@code read-file}, for the name of a file or the source of a passage: 1,000 lines and 20,000 characters
     * at most for each call, of files that this search reads.
     *
     * <p>Its result is {@code {"source", "text", "note"}}. The tool is repeatable.
     */
    public Tool readTool() {
        return files.read();
    }

    /**
     * Return the passages that fit best, best first; none if no word of the query is found.
     *
     * @param query any text; it has no syntax, and its first 64 terms count
     * @param limit 1 to {@link #MOST_PASSAGES}
     * @throws ConfigurationException if the limit is not allowed, or the folder can no longer be read
     * @throws ChargehandException with code {@code search-closed} if this search is closed
     * @throws InterruptedException if the thread was interrupted while the index was being built; the next call builds
     *     it
     */
    public List<Passage> search(String query, int limit) throws InterruptedException {
        return fitting(query, limit).stream().map(FittingPassage::passage).toList();
    }

    /** Search as {@link #search} does, and say how sure it is that each passage answers. */
    List<FittingPassage> fitting(String query, int limit) throws InterruptedException {
        if (limit < 1 || limit > MOST_PASSAGES) {
            throw new ConfigurationException(
                    "The limit of a search must be 1 to " + MOST_PASSAGES + ", but is " + limit + ".");
        }
        boolean again = false;
        for (int look = 1; ; look++) {
            FolderIndex current = index.get(again);
            if (!current.passages().open()) {
                continue; // another search has looked again meanwhile; if this one was closed, the next line says so
            }
            try {
                List<Ranked> hits = hits(current, query, limit);
                List<Ranked> right = hits.stream()
                        .filter(ranked -> current.isCurrent(ranked.hit(), paths))
                        .toList();
                if (right.size() == hits.size() || look >= LOOKS_PER_SEARCH) {
                    return right.stream().map(this::passage).toList();
                }
                again = true;
            } catch (IOException e) {
                throw index.failed(e);
            }
        }
    }

    /** Return headings of passages of documents, not keys or columns of data, in the order of files and places. */
    List<String> headings(int limit) throws InterruptedException {
        try {
            return index.get(false).passages().headed(limit).stream()
                    .map(Hit::heading)
                    .distinct()
                    .toList();
        } catch (IOException e) {
            throw index.failed(e);
        }
    }

    private static List<Ranked> hits(FolderIndex current, String query, int limit) throws IOException {
        try {
            return Ranking.of(current.passages(), query, limit);
        } finally {
            current.passages().done();
        }
    }

    private FittingPassage passage(Ranked ranked) {
        Hit hit = ranked.hit();
        return FittingPassage.of(
                paths.shown(paths.file(hit.path())) + ":" + hit.place(), hit.heading(), hit.text(), ranked.sure());
    }

    /**
     * Report the indexed and the skipped files, after a scan of the folder if one is due.
     *
     * @throws ConfigurationException if the folder can no longer be read
     * @throws ChargehandException with code {@code search-closed} if this search is closed
     * @throws InterruptedException if the thread was interrupted while the index was being built
     */
    public SearchReport report() throws InterruptedException {
        return index.get(false).report();
    }

    /**
     * Free the index, but not one that is kept; searches under way end well, later ones fail. Harmless when repeated.
     */
    @Override
    public void close() {
        index.close();
    }

    /** Collects the settings of a {@link FileSearch}. Not thread-safe. */
    public static final class Builder {

        private static final Set<String> KINDS = Set.of(
                (".md .markdown .mdx .txt .rst .adoc .text .html .htm .xhtml .pdf .docx .xlsx .pptx .odt .ods .odp"
                                + " .csv .tsv .json .jsonl .yaml .yml .xml .toml .sql .graphql .proto .java .kt .kts .scala .groovy"
                                + " .gradle .py .js .mjs .cjs .jsx .ts .tsx .go .rs .c .h .cc .cpp .hpp .cs .rb .php .swift .sh .css")
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
         * Set what stands for the folder in a source.
         *
         * <p>Unless set: the folder's path from the working directory if it is inside, else its name.
         */
        public Builder sourcePrefix(String prefix) {
            this.sourcePrefix = prefix;
            return this;
        }

        /**
         * Set the ends of the names of the files to index, such as {@code .md}; any case.
         *
         * <p>Unless set: .md .markdown .mdx .txt .rst .adoc .text .html .htm .xhtml .pdf .docx .xlsx .pptx .odt .ods
         * .odp, data (.csv .tsv .json .jsonl .yaml .yml .xml .toml) and source code (.java .py .ts .go and others). The first
         * three are read as Markdown, those from .html to .odp as what they are, .csv and .tsv with their first line as the
         * heading of the others, .json, .yaml and .yml by entries under the path of their keys, all others as text, by
         * paragraphs. Files that often hold secrets, such as .properties and .ini, are not among them.
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
         * Keep the index between runs of a program in a folder of its own, which is made if need be; unless set, it is
         * in memory only.
         *
         * <p>The texts of the files are in it, so only the user of the process may read it. It belongs to one searched
         * folder. If it is damaged, or of another version, folder or other settings, or cannot be written, the report
         * states it, and the index is built again or stays in memory: a search does not fail because of it. Several
         * processes may share it; one writes, and others that would write at the same time keep their changes in
         * memory.
         */
        public Builder keptIn(Path indexFolder) {
            this.keptIn = indexFolder;
            return this;
        }

        /**
         * Set after what time a search looks at the folder again, 10 seconds unless set; zero for every search.
         *
         * <p>A look lists the files and reads those that are new or have another size, time of change or, where the
         * system reports them, other permissions; a file that changed within two seconds before it was read is compared
         * by its content.
         *
         * @throws ConfigurationException if it is negative, or longer than {@link TimeLimit#LONGEST}
         */
        public Builder refreshAfter(Duration time) {
            if (time.isNegative() || time.compareTo(TimeLimit.LONGEST) > 0) {
                throw new ConfigurationException("A search's refreshAfter must be at least 0 and at most "
                        + TimeLimit.LONGEST.toDays() + " days, but is " + time + ".");
            }
            this.refreshAfter = time;
            return this;
        }

        /**
         * Set a listener of the progress of a scan: at its start, after each file, and at its end. The searching
         * thread calls it; it must return quickly, and an exception ends the search.
         */
        public Builder onProgress(Consumer<IndexProgress> listener) {
            this.progress = listener;
            return this;
        }

        /**
         * Set whether HTML, PDF and office files are read by a process of its own, as they are unless set. Without, a
         * hostile one can take any time and all memory of this process: only for files that you trust, where no process
         * can be started.
         */
        public Builder isolateDocuments(boolean isolate) {
            this.isolated = isolate;
            return this;
        }

        /**
         * Set the limits for one PDF or office file; one that is larger or needs more is left out.
         *
         * @param bytes of the file, 32,000,000 unless set
         * @param megabytes of memory that the process which reads it has, 384 unless set
         * @param time that it may take, 30 seconds unless set
         * @throws ConfigurationException if one is not above zero
         */
        public Builder maxDocument(int bytes, int megabytes, Duration time) {
            this.maxDocumentBytes = (int) aboveZero("maxDocument bytes", bytes);
            this.maxDocumentMegabytes = (int) aboveZero("maxDocument megabytes", megabytes);
            if (time.compareTo(TimeLimit.LONGEST) > 0) {
                throw new ConfigurationException("A search's maxDocument time must be at most "
                        + TimeLimit.LONGEST.toDays() + " days, but is " + time + ".");
            }
            this.maxDocumentTime = Duration.ofMillis(aboveZero("maxDocument time", time.toMillis()));
            return this;
        }

        /** Set the clock for scans; the times of files are compared with it. */
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
         * Set how many bytes of one text or HTML file are indexed, 5,000,000 unless set; of a larger file the rest is
         * left out.
         */
        public Builder maxFileBytes(int bytes) {
            this.maxFileBytes = (int) aboveZero("maxFileBytes", bytes);
            return this;
        }

        /** Set how many files are indexed, 10,000 unless set; the first ones by path. */
        public Builder maxFiles(int files) {
            this.maxFiles = (int) aboveZero("maxFiles", files);
            return this;
        }

        /** Set after how many bytes of all files no further file is indexed, 200,000,000 unless set. */
        public Builder maxTotalBytes(long bytes) {
            this.maxTotalBytes = aboveZero("maxTotalBytes", bytes);
            return this;
        }

        /**
         * Make the search; the folder is read on first use.
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
