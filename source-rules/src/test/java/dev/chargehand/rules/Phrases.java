package dev.chargehand.rules;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The phrases that documents and Javadoc avoid, each with the words to use instead. */
record Phrases(List<Phrase> all) {

    /** The characters that a report shows on each side of a phrase. */
    private static final int CONTEXT = 40;

    /** One phrase to avoid. */
    record Phrase(Pattern pattern, String instead) {}

    /** Reads the list from the resources of the tests. */
    static Phrases read() throws IOException {
        try (InputStream list = Phrases.class.getResourceAsStream("/words/phrases.txt")) {
            List<Phrase> all = new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(Phrases::phrase)
                    .toList();
            return new Phrases(all);
        }
    }

    private static Phrase phrase(String line) {
        int arrow = line.indexOf(" => ");
        return new Phrase(
                Pattern.compile(line.substring(0, arrow), Pattern.CASE_INSENSITIVE),
                line.substring(arrow + " => ".length()));
    }

    /** Returns a line for each phrase to avoid that occurs in the prose of a file. */
    List<String> in(String file, Prose prose) {
        List<String> found = new ArrayList<>();
        for (Prose.Paragraph paragraph : prose.paragraphs()) {
            for (Phrase phrase : all) {
                Matcher matcher = phrase.pattern().matcher(paragraph.text());
                while (matcher.find()) {
                    found.add("%s:%d: '%s', use: %s, in: …%s…"
                            .formatted(
                                    file,
                                    paragraph.line(),
                                    matcher.group(),
                                    phrase.instead(),
                                    around(paragraph.text(), matcher)));
                }
            }
        }
        return found;
    }

    private static String around(String text, Matcher matcher) {
        return text.substring(Math.max(0, matcher.start() - CONTEXT), Math.min(text.length(), matcher.end() + CONTEXT));
    }
}
