package dev.chargehand.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The search over the documents of this repository: what newcomers look for leads to a guide, not to a decision. */
class FoundGuidesTest {

    private static Script search;

    @BeforeAll
    static void makeSite(@TempDir Path folder) throws IOException {
        Path repository = Path.of("").toAbsolutePath().getParent();
        Path reference = Files.createDirectories(folder.resolve("reference"));
        Files.writeString(reference.resolve("index.html"), "<!DOCTYPE html><title>API</title><p id=top>Reference</p>");
        Path output = folder.resolve("site");
        Site.make(new Settings(repository, "site/contents.md", reference, output, "1.0"));
        search = Script.of(output);
    }

    @ParameterizedTest
    @CsvSource({
        "getting started, getting-started.html",
        "streaming, embedding.html",
        "spring, embedding.html",
        "human in the loop, approval-inbox.html",
        "maven dependency, getting-started.html",
    })
    void theRightPageIsFirst(String query, String page) {
        assertThat(search.find(query)).first().asString().startsWith(page + "#");
    }
}
