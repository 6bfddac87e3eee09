package dev.chargehand.search.internal.document;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Set;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.parser.Parser;
import org.jsoup.select.NodeFilter;

/** Reads what a page shows, with the lines of its source: no scripts, no menus, nothing hidden. */
final class HtmlReader implements NodeFilter {

    private static final Set<String> LEFT_OUT = Set.of(
            ("script style noscript template svg math nav footer iframe object canvas audio video button select textarea"
                            + " dialog head")
                    .split(" "));
    private static final Set<String> ROLES = Set.of("navigation", "banner", "contentinfo", "search", "menu");
    private static final Set<String> TOGETHER = Set.of("ul", "ol", "dl", "table", "pre");

    private final DocumentText.Builder text;
    private final StringBuilder open = new StringBuilder();
    private int line;
    private int together;
    private int preformatted;
    private DocumentText.Builder.Full full = new DocumentText.Builder.Full();
    private boolean stopped;

    private HtmlReader(DocumentText.Builder text) {
        this.text = text;
    }

    static void read(byte[] bytes, DocumentText.Builder text) throws IOException {
        Parser parser = Parser.htmlParser().setTrackPosition(true);
        Document page = Jsoup.parse(new ByteArrayInputStream(bytes), null, "", parser);
        text.title(page.title());
        HtmlReader reader = new HtmlReader(text);
        page.body().filter(reader);
        reader.flush();
        if (reader.stopped) {
            throw reader.full;
        }
    }

    @Override
    public FilterResult head(Node node, int depth) {
        if (stopped) {
            return FilterResult.STOP;
        }
        if (node instanceof TextNode words) {
            add(words);
        } else if (node instanceof Element element) {
            if (isLeftOut(element)) {
                return FilterResult.SKIP_ENTIRELY;
            }
            begin(element);
        }
        return FilterResult.CONTINUE;
    }

    @Override
    public FilterResult tail(Node node, int depth) {
        if (node instanceof Element element) {
            end(element);
        }
        return stopped ? FilterResult.STOP : FilterResult.CONTINUE;
    }

    private void begin(Element element) {
        String name = element.normalName();
        if (name.equals("br")) {
            flush();
        } else if (name.equals("td") || name.equals("th")) {
            open.append(open.isEmpty() ? "" : " | ");
        } else if (element.isBlock() || TOGETHER.contains(name)) {
            flush();
            if (TOGETHER.contains(name) && together++ == 0) {
                text.end();
            }
            preformatted += name.equals("pre") ? 1 : 0;
            if (name.equals("li")) {
                open.append("- ");
            }
        }
    }

    private void end(Element element) {
        String name = element.normalName();
        int level = name.matches("h[1-6]") ? name.charAt(1) - '0' : 0;
        if (level > 0) {
            heading(level);
        } else if (element.isBlock() && !name.equals("td") && !name.equals("th")) {
            flush();
            if (name.equals("li")) {
                open.setLength(0);
            }
            preformatted -= name.equals("pre") ? 1 : 0;
            if (TOGETHER.contains(name)) {
                together--;
            }
            if (together == 0) {
                text.end();
            }
        }
    }

    private void add(TextNode node) {
        String words = node.getWholeText();
        int last = node.sourceRange().end().lineNumber();
        int at = last - (int) words.chars().filter(c -> c == '\n').count();
        if (preformatted > 0) {
            for (String one : words.split("\n", -1)) {
                append(one, at++);
                if (at <= last) {
                    flush();
                }
            }
        } else if (!words.isBlank()) {
            int before = (int) words.substring(0, words.indexOf(words.strip()))
                    .chars()
                    .filter(c -> c == '\n')
                    .count();
            append(words.replaceAll("\\s+", " "), at + before);
        } else {
            append(" ", at);
        }
    }

    /** The line is that of the first text that shows. */
    private void append(String words, int at) {
        boolean first = open.toString().isBlank() || open.toString().equals("- ");
        if (first) {
            line = at;
        }
        boolean space = preformatted == 0 && (open.isEmpty() || open.charAt(open.length() - 1) == ' ');
        open.append(space ? words.stripLeading() : words);
    }

    private void heading(int level) {
        String title = open.toString().strip();
        open.setLength(0);
        if (!title.isEmpty()) {
            try {
                text.heading(level, title, Integer.toString(line));
            } catch (DocumentText.Builder.Full e) {
                stop(e);
            }
        }
    }

    private void flush() {
        String words = preformatted > 0
                ? open.toString().stripTrailing()
                : open.toString().strip();
        if (words.equals("-")) {
            return; // the text of an item may be in a block of its own
        }
        open.setLength(0);
        if (!words.isBlank()) {
            try {
                text.add(Integer.toString(line), words);
            } catch (DocumentText.Builder.Full e) {
                stop(e);
            }
        }
    }

    private void stop(DocumentText.Builder.Full reason) {
        full = reason;
        stopped = true;
    }

    private static boolean isLeftOut(Element element) {
        return LEFT_OUT.contains(element.normalName())
                || element.hasAttr("hidden")
                || element.attr("aria-hidden").equals("true")
                || ROLES.contains(element.attr("role"));
    }
}
