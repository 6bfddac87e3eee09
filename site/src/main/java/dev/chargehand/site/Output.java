package dev.chargehand.site;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;

/** Writes the files of the site. */
final class Output {

    private static final List<String> ASSETS = List.of("site.css", "site.js", "search.js", "icon.svg");
    private static final String LUNR = "/META-INF/resources/webjars/lunr/2.3.9/";

    private final Settings settings;
    private final Repository repository;
    private final Contents contents;

    Output(Settings settings, Repository repository, Contents contents) {
        this.settings = settings;
        this.repository = repository;
        this.contents = contents;
    }

    void write() throws IOException {
        delete(settings.output());
        copyFolder(settings.reference(), settings.output().resolve("api"));
        for (String file : repository.files()) {
            if (file.startsWith("docs/") && !Places.isMarkdown(file)) {
                copy(settings.repository().resolve(file), Places.target(file));
            }
        }
        for (String asset : ASSETS) {
            resource("/dev/chargehand/site/" + asset, asset);
        }
        resource(LUNR + "lunr.min.js", "lunr.js");
        resource(LUNR + "LICENSE", "lunr.LICENSE.txt");
        PageTemplate template = new PageTemplate(repository, contents, settings.version());
        SearchIndex index = new SearchIndex();
        for (Contents.Entry entry : contents.all()) {
            Page page = repository.pages().get(entry.source());
            if (page != null) {
                write(page.target(), template.render(page));
                index.add(page);
            }
        }
        write("search-index.js", index.script());
    }

    private void write(String target, String text) throws IOException {
        Path file = settings.output().resolve(target);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private void copy(Path from, String target) throws IOException {
        Path file = settings.output().resolve(target);
        Files.createDirectories(file.getParent());
        Files.copy(from, file);
    }

    private void resource(String name, String target) throws IOException {
        Path file = settings.output().resolve(target);
        try (InputStream from = Objects.requireNonNull(Output.class.getResourceAsStream(name), name)) {
            Files.copy(from, file);
        }
    }

    private static void copyFolder(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                Files.createDirectories(to.resolve(from.relativize(folder)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, to.resolve(from.relativize(file)));
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path each, java.io.IOException failure) throws IOException {
                Files.delete(each);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
