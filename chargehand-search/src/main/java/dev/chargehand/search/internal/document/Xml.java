package dev.chargehand.search.internal.document;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Locale;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads a part of an office document, element by element, without keeping it.
 *
 * <p>Such parts have no document type; a part with one is rejected, so that no entity is ever resolved. Names
 * are read without their prefixes: the same vocabulary comes with several addresses, but never two in one part that
 * would be mistaken for each other here.
 */
final class Xml {

    private static final int DEEPEST = 1_000;

    private final XMLStreamReader reader;
    private int depth;

    Xml(byte[] part) throws IOException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setXMLResolver((publicId, systemId, base, namespace) -> {
            throw new XMLStreamException("nothing outside the document is read");
        });
        try {
            reader = factory.createXMLStreamReader(new ByteArrayInputStream(part));
        } catch (XMLStreamException e) {
            throw UnreadableDocumentException.damaged(e);
        }
    }

    /** Advance to the next start tag, end tag or text; false at the end of the part. */
    boolean next() throws IOException {
        try {
            while (reader.hasNext()) {
                switch (reader.next()) {
                    case XMLStreamConstants.DTD ->
                        throw UnreadableDocumentException.damaged(
                                "it has a document type, which no office document has");
                    case XMLStreamConstants.START_ELEMENT -> {
                        if (++depth > DEEPEST) {
                            throw UnreadableDocumentException.damaged(
                                    "it is nested deeper than " + DEEPEST + " elements");
                        }
                        return true;
                    }
                    case XMLStreamConstants.END_ELEMENT -> {
                        depth--;
                        return true;
                    }
                    case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
                        return true;
                    }
                    default -> {}
                }
            }
            return false;
        } catch (XMLStreamException e) {
            throw UnreadableDocumentException.damaged(e);
        }
    }

    boolean begins(String name) {
        return reader.isStartElement() && reader.getLocalName().equals(name);
    }

    boolean ends(String name) {
        return reader.isEndElement() && reader.getLocalName().equals(name);
    }

    /** The name of the element that starts or ends here; empty for text. */
    String name() {
        return isText() ? "" : reader.getLocalName();
    }

    boolean begins() {
        return reader.isStartElement();
    }

    /** The text here; empty for a start or an end. */
    String text() {
        return isText() ? reader.getText() : "";
    }

    private boolean isText() {
        return !reader.isStartElement() && !reader.isEndElement();
    }

    /** An attribute of the element that starts here, by its name without prefix; empty if missing. */
    String attribute(String name) {
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            if (reader.getAttributeLocalName(i).equals(name)) {
                return reader.getAttributeValue(i);
            }
        }
        return "";
    }

    /** An attribute with a prefix, where another without one has the same name. */
    String attribute(String namespaceEnd, String name) {
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            String namespace = reader.getAttributeNamespace(i);
            if (reader.getAttributeLocalName(i).equals(name)
                    && namespace != null
                    && namespace.toLowerCase(Locale.ROOT).endsWith(namespaceEnd)) {
                return reader.getAttributeValue(i);
            }
        }
        return "";
    }

    /** A number from an attribute; the one given if there is none. */
    int number(String name, int otherwise) {
        String value = attribute(name);
        try {
            return value.isEmpty() ? otherwise : Integer.parseInt(value);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    /** Skip the element that starts here. */
    void skip() throws IOException {
        int outside = depth - 1;
        while (depth > outside && next()) {
            // what is in it is not wanted
        }
    }
}
