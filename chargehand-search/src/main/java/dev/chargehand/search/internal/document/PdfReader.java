package dev.chargehand.search.internal.document;

import dev.chargehand.search.report.SearchReport.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.util.Objects;
import org.apache.fontbox.FontBoxFont;
import org.apache.fontbox.ttf.TTFParser;
import org.apache.fontbox.ttf.TrueTypeFont;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.io.RandomAccessReadBuffer;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.encryption.InvalidPasswordException;
import org.apache.pdfbox.pdmodel.font.CIDFontMapping;
import org.apache.pdfbox.pdmodel.font.FontMapper;
import org.apache.pdfbox.pdmodel.font.FontMappers;
import org.apache.pdfbox.pdmodel.font.FontMapping;
import org.apache.pdfbox.pdmodel.font.PDCIDSystemInfo;
import org.apache.pdfbox.pdmodel.font.PDFontDescriptor;
import org.apache.pdfbox.text.PDFTextStripper;
import org.jspecify.annotations.Nullable;

/** Reads the text of a PDF, page by page. Files with a password, or without text, are skipped. */
final class PdfReader {

    private PdfReader() {}

    static void read(byte[] bytes, DocumentText.Builder text) throws IOException {
        FontMappers.set(NoSystemFonts.INSTANCE);
        try (PDDocument document = Loader.loadPDF(bytes)) {
            String title = document.getDocumentInformation().getTitle();
            text.title(title == null ? "" : title);
            Pages pages = new Pages(text);
            pages.writeText(document, new StringWriter());
            if (!pages.found) {
                throw new UnreadableDocumentException(Reason.NO_TEXT, "has no text: its pages are images, or empty");
            }
        } catch (InvalidPasswordException e) {
            throw new UnreadableDocumentException(Reason.ENCRYPTED, "needs a password");
        }
    }

    /** Takes the text of each page as it is finished. */
    private static final class Pages extends PDFTextStripper {

        private final DocumentText.Builder text;
        private boolean found;

        Pages(DocumentText.Builder text) {
            this.text = text;
            setLineSeparator("\n");
        }

        @Override
        protected void endPage(PDPage page) throws IOException {
            StringWriter written = (StringWriter) getOutput();
            String words = written.toString();
            written.getBuffer().setLength(0);
            if (!words.isBlank()) {
                found = true;
                text.add("p" + getCurrentPageNo(), words);
                text.end();
            }
        }
    }

    /**
     * A substitute for fonts that a file names and does not contain. Their shapes do not matter here; looking for them
     * would read every font of the machine, and leave a cache in the user's home.
     */
    private static final class NoSystemFonts implements FontMapper {

        static final NoSystemFonts INSTANCE = new NoSystemFonts();

        private static final String FONT = "/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf";

        private @Nullable TrueTypeFont font;

        @Override
        public FontMapping<TrueTypeFont> getTrueTypeFont(String name, @Nullable PDFontDescriptor descriptor) {
            return new FontMapping<>(font(), true);
        }

        @Override
        public FontMapping<FontBoxFont> getFontBoxFont(String name, @Nullable PDFontDescriptor descriptor) {
            return new FontMapping<>(font(), true);
        }

        @Override
        public CIDFontMapping getCIDFont(
                String name, @Nullable PDFontDescriptor descriptor, @Nullable PDCIDSystemInfo collection) {
            return new CIDFontMapping(null, font(), true);
        }

        private TrueTypeFont font() {
            TrueTypeFont there = font;
            if (there == null) {
                try (InputStream in = Objects.requireNonNull(PDDocument.class.getResourceAsStream(FONT))) {
                    there = new TTFParser().parse(new RandomAccessReadBuffer(in));
                } catch (IOException e) {
                    throw new IllegalStateException("PDFBox's own font cannot be read.", e);
                }
                font = there;
            }
            return there;
        }
    }
}
