package dev.chargehand.search.internal.folder;

import dev.chargehand.search.internal.document.Block;
import dev.chargehand.search.internal.document.DocumentKinds;
import dev.chargehand.search.internal.document.DocumentReader;
import dev.chargehand.search.internal.document.DocumentText;
import dev.chargehand.search.internal.document.UnreadableDocumentException;
import dev.chargehand.search.internal.folder.FolderFiles.Found;
import dev.chargehand.search.internal.text.DataBlocks;
import dev.chargehand.search.internal.text.FileRow;
import dev.chargehand.search.internal.text.MarkdownBlocks;
import dev.chargehand.search.internal.text.PassageCutter;
import dev.chargehand.search.internal.text.PassageCutter.Piece;
import dev.chargehand.search.internal.text.TableBlocks;
import dev.chargehand.search.internal.text.TextBlocks;
import dev.chargehand.search.internal.text.TextFile;
import dev.chargehand.search.report.SearchReport.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the files of a folder. Used by one thread. */
public final class FileReading {

    private final Path root;
    private final ReadingLimits limits;
    private final DocumentReader documents;

    /**
     * Prepare reading.
     *
     * @param root the real path of the folder that every file must be in
     */
    public FileReading(Path root, ReadingLimits limits, DocumentReader documents) {
        this.root = root;
        this.limits = limits;
        this.documents = documents;
    }

    /** The bytes of a file; there may be more of them. */
    private static final class Bytes {
        private final Found found;
        private final byte[] bytes;
        private final boolean more;
        private final String hash;

        Bytes(Found found, byte[] bytes, boolean more, String hash) {
            this.found = found;
            this.bytes = bytes;
            this.more = more;
            this.hash = hash;
        }
    }

    /**
     * What a file came to.
     *
     * @param pieces its passages; nothing if those that the index has are still right
     */
    public record Read(FileRow row, Optional<List<Piece>> pieces) {}

    /**
     * Read a file as far as it is indexed.
     *
     * @param before what is known of it, or null
     * @param again whether what was impossible before is to be tried again
     */
    public Read read(Found found, @Nullable FileRow before, boolean again, long now) throws InterruptedException {
        Bytes bytes = new Bytes(found, new byte[0], false, "");
        try {
            bytes = bytes(found);
            if (before != null && before.hash().equals(bytes.hash) && !(again && before.passing())) {
                return new Read(before.at(found.stamp(), now), Optional.empty());
            }
            DocumentText text = text(bytes);
            List<Piece> pieces = PassageCutter.cut(text);
            Reason reason = text.cut() ? Reason.TRUNCATED : null;
            return new Read(
                    row(bytes, now, true, pieces.size(), reason, text.cut() ? cut(bytes) : ""), Optional.of(pieces));
        } catch (UnreadableDocumentException e) {
            return left(bytes, now, e.reason(), String.valueOf(e.getMessage()));
        } catch (IOException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException("Interrupted while indexing.");
            }
            return left(bytes, now, Reason.UNREADABLE, SkippedFiles.why(e));
        }
    }

    /**
     * Return the text of a file as far as it is indexed.
     *
     * @throws UnreadableDocumentException if it is left out
     */
    DocumentText text(Found found) throws IOException, InterruptedException {
        return text(bytes(found));
    }

    private static Read left(Bytes bytes, long now, Reason reason, String detail) {
        return new Read(row(bytes, now, false, 0, reason, detail), Optional.of(List.of()));
    }

    private String cut(Bytes bytes) {
        return bytes.more
                ? "is larger than " + most(bytes.found) + " bytes: only that much is indexed"
                : "has more than " + DocumentText.Builder.MOST_CHARACTERS + " characters: only that much is indexed";
    }

    private Bytes bytes(Found found) throws IOException {
        Path file = found.file();
        if (!file.toRealPath().startsWith(root)) {
            throw new UnreadableDocumentException(Reason.OUTSIDE_FOLDER, "has been moved out of the folder by a link");
        }
        int most = most(found);
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            byte[] bytes = in.readNBytes(most);
            boolean more = bytes.length == most && in.read() >= 0;
            return new Bytes(found, bytes, more, hash(bytes, more));
        }
    }

    private static FileRow row(
            Bytes bytes, long lookedAt, boolean indexed, int passages, @Nullable Reason reason, String detail) {
        return new FileRow(
                bytes.found.stamp(),
                lookedAt,
                bytes.hash,
                bytes.bytes.length,
                indexed,
                passages,
                reason,
                detail,
                reason == Reason.UNSUPPORTED || reason == Reason.UNREADABLE || reason == Reason.OUTSIDE_FOLDER);
    }

    private DocumentText text(Bytes bytes) throws IOException, InterruptedException {
        Optional<String> document = DocumentKinds.of(name(bytes.found));
        return document.isPresent() ? document(document.get(), bytes) : plain(bytes);
    }

    private DocumentText document(String end, Bytes bytes) throws IOException, InterruptedException {
        if (bytes.more && !DocumentKinds.mayBeCut(end)) {
            throw new UnreadableDocumentException(
                    Reason.TOO_COSTLY, "is larger than " + limits.documentBytes() + " bytes, the limit for a document");
        }
        DocumentText text = documents.read(end, bytes.bytes);
        return bytes.more ? new DocumentText(text.lines(), text.places(), text.blocks(), true) : text;
    }

    private static DocumentText plain(Bytes bytes) throws UnreadableDocumentException {
        List<String> lines = TextFile.lines(bytes.bytes, bytes.more)
                .orElseThrow(() -> new UnreadableDocumentException(Reason.BINARY, "is not a text"));
        String name = name(bytes.found);
        return new DocumentText(lines, List.of(), blocks(name, lines), bytes.more);
    }

    private static List<Block> blocks(String name, List<String> lines) {
        if (Stream.of(".md", ".markdown", ".mdx").anyMatch(name::endsWith)) {
            return MarkdownBlocks.of(lines);
        }
        if (DataBlocks.areIn(name)) {
            return DataBlocks.of(lines);
        }
        return TableBlocks.areIn(name) ? TableBlocks.of(lines) : TextBlocks.of(lines);
    }

    private int most(Found found) {
        return DocumentKinds.of(name(found))
                        .filter(end -> !DocumentKinds.mayBeCut(end))
                        .isPresent()
                ? limits.documentBytes()
                : limits.fileBytes();
    }

    private static String name(Found found) {
        return found.file().toString().toLowerCase(Locale.ROOT);
    }

    private static String hash(byte[] bytes, boolean more) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(Arrays.copyOf(digest, 16)) + (more ? "+" : "");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }
}
