package dev.chargehand.site;

/**
 * Something that keeps the site from being made.
 *
 * @param file the file, from the root of the repository, or of the site if it was made
 * @param line its line, from 1
 * @param message what is wrong, and what to do
 */
public record Problem(String file, int line, String message) implements Comparable<Problem> {

    @Override
    public int compareTo(Problem other) {
        int byFile = file.compareTo(other.file);
        return byFile != 0 ? byFile : Integer.compare(line, other.line);
    }

    @Override
    public String toString() {
        return file + ":" + line + ": " + message;
    }
}
