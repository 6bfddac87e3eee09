package dev.chargehand.search;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.tool.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds passages in a folder of Markdown and text files.
 *
 * <p>The words of a question are looked up with BM25 over paragraphs, lists and blocks of code; inflected English words
 * and the parts of names such as {@code maxSteps} are found, and other languages by whole words. There is no query
 * syntax.
 *
 * <p>The index is built in memory on first use, once, and shows the files as they were then. Only files below the real
 * path of the folder are read: symbolic links are not followed. Hidden files and folders, {@code node_modules} and
 * {@code target} are left out. What else is left out, {@link #report} tells.
 *
 * <p>Thread-safe. Close it to free the index.
 */
public final class FileSearch implements AutoCloseable {

    /** The most passages that one search returns. */
    public static final int MOST_PASSAGES = 20;

    private final ShownPaths paths;
    private final Set<String> kinds;
    private final FolderIndex.Limits limits;
    private final Tool tool;

    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable FolderIndex index;
    private boolean closed; // guarded by lock

    private FileSearch(Builder builder) {
        String prefix = builder.sourcePrefix;
        this.paths = new ShownPaths(
                realPath(builder.folder),
                prefix == null
                        ? ShownPaths.defaultPrefix(builder.folder, Path.of("").toAbsolutePath())
                        : prefix);
        this.kinds = builder.kinds;
        this.limits = new FolderIndex.Limits(builder.maxFileBytes, builder.maxFiles, builder.maxTotalBytes);
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
        PassageIndex passages = index().passages();
        if (!passages.open()) {
            throw closedException();
        }
        try {
            try {
                return passages.search(query, limit);
            } finally {
                passages.done();
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /**
     * Tells what is indexed and what was left out; builds the index if need be.
     *
     * @throws ConfigurationException if the folder can no longer be read
     * @throws ChargehandException with code {@code search-closed} if this search is closed
     * @throws InterruptedException if the thread was interrupted while the index was being built
     */
    public SearchReport report() throws InterruptedException {
        return index().report();
    }

    /** Frees the index; searches under way end well, later ones fail. Harmless when repeated. */
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

    private FolderIndex index() throws InterruptedException {
        FolderIndex ready = index;
        if (ready != null) {
            return ready;
        }
        lock.lockInterruptibly();
        try {
            if (closed) {
                throw closedException();
            }
            ready = index;
            if (ready == null) {
                ready = FolderIndex.of(paths, kinds, limits);
                index = ready;
            }
            return ready;
        } catch (IOException e) {
            throw failed(e);
        } finally {
            lock.unlock();
        }
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

        private final Path folder;
        private @Nullable String sourcePrefix;
        private Set<String> kinds = Set.of(".md", ".markdown", ".mdx", ".txt", ".rst", ".adoc", ".text");
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
         * <p>Unless set: .md .markdown .mdx .txt .rst .adoc .text. The first three are read as Markdown, all others by
         * paragraphs.
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

        /** Sets how many bytes of one file are indexed, 5,000,000 unless set; of a larger file the rest is left out. */
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
