package dev.chargehand.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What keeps a site from being made, and what is said about it. */
class BrokenLinksTest {

    @TempDir
    Path folder;

    private Documents documents;

    @BeforeEach
    void makeDocuments() throws IOException {
        documents = Documents.in(folder);
    }

    @Test
    void soundDocumentsMakeASite() throws IOException {
        assertThat(documents.make()).isEmpty();
        assertThat(documents.output().resolve("index.html")).exists();
    }

    @Test
    void aLinkToNoFileIsToldWithItsLineAndTheNearestFile() throws IOException {
        documents.with("README.md", "# Chargehand\n\nOne line,\nthen [a link](docs/giude.md).\n");
        assertThat(documents.make())
                .containsExactly("README.md:4: 'docs/giude.md' leads to no file. Did you mean 'docs/guide.md'?");
        assertThat(documents.output()).doesNotExist();
    }

    @Test
    void whatWasMeantIsSaidAsItIsWrittenThere() throws IOException {
        documents.with("docs/guide.md", "# The guide\n\nBack to [the start](../READMEE.md).\n");
        assertThat(documents.make())
                .containsExactly("docs/guide.md:3: '../READMEE.md' leads to no file. Did you mean '../README.md'?");
    }

    @Test
    void aLinkToNoHeadingIsToldWithTheNearestHeading() throws IOException {
        documents.with("README.md", "# Chargehand\n\n| a table |\n|---|\n| [guide](docs/guide.md#first-thing) |\n");
        assertThat(documents.make())
                .containsExactly(
                        "README.md:5: 'docs/guide.md' has no heading '#first-thing'. Did you mean 'first-things'?");
    }

    @Test
    void aLinkToNoHeadingOfItsOwnPageIsTold() throws IOException {
        documents.with("docs/guide.md", "# The guide\n\n[below](#nowhere)\n");
        assertThat(documents.make()).containsExactly("docs/guide.md:3: 'docs/guide.md' has no heading '#nowhere'.");
    }

    @Test
    void aFileThatIsNoPartOfTheSiteIsNoTarget() throws IOException {
        documents.with("run", "echo").with("README.md", "# Chargehand\n\n[run it](run)\n");
        assertThat(documents.make())
                .containsExactly("README.md:3: 'run' is no part of the site; name it in code marks instead of a link.");
    }

    @Test
    void aWayOutOfTheRepositoryLeadsToNoFile() throws IOException {
        Files.writeString(folder.resolve("secret.md"), "# Secret");
        documents.with("README.md", "# Chargehand\n\n[out](../secret.md)\n");
        assertThat(documents.make())
                .singleElement()
                .asString()
                .startsWith("README.md:3: '../secret.md' leads to no file");
    }

    @Test
    void markdownOutsideOfTheSiteIsCheckedToo() throws IOException {
        documents.with("bench/notes.md", "[guide](../docs/gone.md)\n");
        assertThat(documents.make()).singleElement().asString().startsWith("bench/notes.md:1: '../docs/gone.md' leads");
    }

    @Test
    void whatWasBuiltIsNotLookedAt() throws IOException {
        documents.with("bench/target/notes.md", "[guide](gone.md)\n");
        assertThat(documents.make()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "javascript:alert(1)",
                "http://example.org/plain",
                "https:example.org",
                "https://",
                "mailto:nobody",
                "//example.org/x",
                "/etc/passwd",
                "file:///etc/passwd"
            })
    void anAddressOfAnotherFormIsTold(String address) throws IOException {
        documents.with("README.md", "# Chargehand\n\n[elsewhere](" + address + ")\n");
        assertThat(documents.make())
                .containsExactly("README.md:3: '" + address + "' is neither https: nor mailto: nor a relative path.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://example.org/a?b=c#d", "mailto:ann@example.org"})
    void anAddressOfAnotherSiteIsNotAskedFor(String address) throws IOException {
        documents.with("README.md", "# Chargehand\n\n[elsewhere](" + address + ")\n");
        assertThat(documents.make()).isEmpty();
        assertThat(documents.page("index.html").select("article a").attr("href"))
                .isEqualTo(address);
    }

    @Test
    void aPageThatIsNotListedIsToldWithWhatToDo() throws IOException {
        documents.with("docs/new.md", "# New\n");
        assertThat(documents.make())
                .containsExactly("docs/new.md:1: no way leads to this page: list it in site/contents.md, or in the"
                        + " README.md of its folder if that is listed.");
    }

