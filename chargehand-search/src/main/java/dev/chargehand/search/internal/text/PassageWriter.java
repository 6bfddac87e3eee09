package dev.chargehand.search.internal.text;

import dev.chargehand.search.internal.text.PassageCutter.Piece;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;

/**
 * Changes an index, file by file: a file's row and its passages change together or not at all. {@link #close} undoes
 * uncommitted changes. Not thread-safe.
 */
public final class PassageWriter implements Closeable {

    /** Identifies the version, settings and folder of an index in its commits. */
    static final String IDENTITY = "chargehand";

    /** Where the row of a file is, so that it can be changed alone. */
    private static final String ROW_OF = "row-of";

    private final IndexWriter writer;
    private final String identity;

    private PassageWriter(IndexWriter writer, String identity) {
        this.writer = writer;
        this.identity = identity;
    }

    /** Open a directory, which may be empty, for writing. */
    public static PassageWriter open(Directory directory, String identity) throws IOException {
        // Merges on the calling thread: no thread of Lucene's outlives a search.
        return new PassageWriter(
                new IndexWriter(
                        directory,
                        new IndexWriterConfig(Analyzers.byField())
                                .setMergeScheduler(new SerialMergeScheduler())
                                .setCommitOnClose(false)),
                identity);
    }

    /**
     * What the index knows of its files; nothing if its last commit is one of another kind, whose content is dropped.
     */
    public Map<String, FileRow> begin() throws IOException {
        if (!identity.equals(identity(writer.getLiveCommitData()))) {
            writer.deleteAll();
            return Map.of();
        }
        try (DirectoryReader reader = DirectoryReader.open(writer)) {
            return PassageIndex.rows(reader);
        }
    }

    static String identity(@org.jspecify.annotations.Nullable Iterable<Map.Entry<String, String>> commitData) {
        if (commitData != null) {
            for (Map.Entry<String, String> entry : commitData) {
                if (entry.getKey().equals(IDENTITY)) {
                    return entry.getValue();
                }
            }
        }
        return "";
    }

    /** Replace the stored version of a file. */
    public void replace(String path, String words, FileRow row, List<Piece> pieces) throws IOException {
        List<Document> documents = new ArrayList<>();
        Document file = new Document();
        file.add(new StringField(PassageIndex.PATH, path, Field.Store.YES));
        file.add(new StringField(ROW_OF, path, Field.Store.NO));
        file.add(new BinaryDocValuesField(PassageIndex.ROW, new BytesRef(row.encoded())));
        documents.add(file);
        for (Piece piece : pieces) {
            documents.add(document(path, words, documents.size(), piece));
        }
        writer.updateDocuments(new Term(PassageIndex.PATH, path), documents);
    }

    private static Document document(String path, String words, int number, Piece piece) {
        Document document = new Document();
        document.add(new StringField(PassageIndex.PATH, path, Field.Store.YES));
        document.add(new SortedDocValuesField(PassageIndex.ORDERED, new BytesRef(path)));
        document.add(new NumericDocValuesField(PassageIndex.NUMBER, number));
        document.add(new StoredField(PassageIndex.PLACE, piece.place()));
        document.add(new Field(PassageIndex.HEADING, piece.heading(), type(true)));
        document.add(new Field(PassageIndex.TEXT, piece.text(), type(true)));
        document.add(new Field(PassageIndex.NAMES, piece.heading() + "\n" + piece.text(), type(false)));
        document.add(new Field(PassageIndex.FILE, words, type(false)));
        return document;
    }

    /** Change what is known of a file whose passages stay. */
    public void know(String path, FileRow row) throws IOException {
        writer.updateBinaryDocValue(new Term(ROW_OF, path), PassageIndex.ROW, new BytesRef(row.encoded()));
    }

    public void remove(String path) throws IOException {
        writer.deleteDocuments(new Term(PassageIndex.PATH, path));
    }

    /** Make lasting what was done so far. */
    public void commit() throws IOException {
        writer.setLiveCommitData(Map.of(IDENTITY, identity).entrySet());
        writer.commit();
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
