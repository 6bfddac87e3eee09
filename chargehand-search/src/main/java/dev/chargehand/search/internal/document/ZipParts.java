package dev.chargehand.search.internal.document;

import dev.chargehand.search.report.SearchReport.Reason;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Unpacks the parts of an office document that are read, and no more than a document has. */
final class ZipParts {

    /** The most bytes of all parts together. */
    static final int MOST_BYTES = 100_000_000;

    private static final int MOST_PARTS = 20_000;

    private final Map<String, byte[]> parts;

    private ZipParts(Map<String, byte[]> parts) {
        this.parts = parts;
    }

    static ZipParts of(byte[] archive, Predicate<String> wanted) throws IOException {
        if (archive.length > 3 && (archive[0] & 0xFF) == 0xD0 && (archive[1] & 0xFF) == 0xCF) {
            throw new UnreadableDocumentException(
                    Reason.ENCRYPTED, "needs a password, or is of an older format than its name says");
        }
        Map<String, byte[]> parts = new HashMap<>();
        int left = MOST_BYTES;
        int count = 0;
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (++count > MOST_PARTS) {
                    throw new UnreadableDocumentException(Reason.TOO_COSTLY, "has more than " + MOST_PARTS + " parts");
                }
                if (wanted.test(entry.getName())) {
                    byte[] part = zip.readNBytes(left + 1);
                    left -= part.length;
                    if (left < 0) {
                        throw new UnreadableDocumentException(
                                Reason.TOO_COSTLY, "unpacks to more than " + MOST_BYTES + " bytes");
                    }
                    parts.putIfAbsent(entry.getName(), part);
                }
            }
        }
        if (count == 0) {
            throw UnreadableDocumentException.damaged("it is not a ZIP archive");
        }
        return new ZipParts(parts);
    }

    boolean has(String name) {
        return parts.containsKey(name);
    }

    /** Read a part that the document cannot be without. */
    Xml open(String name) throws IOException {
        byte[] part = parts.get(name);
        if (part == null) {
            throw UnreadableDocumentException.damaged("it has no " + name);
        }
        return new Xml(part);
    }
}
