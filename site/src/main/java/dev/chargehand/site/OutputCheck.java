package dev.chargehand.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.ParseError;
import org.jsoup.parser.Parser;

/** Looks at the pages that were made: are they sound HTML, does every link lead somewhere, does nothing come from elsewhere? */
final class OutputCheck {

    private static final String REFERENCE = "api/";
    private static final String WITHIN = "a[href], link[href], img[src], script[src]";

    private final Path output;
    private final Set<String> files = new TreeSet<>();
    private final Map<String, Set<String>> anchors = new HashMap<>();
    private final List<Problem> problems = new ArrayList<>();

    private OutputCheck(Path output) {
        this.output = output;
    }

    static List<Problem> check(Path output) throws IOException {
        OutputCheck check = new OutputCheck(output);
        check.run();
        return check.problems;
    }

    private void run() throws IOException {
        try (Stream<Path> all = Files.walk(output)) {
            all.filter(Files::isRegularFile)
                    .map(output::relativize)
                    .map(Places::slashes)
                    .forEach(files::add);
        }
        Map<String, Document> pages = new TreeMap<>();
        for (String file : files) {
            if (file.endsWith(".html") && !file.startsWith(REFERENCE)) {
                pages.put(file, parse(file));
            }
        }
        for (Map.Entry<String, Document> page : pages.entrySet()) {
            sound(page.getKey(), page.getValue());
            for (Element link : page.getValue().select(WITHIN)) {
                link(page.getKey(), link);
            }
        }
    }

    private Document parse(String file) throws IOException {
        Parser parser = Parser.htmlParser().setTrackErrors(20).setTrackPosition(true);
        Document page = parser.parseInput(Files.readString(output.resolve(file)), "");
        for (ParseError error : parser.getErrors()) {
            problems.add(new Problem(file, 1, "no sound HTML: " + error));
        }
        anchors.put(file, ids(page));
        return page;
    }

    private static Set<String> ids(Document page) {
        return page.select("[id]").stream().map(Element::id).collect(Collectors.toSet());
    }

    private void sound(String file, Document page) {
        Set<String> ids = new HashSet<>();
        for (Element element : page.select("[id]")) {
            if (!ids.add(element.id())) {
                report(file, element, "the id '" + element.id() + "' exists twice.");
            }
        }
        int level = 0;
        for (Element heading : page.select("main :is(h1, h2, h3, h4, h5, h6)")) {
            int here = heading.normalName().charAt(1) - '0';
            if (here > level + 1) {
                report(file, heading, "after a heading of level " + level + " comes one of level " + here + ".");
            }
            level = here;
        }
        for (Element element : page.select("script:not([src]), style, [style], iframe, object, embed")) {
            report(file, element, "the content security policy of the site forbids <" + element.normalName() + ">.");
        }
    }

    private void link(String file, Element link) throws IOException {
        String address = link.hasAttr("href") ? link.attr("href") : link.attr("src");
        if (Reference.SCHEME.matcher(address).matches() || address.startsWith("//")) {
            if (!link.normalName().equals("a")) {
                report(file, link, "'" + address + "' comes from elsewhere.");
            }
            return;
        }
        int mark = address.indexOf('#');
        String path = mark < 0 ? address : address.substring(0, mark);
        String target = path.isEmpty() ? file : Places.resolve(file, path);
        if (!files.contains(target)) {
            report(file, link, "'" + address + "' leads to no file." + Nearest.hint(target, files));
        } else if (mark >= 0 && !anchors(target).contains(address.substring(mark + 1))) {
            report(
                    file,
                    link,
                    "'" + address + "' leads to no place."
                            + Nearest.hint(address.substring(mark + 1), anchors(target)));
        }
    }

    private Set<String> anchors(String file) throws IOException {
        Set<String> known = anchors.get(file);
        if (known == null) {
            known = ids(Jsoup.parse(output.resolve(file)));
            anchors.put(file, known);
        }
        return known;
    }

    private void report(String file, Element place, String message) {
        problems.add(new Problem(file, Math.max(1, place.sourceRange().start().lineNumber()), message));
    }
}
