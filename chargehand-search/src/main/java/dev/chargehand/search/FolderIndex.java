package dev.chargehand.search;

import dev.chargehand.search.SearchReport.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** The index of a folder as it was at one time, and what is to be said of it. */
record FolderIndex(PassageIndex passages, SearchReport report) {

    /**
     * How much is indexed.
     *
     * @param fileBytes of one file
     * @param files the most files
     * @param totalBytes after which no further file is read
     */
    record Limits(int fileBytes, int files, long totalBytes) {}

    /** Reads the files whose names have one of the ends, in the order of their paths. */
    static FolderIndex of(ShownPaths paths, Set<String> kinds, Limits limits) throws IOException, InterruptedException {
        SkippedFiles skipped = new SkippedFiles(paths);
        try (VectorNotice ignored = VectorNotice.silenced();
                PassageIndex.Writer writer = new PassageIndex.Writer()) {
            int files = 0;
            int passages = 0;
            long bytes = 0;
            for (Path file : FolderFiles.list(paths, kinds, skipped)) {
                if (Thread.interrupted()) {
                    throw new InterruptedException("Interrupted while indexing.");
                }
                if (files == limits.files() || bytes >= limits.totalBytes()) {
                    skipped.add(file, Reason.TOO_MUCH, "comes after the limit of files or of bytes was reached");
                    continue;
                }
                TextFile text = TextFile.read(paths.root(), file, limits.fileBytes(), skipped)
                        .orElse(null);
                if (text != null) {
                    files++;
                    bytes += text.bytes();
                    for (Passage passage : passages(paths.shown(file), text.lines())) {
                        writer.add(paths.words(file), passage);
                        passages++;
                    }
                }
            }
            PassageIndex index = writer.finish();
            index.search("warm", 1); // so that Lucene gives its notice now
            return new FolderIndex(index, new SearchReport(files, passages, skipped.byPath()));
        }
    }

    private static List<Passage> passages(String file, List<String> lines) {
        String name = file.toLowerCase(Locale.ROOT);
        boolean markdown = Stream.of(".md", ".markdown", ".mdx").anyMatch(name::endsWith);
        return PassageCutter.cut(file, lines, markdown ? MarkdownBlocks.of(lines) : TextBlocks.of(lines));
    }
}
