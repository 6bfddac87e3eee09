package dev.chargehand.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

/** A small repository to make a site of: a start page, one document, and contents that list both. */
final class Documents {

    static final String CONTENTS = "site/contents.md";

    private final Path root;

    private Documents(Path root) {
        this.root = root;
    }

    static Documents in(Path folder) throws IOException {
        Documents documents = new Documents(folder.resolve("repository"));
        Path reference = Files.createDirectories(documents.reference());
        Files.writeString(reference.resolve("index.html"), "<!DOCTYPE html><title>API</title><p id=top>Reference</p>");
        documents.with("README.md", "# Chargehand\n\nRead the [guide](docs/guide.md).\n");
        documents.with("docs/guide.md", "# The guide\n\nHow it is done.\n\n## First things\n\nBegin.\n");
        documents.list("README.md", "docs/guide.md");
        return documents;
    }

    /** Writes a file. */
    Documents with(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
        return this;
    }

    /** Writes the contents, in one section. */
    Documents list(String... files) throws IOException {
        StringBuilder contents = new StringBuilder("# Contents\n\n## Pages\n\n");
        for (String file : files) {
            contents.append("- [").append(file).append("](../").append(file).append(")\n");
        }
        return with(
                CONTENTS,
                contents.append("- [API reference](target/site/api/index.html)\n")
                        .toString());
    }

    /** Makes the site and returns what is wrong. */
    List<String> make() throws IOException {
        return Site.make(settings()).stream().map(Problem::toString).toList();
    }

    /** Returns a file of the site as text. */
    String read(String file) throws IOException {
        return Files.readString(output().resolve(file));
    }

    /** Returns a page of the site. */
    Document page(String file) throws IOException {
        return Jsoup.parse(read(file));
    }

    Path output() {
        return root.resolve("site/target/site");
    }

    Path reference() {
        return root.resolve("apidocs/target/reference");
    }

    Settings settings() {
        return new Settings(root, CONTENTS, reference(), output(), "1.0");
    }
}
