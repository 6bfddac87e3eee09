package dev.chargehand.site;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The files of a repository, and those of them that are Markdown.
 *
 * @param root its folder
 * @param files the paths of all files, from the root; nothing hidden and nothing that was built
 * @param pages what is Markdown, by path
 */
record Repository(Path root, NavigableSet<String> files, NavigableMap<String, Page> pages) {

    private static final Set<String> NOT_OURS = Set.of("target", "node_modules");

    static Repository read(Path root) throws IOException {
        NavigableSet<String> files = new TreeSet<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = String.valueOf(folder.getFileName());
                boolean ours = folder.equals(root) || (!name.startsWith(".") && !NOT_OURS.contains(name));
                return ours ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                files.add(Places.slashes(root.relativize(file)));
                return FileVisitResult.CONTINUE;
            }
        });
        NavigableMap<String, Page> pages = new TreeMap<>();
        for (String file : files) {
            if (Places.isMarkdown(file)) {
                pages.put(file, Markdown.page(file, Files.readString(root.resolve(file))));
            }
        }
        return new Repository(root, files, pages);
    }

    /** Return what a path means: a folder stands for its index. */
    String find(String path) {
        String index = path.isEmpty() ? "README.md" : path + "/README.md";
        return !files.contains(path) && files.contains(index) ? index : path;
    }
}