    @Test
    void aPageInTheRootIsToBeListedToo() throws IOException {
        documents.with("CHANGELOG.md", "# Changes\n");
        assertThat(documents.make()).singleElement().asString().startsWith("CHANGELOG.md:1: no way leads to this page");
    }

    @Test
    void whatTheBuildShouldMakeButDoesNotIsTold() throws IOException {
        documents.with(Documents.CONTENTS, """
                # Contents

                ## Pages

                - [a](../README.md)
                - [b](../docs/guide.md)
                - [API](target/site/api/idnex.html)
                """);
        assertThat(documents.make())
                .hasSize(2)
                .allMatch(problem ->
                        problem.endsWith("'api/idnex.html' leads to no file. Did you mean 'api/index.html'?"));
    }

    @Test
    void onlyTheContentsNameWhatTheBuildMakes() throws IOException {
        documents.with("README.md", "# Chargehand\n\n[API](site/target/site/api/index.html)\n");
        assertThat(documents.make()).singleElement().asString().startsWith("README.md:3: 'site/target/site/api/");
    }

    @Test
    void anIndexListsThePagesOfItsFolder() throws IOException {
        documents
                .with("docs/adr/README.md", "# Decisions\n\n[one](0001-one.md)\n")
                .with("docs/adr/0001-one.md", "# 0001 One\n")
                .with("docs/adr/0002-two.md", "# 0002 Two\n")
                .list("README.md", "docs/guide.md", "docs/adr/README.md");
        assertThat(documents.make()).singleElement().asString().startsWith("docs/adr/0002-two.md:1: no way leads");
    }

    @Test
    void aPageIsListedOnce() throws IOException {
        documents.list("README.md", "docs/guide.md", "docs/guide.md");
        assertThat(documents.make()).containsExactly("site/contents.md:1: 'docs/guide.md' is listed twice.");
    }

    @Test
    void aNameInCodeMarksThatLooksLikeAPageIsOne() throws IOException {
        documents.with("README.md", "# Chargehand\n\n`docs/guide.md` is there, `docs/guides.md` is not.\n");
        assertThat(documents.make())
                .containsExactly("README.md:3: 'docs/guides.md' does not exist. Did you mean 'docs/guide.md'?");
    }

    @Test
    void aPictureHasAText() throws IOException {
        documents
                .with("docs/diagrams/a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
                .with("docs/guide.md", "# The guide\n\n![](diagrams/a.svg)\n");
        assertThat(documents.make())
                .containsExactly("docs/guide.md:3: the picture 'diagrams/a.svg' has no alternative text.");
    }

    @Test
    void aPictureThatIsNotThereIsTold() throws IOException {
        documents.with("docs/guide.md", "# The guide\n\n![a](diagrams/a.svg)\n");
        assertThat(documents.make()).singleElement().asString().startsWith("docs/guide.md:3: 'diagrams/a.svg' leads");
    }

    @Test
    void htmlIsRefusedAndACommentIsNot() throws IOException {
        documents.with("docs/guide.md", "# The guide\n\n<!-- keep -->\n\na <b>bold</b> word\n\n<p>block</p>\n");
        assertThat(documents.make())
                .hasSize(3)
                .first()
                .asString()
                .startsWith("docs/guide.md:5: HTML in Markdown is not shown on the site");
    }

    @Test
    void aRowWithoutATableIsTold() throws IOException {
        documents.with("docs/guide.md", "# The guide\n\n| a |\n|---|\n| b |\n\n| c |\n");
        assertThat(documents.make()).singleElement().asString().startsWith("docs/guide.md:7: a row without a table");
    }

    @Test
    void aPageHasOneTitle() throws IOException {
        documents.with("docs/guide.md", "# One\n\n# Two\n");
        assertThat(documents.make())
                .containsExactly("docs/guide.md:1: a page has one heading of level 1, its title; this one has 2.");
    }

    @Test
    void aLevelThatIsLeftOutIsTold() throws IOException {
        documents.with("docs/guide.md", "# The guide\n\n### Deep\n");
        assertThat(documents.make())
                .singleElement()
                .asString()
                .startsWith("guide.html:")
                .endsWith("after a heading of level 1 comes one of level 3.");
    }

    @Test
    void aMissingReferenceIsToldWithWhatToDo() throws IOException {
        Files.delete(documents.reference().resolve("index.html"));
        assertThat(documents.make())
                .singleElement()
                .asString()
                .contains("the API reference is not in")
                .endsWith("'mvn -pl :chargehand-site -am -DskipTests verify' makes it first.");
    }
}
