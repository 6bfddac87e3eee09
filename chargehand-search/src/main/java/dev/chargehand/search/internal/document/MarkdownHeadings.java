package dev.chargehand.search.internal.document;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads headings and keeps those of the current line. */
public final class MarkdownHeadings {

    /** Longer lines are no headings; it also keeps the patterns below from working hard on a hostile file. */
    private static final int LONGEST = 400;

    private static final Pattern HASHES = Pattern.compile(" {0,3}(#{1,6})(?:[ \t](.*))?");
    private static final Pattern CLOSING_HASHES = Pattern.compile("(?:^|[ \t])#+$");
    private static final Pattern UNDERLINE = Pattern.compile(" {0,3}(?:=+|-+)[ \t]*");
    private static final Pattern IMAGE = Pattern.compile("!\\[[^\\]]*]\\([^)]*\\)");
    private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)]\\([^)]*\\)");
    private static final Pattern ANCHOR = Pattern.compile("\\{#[^}]*}$");

    private final List<Heading> open = new ArrayList<>();

    /** A heading of level 1 to 6. */
    public record Heading(int level, String title) {}

    /** Read a line that starts with hashes. */
    public static Optional<Heading> hashed(String line) {
        Matcher matcher = HASHES.matcher(line);
        if (line.length() > LONGEST || !matcher.matches()) {
            return Optional.empty();
        }
        String title = matcher.group(2) == null ? "" : matcher.group(2).strip();
        return Optional.of(new Heading(
                matcher.group(1).length(), plain(CLOSING_HASHES.matcher(title).replaceFirst(""))));
    }

    /** Read a line that the next one underlines. */
    public static Optional<Heading> underlined(String line, String next) {
        if (line.length() > LONGEST
                || next.length() > LONGEST
                || !UNDERLINE.matcher(next).matches()) {
            return Optional.empty();
        }
        return Optional.of(new Heading(next.strip().startsWith("=") ? 1 : 2, plain(line.strip())));
    }

    /** Enter a heading, which closes headings of its level and deeper ones. */
    public void enter(Heading heading) {
        open.removeIf(above -> above.level() >= heading.level());
        open.add(heading);
    }

    /** Return the headings of the current line, outermost first. */
    public String path() {
        return String.join(
                " > ",
                open.stream()
                        .map(Heading::title)
                        .filter(title -> !title.isEmpty())
                        .toList());
    }

    private static String plain(String title) {
        String text = LINK.matcher(IMAGE.matcher(title).replaceAll("")).replaceAll("$1");
        text = ANCHOR.matcher(text).replaceFirst("");
        return text.replace("`", "").replace("**", "").replaceAll("\\s+", " ").strip();
    }
}
