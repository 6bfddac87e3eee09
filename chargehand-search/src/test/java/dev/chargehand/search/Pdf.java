package dev.chargehand.search;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.encryption.AccessPermission;
import org.apache.pdfbox.pdmodel.encryption.StandardProtectionPolicy;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts;
import org.apache.pdfbox.pdmodel.graphics.image.LosslessFactory;

/** Makes PDF files. */
final class Pdf {

    private Pdf() {}

    /** One with a page for each text, whose lines stand below each other. */
    static byte[] of(String title, String... pages) {
        return made(title, null, pages);
    }

    /** One that cannot be opened without a password. */
    static byte[] encrypted(String password, String... pages) {
        return made("", password, pages);
    }

    /** One whose only page is a picture. */
    static byte[] scanned() {
        try (PDDocument document = new PDDocument()) {
            PDPage page = new PDPage();
            document.addPage(page);
            try (PDPageContentStream content = new PDPageContentStream(document, page)) {
                BufferedImage picture = new BufferedImage(20, 20, BufferedImage.TYPE_INT_RGB);
                content.drawImage(LosslessFactory.createFromImage(document, picture), 10, 10);
            }
            return saved(document);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] made(String title, String password, String... pages) {
        try (PDDocument document = new PDDocument()) {
            document.getDocumentInformation().setTitle(title);
            PDType1Font font = new PDType1Font(Standard14Fonts.FontName.HELVETICA);
            for (String text : pages) {
                PDPage page = new PDPage();
                document.addPage(page);
                try (PDPageContentStream content = new PDPageContentStream(document, page)) {
                    content.beginText();
                    content.setFont(font, 12);
                    content.setLeading(15);
                    content.newLineAtOffset(50, 700);
                    for (String line : text.lines().toList()) {
                        content.showText(line);
                        content.newLine();
                    }
                    content.endText();
                }
            }
            if (password != null) {
                document.protect(new StandardProtectionPolicy("owner", password, new AccessPermission()));
            }
            return saved(document);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] saved(PDDocument document) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        document.save(bytes);
        return bytes.toByteArray();
    }
}
