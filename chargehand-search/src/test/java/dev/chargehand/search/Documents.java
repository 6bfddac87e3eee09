package dev.chargehand.search;

import dev.chargehand.search.report.Passage;
import dev.chargehand.search.report.SearchReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes the files of a test and searches them. */
record Documents(Path folder) {

    Documents with(String name, String text) {
        return with(name, text.getBytes(StandardCharsets.UTF_8));
    }

    Documents with(String name, byte[] bytes) {
        try {
            Path file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            Files.write(file, bytes);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Shown paths begin with {@code docs/}. */
    FileSearch open() {
        return FileSearch.builder(folder).sourcePrefix("docs").build();
    }

    List<Passage> search(String query) throws InterruptedException {
        return search(query, 5);
    }

    List<Passage> search(String query, int limit) throws InterruptedException {
        try (FileSearch search = open()) {
            return search.search(query, limit);
        }
    }

    List<String> sources(String query) throws InterruptedException {
        return search(query).stream().map(Passage::source).toList();
    }

    SearchReport report() throws InterruptedException {
        try (FileSearch search = open()) {
            return search.report();
        }
    }
}
