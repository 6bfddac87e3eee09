package dev.chargehand.first;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A document of the project, with the blocks of code that a reader copies. */
record Document(String text) {

    /** The folder of the project: tests run in the folder of their module. */
    static final Path PROJECT = Path.of("").toAbsolutePath().getParent();

    static Document read(String path) throws IOException {
        return new Document(Files.readString(PROJECT.resolve(path)));
    }

    /** Returns the only block of a language that contains some words. */
    String block(String language, String words) {
        Matcher blocks =
                Pattern.compile("(?ms)^```" + language + "\n(.*?)^```$").matcher(text);
        List<String> found = blocks.results()
                .map(block -> block.group(1))
                .filter(block -> block.contains(words))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError(found.size() + " blocks of " + language + " with '" + words + "'; one is needed.");
        }
        return found.getFirst();
    }

    /** Returns the words of the only command line that starts with some words. */
    List<String> command(String start) {
        return words(only(text.lines().filter(line -> line.startsWith(start)).toList(), start));
    }

    /** Returns the only line that contains some words. */
    String line(String part) {
        return only(text.lines().filter(line -> line.contains(part)).toList(), part);
    }

    private static String only(List<String> lines, String part) {
        if (lines.size() != 1) {
            throw new AssertionError("The document has " + lines + " as lines with '" + part + "'; one is needed.");
        }
        return lines.getFirst();
    }

    /** Returns the words of a command line, as a shell takes them. */
    static List<String> words(String line) {
        return Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)")
                .matcher(line)
                .results()
                .map(word -> Stream.of(word.group(1), word.group(2), word.group(3))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElseThrow())
                .toList();
    }
}
