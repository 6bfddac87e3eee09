package dev.chargehand.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The pages of the site as the build has made them. */
@EnabledIf("dev.chargehand.site.Programs#nodeExists")
class SiteTest {

    private static final Map<Path, Document> PAGES = new TreeMap<>();

    @BeforeAll
    static void read() throws IOException {
        try (Stream<Path> files = Files.walk(Programs.OUTPUT)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".html"))
                    .filter(each -> !each.startsWith(Programs.OUTPUT.resolve("api")))
                    .toList()) {
                PAGES.put(file, Jsoup.parse(file));
            }
        }
    }

    @Test
    void everyLinkOfEveryPageLeadsSomewhere() throws IOException {
        Map<Path, Set<String>> anchors = new HashMap<>();
        List<String> dead = new ArrayList<>();
        for (Map.Entry<Path, Document> page : PAGES.entrySet()) {
            for (Element link : page.getValue().select("a[href], img[src], link[href], script[src]")) {
                String address = link.hasAttr("href") ? link.attr("href") : link.attr("src");
                if (address.matches("(https|mailto|data):.*") || address.isEmpty()) {
                    continue;
                }
                String[] parts = address.split("#", 2);
                Path target = target(page.getKey(), parts[0]);
                if (!Files.isRegularFile(target)) {
                    dead.add(Programs.OUTPUT.relativize(page.getKey()) + " leads to no file: " + address);
                } else if (parts.length == 2 && !anchors(target, anchors).contains(parts[1])) {
                    dead.add(Programs.OUTPUT.relativize(page.getKey()) + " leads to no heading: " + address);
                }
            }
        }
        assertThat(dead).isEmpty();
        assertThat(PAGES).hasSizeGreaterThan(100);
    }

    @Test
    void everyPageHasTheContentsAndOneTitle() {
        PAGES.forEach((file, page) -> {
            if (!file.endsWith("404.html") && !file.equals(Programs.OUTPUT.resolve("index.html"))) {
                assertThat(page.select("#VPSidebarNav a").eachAttr("href"))
                        .as(file.toString())
                        .contains("/docs/getting-started.html", "/docs/adr/README.html", "/api/index.html");
                assertThat(page.select("main h1")).as(file.toString()).hasSize(1);
            }
        });
    }

    @Test
    void nothingIsLoadedFromElsewhere() {
        PAGES.forEach((file, page) -> assertThat(page.select("img[src], link[href], script[src], iframe").stream()
                        .map(element -> element.hasAttr("href") ? element.attr("href") : element.attr("src"))
                        .filter(address -> address.matches("([a-z]+:)?//.*")))
                .as(file.toString())
                .isEmpty());
    }

    @Test
    void codeHasColoursAndAButtonThatCopiesIt() {
        Document page = PAGES.get(Programs.OUTPUT.resolve("docs/getting-started.html"));
        assertThat(page.select("div.language-java button.copy")).isNotEmpty();
        assertThat(page.select("div.language-java span[style*=--shiki-dark]")).isNotEmpty();
    }

    @Test
    void blocksAfterACommentAreTabs() {
        for (String file : List.of("index.html", "README.html", "docs/tools.html")) {
            Document page = PAGES.get(Programs.OUTPUT.resolve(file));
            assertThat(page.select(".vp-code-group .tabs label").eachText())
                    .as(file)
                    .containsExactly("Maven", "Gradle");
            assertThat(page.select(".vp-code-group .blocks > div.language-xml.active"))
                    .as(file)
                    .hasSize(1);
        }
    }

    @Test
    void theNameOfAPageInCodeMarksLeadsThere() {
        Document page = PAGES.get(Programs.OUTPUT.resolve("docs/concepts.html"));
        assertThat(page.select("a[href=/docs/architecture.html] > code")).isNotEmpty();
    }

    @Test
    void theStartPageHasTheTerminalAndTheFirstSupervisorOfTheReadme() {
        Document page = PAGES.get(Programs.OUTPUT.resolve("index.html"));
        assertThat(page.select("img[src=/docs/diagrams/first-run.svg][alt]")).hasSize(1);
        assertThat(page.select("div.language-java").text()).contains("import dev.chargehand.Agent", "FirstSupervisor");
        assertThat(page.select(".VPFeature")).hasSize(6);
    }

    @Test
    void theSearchOfTheSiteKnowsWhatComesFirst() throws IOException {
        assertThat(Files.readString(Programs.OUTPUT.resolve("index.html"))).contains("_vp-fn_function boostDocument");
    }

    private static Path target(Path page, String address) {
        Path file = address.isEmpty()
                ? page
                : address.startsWith("/")
                        ? Programs.OUTPUT.resolve(address.substring(1))
                        : page.resolveSibling(address).normalize();
        return Files.isDirectory(file) ? file.resolve("index.html") : file;
    }

    private static Set<String> anchors(Path file, Map<Path, Set<String>> known) throws IOException {
        Set<String> anchors = known.get(file);
        if (anchors == null) {
            Document page = PAGES.containsKey(file) ? PAGES.get(file) : Jsoup.parse(file);
            anchors = page.select("[id]").stream().map(Element::id).collect(Collectors.toSet());
            known.put(file, anchors);
        }
        return anchors;
    }
}
