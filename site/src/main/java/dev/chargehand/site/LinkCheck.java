package dev.chargehand.site;

import java.util.List;
import java.util.function.Consumer;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;

/** Says what is wrong with the links of a page, and with what would look different on GitHub and on the site. */
final class LinkCheck extends AbstractVisitor {

    private final Page page;
    private final Repository repository;
    private final Consumer<Problem> problems;

    LinkCheck(Page page, Repository repository, Consumer<Problem> problems) {
        this.page = page;
        this.repository = repository;
        this.problems = problems;
    }

    void run() {
        page.node().accept(this);
    }

    @Override
    public void visit(Link link) {
        check(link, link.getDestination());
        visitChildren(link);
    }

    @Override
    public void visit(Image image) {
        check(image, image.getDestination());
        if (Markdown.words(image).isEmpty()) {
            report(image, "the picture '" + image.getDestination() + "' has no alternative text.");
        }
    }

    @Override
    public void visit(Code code) {
        String name = code.getLiteral();
        if (name.matches("docs/\\S*\\.md") && !repository.files().contains(name)) {
            report(code, "'" + name + "' does not exist." + Nearest.hint(name, repository.files()));
        }
    }

    @Override
    public void visit(HtmlBlock block) {
        report(block, "HTML in Markdown is not shown on the site; use Markdown, or code marks.");
    }

    @Override
    public void visit(HtmlInline html) {
        report(html, "HTML in Markdown is not shown on the site; use Markdown, or code marks: " + html.getLiteral());
    }

    @Override
    public void visit(Paragraph paragraph) {
        if (Markdown.words(paragraph).startsWith("|")) {
            report(
                    paragraph,
                    "a row without a table; an empty line ends a table, and its head needs a line of dashes.");
        }
        visitChildren(paragraph);
    }

    private void check(Node place, String destination) {
        switch (Reference.of(page, destination, repository)) {
            case Reference.External external -> {
                if (!external.wellFormed()) {
                    report(place, "'" + destination + "' is neither https: nor mailto: nor a relative path.");
                }
            }
            case Reference.Internal internal -> check(place, internal);
        }
    }

    private void check(Node place, Reference.Internal to) {
        if (to.path().startsWith(Contents.MADE) && page.source().startsWith("site/")) {
            return; // the contents name what the build makes: looked at when it is there
        }
        Page target = repository.pages().get(to.path());
        if (!repository.files().contains(to.path())) {
            report(place, "'" + to.written() + "' leads to no file." + Nearest.hint(to.written(), written()));
        } else if (target == null && !isPublic(to.path())) {
            report(place, "'" + to.written() + "' is no part of the site; name it in code marks instead of a link.");
        } else if (target != null && !to.anchor().isEmpty() && !target.hasAnchor(to.anchor())) {
            List<String> anchors = target.headings().stream().map(Heading::id).toList();
            report(
                    place,
                    "'" + to.path() + "' has no heading '#" + to.anchor() + "'." + Nearest.hint(to.anchor(), anchors));
        }
    }

    /** What is in the folder of the documents is on the site, and the pages in the root. */
    static boolean isPublic(String path) {
        return path.startsWith("docs/") || (path.indexOf('/') < 0 && Places.isMarkdown(path));
    }

    /** Return what could have been written in place of a wrong path. */
    private List<String> written() {
        return repository.files().stream()
                .filter(file -> Places.isMarkdown(file) || file.startsWith("docs/"))
                .map(file -> Places.between(page.source(), file))
                .toList();
    }

    private void report(Node place, String message) {
        problems.accept(new Problem(page.source(), Markdown.line(place), message));
    }
}
