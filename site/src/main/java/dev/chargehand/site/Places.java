package dev.chargehand.site;

import java.nio.file.Path;
import java.util.Locale;

/** The paths of the site. Paths have slashes and no dots on every platform. */
final class Places {

    private static final String DOCUMENTS = "docs/";
    private static final String INDEX = "README.md";
    private static final String MARKDOWN = ".md";

    private Places() {}

    static boolean isMarkdown(String source) {
        return source.endsWith(MARKDOWN);
    }

    static boolean isIndex(String source) {
        return Path.of(source).endsWith(INDEX);
    }

    /** Return where a file of the repository stands on the site: {@code docs/adr/README.md} is {@code adr/index.html}. */
    static String target(String source) {
        boolean document = source.startsWith(DOCUMENTS);
        String place = document ? source.substring(DOCUMENTS.length()) : source;
        if (!isMarkdown(source)) {
            return place;
        }
        if (isIndex(source)) {
            return folder(place) + "index.html";
        }
        String name = place.substring(0, place.length() - MARKDOWN.length()) + ".html";
        return document ? name : name.toLowerCase(Locale.ROOT);
    }

    /** Return the folder of a path, with a slash at its end, or nothing if it is the root. */
    static String folder(String path) {
        return path.substring(0, path.lastIndexOf('/') + 1);
    }

    /** Return the way from one file to another. */
    static String between(String from, String to) {
        return slashes(Path.of(folder(from)).relativize(Path.of(to)));
    }

    /** Return what a relative path means in a file; it starts with {@code ..} if it leads out of the root. */
    static String resolve(String from, String relative) {
        return slashes(Path.of(folder(from)).resolve(relative).normalize());
    }

    static String slashes(Path path) {
        return path.toString().replace('\\', '/');
    }
}
