package dev.chargehand.site;

import java.util.Iterator;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** Makes HTML of the Markdown of a page. */
final class PageHtml {

    private final Page page;
    private final Repository repository;
    private final HtmlRenderer renderer;

    PageHtml(Page page, Repository repository) {
        this.page = page;
        this.repository = repository;
        this.renderer = HtmlRenderer.builder()
                .extensions(Markdown.EXTENSIONS)
                .escapeHtml(true)
                .sanitizeUrls(true)
                .attributeProviderFactory(context -> {
                    Iterator<Heading> headings = page.headings().iterator();
                    return (node, tag, attributes) -> {
                        switch (node) {
                            case org.commonmark.node.Heading heading ->
                                attributes.put("id", headings.next().id());
                            case Link link -> attributes.put("href", address(link.getDestination()));
                            case Image image -> attributes.put("src", address(image.getDestination()));
                            default -> {}
                        }
                    };
                })
                .build();
    }

    String render() {
        Document html = Jsoup.parseBodyFragment(renderer.render(page.node()));
        html.outputSettings().prettyPrint(false);
        Element body = html.body();
        for (Element table : body.select("table")) {
            table.wrap("<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"Table\"></div>");
        }
        body.select("pre").attr("tabindex", "0");
        for (Element code : body.select("code")) {
            linkPath(code);
        }
        for (Element picture : body.select("img")) {
            wrap(picture.attr("loading", "lazy"), picture.attr("src")).addClass("picture");
        }
        for (Element heading : body.select("h2, h3, h4")) {
            heading.appendElement("a")
                    .addClass("anchor")
                    .attr("href", "#" + heading.id())
                    .attr("aria-label", "Link to: " + heading.text())
                    .text("#");
        }
        return body.html();
    }

    /** The name of a page in code marks leads there, too. */
    private void linkPath(Element code) {
        String name = code.text();
        Page named = repository.pages().get(name);
        if (named != null
                && LinkCheck.isPublic(name)
                && code.closest("a, pre") == null
                && !name.equals(page.source())) {
            wrap(code, Places.between(page.target(), named.target()));
        }
    }

    private static Element wrap(Element element, String address) {
        Element link = new Element("a").attr("href", address);
        element.replaceWith(link);
        return link.appendChild(element);
    }

    /** Return what a destination in Markdown is on the site. */
    private String address(String destination) {
        return switch (Reference.of(page, destination, repository)) {
            case Reference.External external -> external.wellFormed() ? external.address() : "";
            case Reference.Internal internal -> {
                String anchor = internal.anchor().isEmpty() ? "" : "#" + internal.anchor();
                yield internal.path().equals(page.source()) && !anchor.isEmpty()
                        ? anchor
                        : Places.between(page.target(), Places.target(internal.path())) + anchor;
            }
        };
    }
}
