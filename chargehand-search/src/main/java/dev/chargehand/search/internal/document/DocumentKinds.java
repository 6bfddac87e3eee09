package dev.chargehand.search.internal.document;

import dev.chargehand.search.report.SearchReport.Reason;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Recognises documents by their file names, and reads them. */
public final class DocumentKinds {

    static final Set<String> PAGES = Set.of(".html", ".htm", ".xhtml");

    private static final Set<String> OFFICE = Set.of(".pdf", ".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp");

    private DocumentKinds() {}

    /** Return the end of a document's name; nothing for a text. */
    public static Optional<String> of(String name) {
        String end = name.substring(Math.max(0, name.lastIndexOf('.'))).toLowerCase(Locale.ROOT);
        return PAGES.contains(end) || OFFICE.contains(end) ? Optional.of(end) : Optional.empty();
    }

    /** Return whether the start of such a document can be read without its end. */
    public static boolean mayBeCut(String end) {
        return PAGES.contains(end);
    }

    /**
     * Read a document. It may be hostile: this may take any time and memory, so it belongs in a process of its own.
     *
     * @throws UnreadableDocumentException if it is left out
     */
    public static DocumentText read(String end, byte[] bytes) throws UnreadableDocumentException {
        DocumentText.Builder text = new DocumentText.Builder();
        try {
            switch (end) {
                case ".pdf" -> PdfReader.read(bytes, text);
                case ".docx" -> WordReader.read(bytes, text);
                case ".xlsx" -> SheetsReader.read(bytes, text);
                case ".pptx" -> SlidesReader.read(bytes, text);
                case ".odt", ".ods", ".odp" -> OpenDocumentReader.read(end, bytes, text);
                default -> HtmlReader.read(bytes, text);
            }
            return text.finish();
        } catch (DocumentText.Builder.Full e) {
            return text.build(true);
        } catch (UnreadableDocumentException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw UnreadableDocumentException.damaged(e);
        } catch (StackOverflowError e) {
            throw new UnreadableDocumentException(Reason.TOO_COSTLY, "is nested too deeply");
        } catch (NoClassDefFoundError e) {
            throw new UnreadableDocumentException(
                    Reason.UNSUPPORTED, "needs the library org.apache.pdfbox:pdfbox, which is not on the class path");
        }
    }
}
