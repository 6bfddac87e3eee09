package dev.chargehand.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Checks documents with remark and makes a site of them with VitePress, from copies in a folder of the build. */
final class Site {

    private static final String MARKDOWN = ".md";

    private final Path programs;
    private final Node node;

    private Site(Path programs, Node node) {
        this.programs = programs;
        this.node = node;
    }

    /**
     * Install the programs.
     *
     * @param module the folder of this module, with the lock file and the configuration of the programs
     * @param programs the folder to install them in
     */
    static Site of(Path module, Path programs) throws IOException {
        copy(module.resolve("src/main/node"), programs, file -> true);
        for (String file : List.of("package.json", "package-lock.json")) {
            copy(module.resolve(file), programs.resolve(file));
        }
        return new Site(programs.toAbsolutePath(), Node.in(programs.toAbsolutePath()));
    }

    /** Return the mistakes in the Markdown of a repository, by file and line; code 0 if there are none. */
    Node.Result check(Path repository) throws IOException {
        return node.run(
                repository,
                Map.of(),
                "node_modules/remark-cli/cli.js",
                ".",
                "--frail",
                "--no-stdout",
                "--no-config",
                "--report",
                programs.resolve("lines.mjs").toString(),
                "--rc-path",
                programs.resolve("remark.config.mjs").toString(),
                "--ignore-pattern",
                "target/",
                "--ignore-pattern",
                "site/src/",
                "--ignore-pattern",
                "**/src/test/resources/");
    }

    /** Make a site. */
    Node.Result make(Settings settings) throws IOException {
        if (!Files.exists(settings.reference().resolve("index.html"))) {
            return new Node.Result(
                    1,
                    List.of("The API reference is not in " + settings.reference()
                            + "; 'mvn -pl :chargehand-site -am -DskipTests verify' makes it first."));
        }
        Path pages = programs.resolve("pages");
        delete(pages);
        collect(settings.repository(), pages);
        return node.run(
                programs,
                Map.of(
                        "SITE_REPOSITORY", settings.repository().toString(),
                        "SITE_PAGES", pages.toString(),
                        "SITE_REFERENCE", settings.reference().toString(),
                        "SITE_VERSION", settings.version(),
                        "SITE_BASE", settings.base()),
                "node_modules/vitepress/bin/vitepress.js",
                "build",
                programs.toString(),
                "--outDir",
                settings.output().toString());
    }

    /** Copy the documents, the start page, and the files that are published as they are. */
    private void collect(Path repository, Path pages) throws IOException {
        Path documents = repository.resolve("docs");
        copy(documents, pages.resolve("docs"), file -> true);
        copy(documents, pages.resolve("public/docs"), file -> !file.toString().endsWith(MARKDOWN));
        copy(programs.resolve("public"), pages.resolve("public"), file -> true);
        copy(programs.resolve("index.md"), pages.resolve("index.md"));
        try (Stream<Path> files = Files.list(repository)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(MARKDOWN)).toList()) {
                copy(file, pages.resolve(file.getFileName()));
            }
        }
        Path projects = repository.resolve("projects");
        if (Files.exists(projects)) {
            try (Stream<Path> folders = Files.list(projects)) {
                for (Path readMe : folders.map(folder -> folder.resolve("README.md"))
                        .filter(Files::exists)
                        .toList()) {
                    copy(readMe, pages.resolve(repository.relativize(readMe).toString()));
                }
            }
        }
    }

    private static void copy(Path from, Path to, Predicate<Path> wanted) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).filter(wanted).toList()) {
                copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    private static void copy(Path file, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
    }
}
