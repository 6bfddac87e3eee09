package dev.chargehand.verify.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * A working memory to which processes add numbered notes. Each numbers its own from 0 and adds them in order, so the text can be
 * folded: a line says up to which number the text has the notes of a process, and other lines stay as they are.
 */
record Notes(TreeMap<Integer, Integer> folded, List<String> rest) {

    private static final String FOLDED = "before ";

    /** Return the note of a process. */
    static String note(int process, int number) {
        return process + ":" + number + "\n";
    }

    /** Return a text in which the notes are counted. */
    static String fold(String text) {
        Notes notes = read(text);
        StringBuilder folded = new StringBuilder();
        notes.folded.forEach((process, next) ->
                folded.append(FOLDED).append(process).append(':').append(next).append('\n'));
        notes.rest.forEach(line -> folded.append(line).append('\n'));
        return folded.toString();
    }

    /** Count the notes of a text. */
    static Notes read(String text) {
        Notes notes = new Notes(new TreeMap<>(), new ArrayList<>());
        for (String line : text.lines().toList()) {
            boolean isFolded = line.startsWith(FOLDED);
            String[] parts = (isFolded ? line.substring(FOLDED.length()) : line).split(":", 2);
            int process = Integer.parseInt(parts[0]);
            int number = Integer.parseInt(parts[1]);
            if (isFolded) {
                notes.folded.merge(process, number, Integer::sum);
            } else if (notes.folded.getOrDefault(process, 0) == number) {
                notes.folded.put(process, number + 1);
            } else {
                notes.rest.add(line);
            }
        }
        return notes;
    }

    /** Return how many times the text has a note. */
    long times(int process, int number) {
        String note = process + ":" + number;
        return (number < folded.getOrDefault(process, 0) ? 1 : 0)
                + rest.stream().filter(note::equals).count();
    }
}
