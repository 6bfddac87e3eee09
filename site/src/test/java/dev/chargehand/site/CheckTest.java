package dev.chargehand.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The mistakes of documents that fail the build. */
@EnabledIf("dev.chargehand.site.Programs#nodeExists")
class CheckTest {

    @TempDir
    Path folder;

    private Documents documents;

    @BeforeEach
    void makeDocuments() throws IOException {
        documents = Documents.in(folder);
    }

    @Test
    void soundDocumentsHaveNoMistakes() throws IOException {
        documents
                .with(
                        "README.md",
                        "# Chargehand\n\n<!-- kept -->\n\n[guide](docs/guide.md#first-things-code--more), `docs/guide.md`,"
                                + " [site](https://example.org/a?b=c#d), [mail](mailto:ann@example.org),"
                                + " [schema](docs/a.json), [decisions](docs/adr/README.md)\n")
                .with("docs/a.json", "{}")
                .with("docs/adr/README.md", "# Decisions\n\n[one](0001-one.md)\n")
                .with("docs/adr/0001-one.md", "# 0001 One\n")
                .with("bench/target/notes.md", "[guide](gone.md)\n")
                .list("README.md", "docs/guide.md", "docs/adr/README.md");
        assertThat(documents.mistakes()).isEmpty();
    }

    @Test
    void aLinkToNoFileOrHeadingIsReportedWithItsLine() throws IOException {
        documents
                .with("README.md", "# Chargehand\n\nOne line,\nthen [a link](docs/giude.md).\n")
                .with(
                        "docs/guide.md",
                        "# The guide\n\n| a |\n|---|\n| [row](#nowhere) |\n| [up](../README.md#none) |\n")
                .with("bench/notes.md", "# Notes\n\n[guide](../docs/gone.md)\n");
        assertThat(documents.mistakes())
                .hasSize(4)
                .satisfiesOnlyOnce(line -> assertThat(line).startsWith("README.md:4: Cannot find file `docs/giude.md`"))
                .satisfiesOnlyOnce(
                        line -> assertThat(line).startsWith("docs/guide.md:5: Cannot find heading for `#nowhere`"))
                .satisfiesOnlyOnce(
                        line -> assertThat(line).startsWith("docs/guide.md:6: Cannot find heading for `#none`"))
                .satisfiesOnlyOnce(
                        line -> assertThat(line).startsWith("bench/notes.md:3: Cannot find file `../docs/gone.md`"));
    }

    @Test
    void aFileThatIsNotOnTheSiteIsNoTarget() throws IOException {
        Files.writeString(folder.resolve("secret.md"), "# Secret");
        documents
                .with("run", "echo")
                .with(
                        "README.md",
                        "# Chargehand\n\n[run](run)\n\n[out](../secret.md)\n\n[API](site/target/site/api/index.html)\n");
        assertThat(documents.mistakes())
                .hasSize(3)
                .allSatisfy(line -> assertThat(line).contains("is not part of the site"))
                .extracting(line -> line.substring(0, 12))
                .containsExactly("README.md:3:", "README.md:5:", "README.md:7:");
    }

    @Test
    void anAddressOfAnotherFormIsReported() throws IOException {
        documents.with("README.md", """
                # Chargehand

                [a](javascript:alert(1))
                [b](http://example.org/plain)
                [c](https:example.org)
                [d](mailto:nobody)
                [e](//example.org/x)
                [f](/etc/passwd)
                [g](file:///etc/passwd)
                """);
        assertThat(documents.mistakes())
                .filteredOn(line -> line.contains("is neither https: nor mailto:"))
                .hasSize(7);
    }

    @Test
    void aPageIsListedOnceThereOrInTheIndexOfItsFolder() throws IOException {
        documents
                .with("CHANGELOG.md", "# Changes\n")
                .with("docs/new.md", "# New\n")
                .with("docs/adr/README.md", "# Decisions\n\n[one](0001-one.md)\n")
                .with("docs/adr/0001-one.md", "# 0001 One\n")
                .with("docs/adr/0002-two.md", "# 0002 Two\n")
                .list("README.md", "docs/guide.md", "docs/guide.md", "docs/adr/README.md");
        assertThat(documents.mistakes())
                .hasSize(4)
                .satisfiesOnlyOnce(line -> assertThat(line).startsWith("CHANGELOG.md:1: No page leads here"))
                .satisfiesOnlyOnce(line -> assertThat(line).startsWith("docs/new.md:1: No page leads here"))
                .satisfiesOnlyOnce(line -> assertThat(line).startsWith("docs/adr/0002-two.md:1: No page leads here"))
                .satisfiesOnlyOnce(line ->
                        assertThat(line).startsWith(Documents.CONTENTS).contains("'docs/guide.md' is listed twice"));
    }

    @Test
    void aFormThatTheSiteAndGitHubShowDifferentlyIsReported() throws IOException {
        documents
                .with("docs/a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
                .with("README.md", "# One\n\n# Two\n\n#### Deep\n\n`docs/guides.md` ![](docs/a.svg)\n")
                .with("docs/guide.md", "# The guide\n\na <b>bold</b> word\n\n| a |\n|---|\n| b |\n\n| c |\n");
        assertThat(documents.mistakes())
                .anySatisfy(line -> assertThat(line).startsWith("README.md:3: ").contains("duplicate"))
                .anySatisfy(line -> assertThat(line).startsWith("README.md:5: ").contains("rank"))
                .anySatisfy(line -> assertThat(line).isEqualTo("README.md:7: 'docs/guides.md' does not exist"))
                .anySatisfy(line ->
                        assertThat(line).isEqualTo("README.md:7: The picture 'docs/a.svg' has no alternative text"))
                .anySatisfy(
                        line -> assertThat(line).startsWith("docs/guide.md:3: ").contains("HTML"))
                .anySatisfy(line -> assertThat(line).startsWith("docs/guide.md:9: A row without a table"));
    }
}
