package dev.chargehand.search;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.miscellaneous.PerFieldAnalyzerWrapper;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;

/** Passages in a Lucene index in memory. Thread-safe once it is built. */
final class PassageIndex implements Closeable {

    static final String TEXT = "text";
    static final String HEADING = "heading";
    static final String NAMES = "names";
    static final String FILE = "file";

    private static final String SOURCE = "source";

    private final Directory directory;
    private final DirectoryReader reader;
    private final IndexSearcher searcher;
    private final PassageQuery queries;

    private PassageIndex(Directory directory, DirectoryReader reader, PassageQuery queries) {
        this.directory = directory;
        this.reader = reader;
        this.searcher = new IndexSearcher(reader);
        this.searcher.setQueryCache(null);
        this.queries = queries;
    }

    /** Returns the best passages, best first; those that are equally good in the order of files and lines. */
    List<Passage> search(String text, int limit) throws IOException {
        Optional<Query> query = queries.of(text);
        if (query.isEmpty()) {
            return List.of();
        }
        List<Passage> passages = new ArrayList<>();
        StoredFields stored = searcher.storedFields();
        for (ScoreDoc hit : searcher.search(query.get(), limit).scoreDocs) {
            Document found = stored.document(hit.doc);
            passages.add(new Passage(found.get(SOURCE), found.get(HEADING), found.get(TEXT)));
        }
        return passages;
    }

    /** Begins a use of the index; false if it is closed. */
    boolean open() {
        return reader.tryIncRef();
    }

    /** Ends a use; the memory is free when the index is closed and its last use has ended. */
    void done() throws IOException {
        reader.decRef();
    }

    @Override
    public void close() throws IOException {
        reader.close();
        directory.close();
    }

    /** Takes the passages; {@link #finish} or {@link #close} ends it. Not thread-safe. */
    static final class Writer implements Closeable {

        private final Directory directory = new ByteBuffersDirectory();
        private final Analyzer prose = new EnglishAnalyzer();
        private final Analyzer names = new NameAnalyzer();
        private final IndexWriter writer;

        Writer() throws IOException {
            Analyzer analyzer = new PerFieldAnalyzerWrapper(prose, Map.of(NAMES, names, FILE, names));
            // Merges on the calling thread: no thread of Lucene's outlives a search.
            writer = new IndexWriter(
                    directory, new IndexWriterConfig(analyzer).setMergeScheduler(new SerialMergeScheduler()));
        }

        void add(String fileWords, Passage passage) throws IOException {
            Document document = new Document();
            document.add(new StoredField(SOURCE, passage.source()));
            document.add(new Field(HEADING, passage.heading(), type(true)));
            document.add(new Field(TEXT, passage.text(), type(true)));
            document.add(new Field(NAMES, passage.heading() + "\n" + passage.text(), type(false)));
            document.add(new Field(FILE, fileWords, type(false)));
            writer.addDocument(document);
        }

        PassageIndex finish() throws IOException {
            writer.close();
            return new PassageIndex(directory, DirectoryReader.open(directory), new PassageQuery(prose, names));
        }

        @Override
        public void close() throws IOException {
            writer.rollback();
        }

        private static FieldType type(boolean stored) {
            FieldType type = new FieldType();
            type.setTokenized(true);
            type.setStored(stored);
            type.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
            type.freeze();
            return type;
        }
    }
}
