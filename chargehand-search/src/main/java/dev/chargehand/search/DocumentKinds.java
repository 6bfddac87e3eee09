package dev.chargehand.search;

import dev.chargehand.search.SearchReport.Reason;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Tells by their names which files are documents rather than texts, and reads them. */
final class DocumentKinds {

    static final Set<String> PAGES = Set.of(".html", ".htm", ".xhtml");

    private static final Set<String> OFFICE = Set.of(".pdf", ".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp");

    private DocumentKinds() {}

    /** Returns the end of a document's name; nothing for a text. */
    static Optional<String> of(String name) {
        String end = name.substring(Math.max(0, name.lastIndexOf('.'))).toLowerCase(Locale.ROOT);
        return PAGES.contains(end) || OFFICE.contains(end) ? Optional.of(end) : Optional.empty();
    }

    /** Whether the beginning of such a document can be read without its end. */
    static boolean mayBeCut(String end) {
        return PAGES.contains(end);
    }

    /**
     * Reads a document. It may be hostile: this may take any time and memory, so it belongs into a process of its own.
     *
     * @throws UnreadableDocument if it is left out
     */
    static DocumentText read(String end, byte[] bytes) throws UnreadableDocument {
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
        } catch (UnreadableDocument e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw UnreadableDocument.damaged(e);
        } catch (StackOverflowError e) {
            throw new UnreadableDocument(Reason.TOO_COSTLY, "is nested too deeply");
        } catch (NoClassDefFoundError e) {
            throw new UnreadableDocument(
                    Reason.UNSUPPORTED, "needs the library org.apache.pdfbox:pdfbox, which is not on the class path");
        }
    }
}
