package dev.chargehand.site;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** What a link of a page refers to. */
sealed interface Reference {

    /**
     * Something of another site.
     *
     * @param address where
     */
    record External(String address) implements Reference {

        boolean wellFormed() {
            try {
                URI uri = new URI(address);
                return switch (String.valueOf(uri.getScheme())) {
                    case "https" -> uri.getHost() != null;
                    case "mailto" -> uri.getSchemeSpecificPart().contains("@");
                    default -> false;
                };
            } catch (URISyntaxException e) {
                return false;
            }
        }
    }

    /**
     * A file of the repository.
     *
     * @param path its path, from the root
     * @param written the path as it was written
     * @param anchor the place in it, or nothing
     */
    record Internal(String path, String written, String anchor) implements Reference {}

    Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:.*", Pattern.DOTALL);

    /** Return what a destination means in a page. */
    static Reference of(Page page, String destination, Repository repository) {
        if (SCHEME.matcher(destination).matches() || destination.startsWith("/")) {
            return new External(destination);
        }
        int mark = destination.indexOf('#');
        String written = mark < 0 ? destination : destination.substring(0, mark);
        String anchor = mark < 0 ? "" : decode(destination.substring(mark + 1));
        String path =
                written.isEmpty() ? page.source() : repository.find(Places.resolve(page.source(), decode(written)));
        return new Internal(path, written, anchor);
    }

    private static String decode(String written) {
        try {
            return URLDecoder.decode(written.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return written;
        }
    }
}
