package dev.chargehand.search.internal.text;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;

/** Passages in a Lucene index in memory, as of one commit. Thread-safe. */
public final class PassageIndex implements Closeable {

    public static final String TEXT = "text";
    public static final String HEADING = "heading";
    public static final String NAMES = "names";
    public static final String FILE = "file";
    static final String PATH = "path";
    static final String ORDERED = "path-ordered";
    static final String PLACE = "place";
    static final String NUMBER = "number";
    static final String ROW = "row";

    /** The best first; those that are equally good in the order of files and places, however they were added. */
    private static final Sort ORDER = new Sort(
            SortField.FIELD_SCORE,
            new SortField(ORDERED, SortField.Type.STRING),
            new SortField(NUMBER, SortField.Type.INT));

    private static final Sort BY_PLACE =
            new Sort(new SortField(ORDERED, SortField.Type.STRING), new SortField(NUMBER, SortField.Type.INT));

    private final ByteBuffersDirectory directory;
    private final DirectoryReader reader;
    private final IndexSearcher searcher;
    private final Map<String, FileRow> rows;

    /**
     * A passage that was found.
     *
     * @param path the key of its file
     * @param number its place among the passages of its file
     * @param score how well the query fits it; only to be compared with others of the same query
     */
    public record Hit(String path, String place, int number, String heading, String text, float score) {}

    private PassageIndex(ByteBuffersDirectory directory, DirectoryReader reader) throws IOException {
        this.directory = directory;
        this.reader = reader;
        this.searcher = new IndexSearcher(reader);
        this.searcher.setQueryCache(null);
        this.rows = Map.copyOf(rows(reader));
    }

    /** Open the last commit of a directory. */
    public static PassageIndex open(ByteBuffersDirectory directory) throws IOException {
        DirectoryReader reader = DirectoryReader.open(directory);
        try {
            return new PassageIndex(directory, reader);
        } catch (IOException | RuntimeException e) {
            reader.close();
            throw e;
        }
    }

    /** What the index knows of its files, by their keys. */
    public static Map<String, FileRow> rows(DirectoryReader reader) throws IOException {
        Map<String, FileRow> rows = new HashMap<>();
        for (LeafReaderContext leaf : reader.leaves()) {
            BinaryDocValues values = leaf.reader().getBinaryDocValues(ROW);
            Bits live = leaf.reader().getLiveDocs();
            StoredFields stored = leaf.reader().storedFields();
            while (values != null && values.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
                if (live == null || live.get(values.docID())) {
                    BytesRef row = values.binaryValue();
                    rows.put(
                            stored.document(values.docID()).get(PATH),
                            FileRow.decoded(row.bytes, row.offset, row.length));
                }
            }
        }
        return rows;
    }

    /** Return the passages that fit a query best, best first; those that are equally good in the order of files and lines. */
    public List<Hit> search(Query query, int limit) throws IOException {
        List<Hit> hits = new ArrayList<>();
        StoredFields stored = searcher.storedFields();
        for (ScoreDoc hit : searcher.search(query, limit, ORDER, true).scoreDocs) {
            hits.add(hit(stored.document(hit.doc), hit.score, number(hit)));
        }
        return hits;
    }

    private static Hit hit(Document found, float score, int number) {
        return new Hit(found.get(PATH), found.get(PLACE), number, found.get(HEADING), found.get(TEXT), score);
    }

    /** The searcher sorts by this number as well, and reports what it sorted by. */
    private static int number(ScoreDoc hit) {
        Object[] sortedBy = ((FieldDoc) hit).fields;
        return sortedBy[sortedBy.length - 1] instanceof Integer number ? number : 0;
    }

    /** Return how many passages have a term in their text, their heading or a name. */
    public int frequency(String term) throws IOException {
        return Math.max(
                reader.docFreq(new Term(NAMES, term)),
                Math.max(reader.docFreq(new Term(TEXT, term)), reader.docFreq(new Term(HEADING, term))));
    }

    /** Return how many passages there are. */
    public int size() throws IOException {
        return reader.getDocCount(TEXT);
    }

    /** Return passages of documents with a heading, in the order of files and places; entries and rows have keys and columns instead. */
    public List<Hit> headed(int limit) throws IOException {
        List<Hit> hits = new ArrayList<>();
        StoredFields stored = searcher.storedFields();
        for (ScoreDoc hit : searcher.search(MatchAllDocsQuery.INSTANCE, Integer.MAX_VALUE, BY_PLACE).scoreDocs) {
            Document found = stored.document(hit.doc);
            String heading = found.get(HEADING);
            String name = found.get(PATH).toLowerCase(Locale.ROOT);
            if (heading != null && !heading.isEmpty() && !DataBlocks.areIn(name) && !TableBlocks.areIn(name)) {
                hits.add(hit(found, 0, number(hit)));
            }
            if (hits.size() == limit) {
                break;
            }
        }
        return hits;
    }

    public Map<String, FileRow> rows() {
        return rows;
    }

    public ByteBuffersDirectory directory() {
        return directory;
    }

    /** Register a use of the index; false if it is closed. */
    public boolean open() {
        return reader.tryIncRef();
    }

    /** End a use; the memory is free when the index is closed and its last use has ended. */
    public void done() throws IOException {
        reader.decRef();
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
