package dev.chargehand.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A small repository: a start page, one document, and contents that list both. */
final class Documents {

    static final String CONTENTS = "site/contents.md";

    private final Path root;

    private Documents(Path root) {
        this.root = root;
    }

    static Documents in(Path folder) throws IOException {
        Documents documents = new Documents(folder.resolve("repository"));
        documents.with("README.md", "# Chargehand\n\nRead the [guide](docs/guide.md).\n");
        documents.with(
                "docs/guide.md", "# The guide\n\nHow it is done.\n\n## First things: `code()` & more\n\nStart.\n");
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

    /** Returns the mistakes. */
    List<String> mistakes() throws IOException {
        Node.Result result = Programs.site().check(root);
        if (result.code() == 0 != result.lines().isEmpty()) {
            throw new AssertionError("Exit code " + result.code() + " with " + result.lines());
        }
        return result.lines();
    }
}
