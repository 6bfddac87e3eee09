package dev.chargehand.provider.connection;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.MessageHeaders;

/**
 * What the head of an answer says about its body.
 *
 * @param headers the headers
 */
record ResponseHead(MessageHeaders headers) {

    private static final String EVENTS = "text/event-stream";
    private static final Pattern MEDIA_TYPE = Pattern.compile("[a-z0-9.+-]{1,40}/[a-z0-9.+-]{1,60}");

    /** A body is encoded in a way that was not asked for. Its message is part of a sentence. */
    static final class UnknownEncodingException extends IOException {

        private static final long serialVersionUID = 1L;

        private UnknownEncodingException() {
            super("the answer is encoded in a way that was not asked for and is not read");
        }
    }

    /**
     * Return the body as it was before it was encoded.
     *
     * @throws UnknownEncodingException if it cannot be read
     */
    InputStream decoded(InputStream raw) throws IOException {
        String encoding = text("Content-Encoding").toLowerCase(Locale.ROOT);
        return switch (encoding) {
            case "", "identity" -> raw;
            case "gzip", "x-gzip" -> new GZIPInputStream(raw);
            default -> throw new UnknownEncodingException();
        };
    }

    /** Return the media type without parameters; empty if there is none. */
    String mediaType() {
        String type = text("Content-Type");
        int end = type.indexOf(';');
        String media = (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        if (media.equals(EVENTS)) {
            return EVENTS; // what nearly every answer is
        }
        return media.isEmpty() || MEDIA_TYPE.matcher(media).matches() ? media : "of an unreadable type";
    }

    /** Return a header without white space around it; empty if it is missing. */
    String text(String name) {
        Header header = headers.getFirstHeader(name);
        String value = header == null ? null : header.getValue();
        return value == null ? "" : value.strip();
    }

    /** Return scheme, host and port of the redirect: path and query may carry secrets. */
    String redirectOrigin() {
        try {
            URI uri = new URI(text("Location"));
            String host = uri.getHost();
            if (host == null) {
                return "another place";
            }
            String scheme = uri.getScheme() == null ? "" : uri.getScheme() + ":";
            return scheme + "//" + host + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
        } catch (URISyntaxException e) {
            return "another place";
        }
    }
}
