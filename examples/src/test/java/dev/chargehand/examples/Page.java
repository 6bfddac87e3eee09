package dev.chargehand.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** A page of the documents, read by its sections and the rows of their tables. */
record Page(Path file, List<String> lines) {

    static Page of(String name) throws IOException {
        Path file = Path.of("..", "docs", name).toAbsolutePath().normalize();
        return new Page(file, Files.readAllLines(file));
    }

    /** Returns the rows of all tables. */
    List<List<String>> rows() {
        return rows(lines.stream());
    }

    /** Returns the rows of the tables in a section, without headings; cells without their code marks. */
    List<List<String>> rows(String section) {
        int start = lines.indexOf("## " + section);
        if (start < 0) {
            throw new AssertionError(file + " has no section '" + section + "'.");
        }
        return rows(lines.stream().skip(start + 1L).takeWhile(line -> !line.startsWith("## ")));
    }

    /** Returns the cell of a row, counted from 0. */
    String cell(String section, String row, int index) {
        return rows(section).stream()
                .filter(cells -> cells.getFirst().equals(row))
                .findFirst()
                .orElseThrow(() -> new AssertionError(file + " has no row '" + row + "' in '" + section + "'."))
                .get(index);
    }

    private static List<List<String>> rows(Stream<String> some) {
        return some.filter(line -> line.startsWith("| `")).map(Page::cells).toList();
    }

    private static List<String> cells(String line) {
        String inner = line.substring(2, line.length() - 2);
        return Arrays.stream(inner.split("\\|", -1))
                .map(cell -> cell.strip().replace("`", ""))
                .toList();
    }
}
