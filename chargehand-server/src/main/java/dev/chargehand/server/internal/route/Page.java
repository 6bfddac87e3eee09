package dev.chargehand.server.internal.route;

import dev.chargehand.error.ConfigurationException;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A file of the application that the server sends as it is, such as a page that calls its routes. Any caller may read it, since a browser
 * reads a page before its user can sign in. Immutable.
 */
public final class Page {

    private static final Pattern SEGMENT = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*");
    private static final Pattern MEDIA_TYPE = Pattern.compile("[a-z]+/[A-Za-z0-9.+-]+(?:; ?[a-z]+=[A-Za-z0-9._-]+)?");

    private final String path;
    private final String mediaType;
    private final byte[] content;

    /**
     * Make a page.
     *
     * @throws ConfigurationException if the path or the media type is invalid
     */
    public Page(String path, String mediaType, byte[] content) {
        if (!isPlain(path)) {
            throw new ConfigurationException(
                    "The path of a page must be like '/shop' or '/shop/style.css', with letters, digits, dots, dashes and"
                            + " underscores, but is '" + path + "'.");
        }
        if (!MEDIA_TYPE.matcher(mediaType).matches()) {
            throw new ConfigurationException("The media type of page '" + path
                    + "' must be like 'text/html; charset=utf-8', but is '" + mediaType + "'.");
        }
        this.path = path;
        this.mediaType = mediaType;
        this.content = content.clone();
    }

    private static boolean isPlain(String path) {
        return path.startsWith("/")
                && Stream.of(path.substring(1).split("/", -1))
                        .allMatch(segment -> SEGMENT.matcher(segment).matches());
    }

    String path() {
        return path;
    }

    /** Return the route of the page. No page of another site may show it in a frame: a click could be a stolen approval. */
    Route route() {
        Map<String, String> headers = Map.of(
                "Content-Type", mediaType,
                "Cache-Control", "no-cache",
                "Content-Security-Policy", "frame-ancestors 'none'",
                "X-Content-Type-Options", "nosniff");
        Reply.Streamed reply = exchange -> exchange.send(200, headers, content);
        return new Route("GET", path, Route.Access.OPEN, "Return a page of the application", call -> reply);
    }
}
