package dev.chargehand.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the pages of a site look like. */
class PagesTest {

    @TempDir
    Path folder;

    private Documents documents;

    @BeforeEach
    void makeDocuments() throws IOException {
        documents = Documents.in(folder);
    }

    @Test
    void aLinkBetweenDocumentsIsOneBetweenPages() throws IOException {
        documents
                .with("docs/adr/README.md", "# Decisions\n\n[guide](../guide.md#first-things), [one](0001-one.md)\n")
                .with("docs/adr/0001-one.md", "# 0001 One\n\n[all](README.md), [start](../../README.md)\n")
                .list("README.md", "docs/guide.md", "docs/adr/README.md");
        assertThat(documents.make()).isEmpty();
        assertThat(documents.page("index.html").select("article a").eachAttr("href"))
                .containsExactly("guide.html");
        assertThat(documents.page("adr/index.html").select("article a").eachAttr("href"))
                .containsExactly("../guide.html#first-things", "0001-one.html");
        assertThat(documents.page("adr/0001-one.html").select("article a").eachAttr("href"))
                .containsExactly("index.html", "../index.html");
    }

    @Test
    void theNameOfAPageInCodeMarksLeadsThere() throws IOException {
        documents.with("README.md", "# Chargehand\n\nSee `docs/guide.md`, [`docs/guide.md`](docs/guide.md).\n");
        assertThat(documents.make()).isEmpty();
        assertThat(documents.page("index.html").select("article a[href=guide.html] > code"))
                .hasSize(2);
    }

    @Test
    void headingsHaveTheAnchorsOfGitHub() throws IOException {
        documents.with(
                "docs/guide.md",
                "# The guide\n\n## `maxSteps(int)` & more\n\n## Twice\n\n## Twice\n\n## Über: alles!\n");
        assertThat(documents.make()).isEmpty();
        assertThat(documents.page("guide.html").select("article h2").eachAttr("id"))
                .containsExactly("maxstepsint--more", "twice", "twice-1", "über-alles");
    }

    @Test
    void aHeadingMayBeNamedLikeAPartOfTheFrame() throws IOException {
        documents.with(
                "docs/guide.md",
                "# Main\n\n## Contents\n\n## Search\n\n## Words\n\n## Results\n\n## Found\n\n## List\n\n## toc-title\n");
        assertThat(documents.make()).isEmpty();
    }

    @Test
    void hostileTextStaysText() throws IOException {
        String hostile = "`<script>alert(1)</script></title>` \" onload=alert(2) &lt;img&gt; {{title}} {{{content}}}";
        documents
                .with(
                        "docs/guide.md",
                        "# " + hostile + "\n\n" + hostile + "\n\n## " + hostile + "\n\n```\n" + hostile + "\n```\n")
                .with("README.md", "# Chargehand\n\nNothing.\n");
        assertThat(documents.make()).isEmpty();
        Document page = documents.page("guide.html");
        assertThat(page.select("article script, article img, [onload], article [onerror]"))
                .isEmpty();
        assertThat(page.select("article h2").text()).contains("<script>alert(1)</script>", "{{{content}}}");
        assertThat(page.title()).contains("<script>alert(1)</script>");
        assertThat(page.select(".toc a").text()).contains("<script>alert(1)</script>");
        assertThat(page.select("meta[name=description]").attr("content")).contains("\" onload=alert(2)");
        assertThat(page.select("script").eachAttr("src")).containsExactly("site.js");
    }

    @Test
    void nothingComesFromElsewhere() throws IOException {
        documents.make();
        Document page = documents.page("guide.html");
        assertThat(page.select("meta[http-equiv=Content-Security-Policy]").attr("content"))
                .startsWith("default-src 'none';")
                .doesNotContain("unsafe", "http", "*");
        for (Element element : page.select("link, script, img")) {
            String address = element.hasAttr("href") ? element.attr("href") : element.attr("src");
            assertThat(documents.output().resolve(address)).exists();
        }
        assertThat(documents.read("site.css")).doesNotContain("url(", "@import");
    }

    @Test
    void aPageIsReadWithoutAMouseAndWithoutEyes() throws IOException {
        documents.make();
        Document page = documents.page("guide.html");
        assertThat(page.select("html").attr("lang")).isEqualTo("en");
        assertThat(page.body().child(0).attr("href")).isEqualTo("#_main");
        assertThat(page.select("main#_main h1")).hasSize(1);
        assertThat(page.select("header, main, footer")).hasSize(3);
        assertThat(page.select("nav").eachAttr("aria-label")).contains("Contents", "Pages around this one");
        assertThat(page.select("label[for=_words] ~ input#_words")).hasSize(1);
        assertThat(page.select("[role=status]")).hasSize(1);
        assertThat(page.select("noscript").text()).contains("needs JavaScript");
    }

    @Test
    void theContentsAreOnEveryPageAndSayWhereOneIs() throws IOException {
        documents.make();
        Document page = documents.page("guide.html");
        assertThat(page.select("#_contents a").eachAttr("href"))
                .containsExactly("index.html", "guide.html", "api/index.html");
        assertThat(page.select("#_contents a[aria-current=page]").eachAttr("href"))
                .containsExactly("guide.html");
        assertThat(page.select("a[rel=prev]").attr("href")).isEqualTo("index.html");
        assertThat(page.select("a[rel=next]")).isEmpty();
        assertThat(documents.page("index.html").select("a[rel=next]").attr("href"))
                .isEqualTo("guide.html");
    }

    @Test
    void anIndexShowsItsPagesWhileOneOfThemIsRead() throws IOException {
        documents
                .with("docs/adr/README.md", "# Decisions\n\n[one](0001-one.md)\n")
                .with("docs/adr/0001-one.md", "# 0001 One\n")
                .list("README.md", "docs/guide.md", "docs/adr/README.md");
        documents.make();
        assertThat(documents
                        .page("adr/0001-one.html")
                        .select("#_contents ul ul a")
                        .text())
                .isEqualTo("0001 One");
        assertThat(documents.page("guide.html").select("#_contents ul ul")).isEmpty();
    }

    @Test
    void filesBesideTheDocumentsAndTheReferenceGoAlong() throws IOException {
        documents
                .with("docs/diagrams/a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
                .with("docs/guide.md", "# The guide\n\n![a picture](diagrams/a.svg)\n");
        assertThat(documents.make()).isEmpty();
        assertThat(documents.read("api/index.html")).contains("Reference");
        Element picture = documents
                .page("guide.html")
                .select("a.picture[href=diagrams/a.svg] > img")
                .first();
        assertThat(picture).isNotNull();
        assertThat(picture.attr("alt")).isEqualTo("a picture");
        assertThat(documents.output().resolve("diagrams/a.svg")).exists();
    }

    @Test
    void aWideTableCanBeMovedWithTheKeyboard() throws IOException {
        documents.with("docs/guide.md", "# The guide\n\n| a |\n|---|\n| b |\n");
        assertThat(documents.make()).isEmpty();
        assertThat(documents.page("guide.html").select("div[tabindex=0][role=region] > table"))
                .hasSize(1);
    }

    @Test
    void whatWasThereBeforeIsGone() throws IOException {
        documents.make();
        Path old = Files.writeString(documents.output().resolve("old.html"), "old");
        assertThat(documents.make()).isEmpty();
        assertThat(old).doesNotExist();
    }

    @Test
    void theDocumentsCannotBeTheOutput() {
        assertThatThrownBy(() -> new Settings(folder, Documents.CONTENTS, folder, folder, "1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("would take the place of the documents");
    }
}
