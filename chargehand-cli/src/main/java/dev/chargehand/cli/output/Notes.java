package dev.chargehand.cli.output;

import java.lang.Character.UnicodeScript;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Reports properties of a text that its reader should know, even if every character is shown. */
final class Notes {

    private static final Set<UnicodeScript> ALIKE = EnumSet.of(
            UnicodeScript.LATIN,
            UnicodeScript.GREEK,
            UnicodeScript.CYRILLIC,
            UnicodeScript.ARMENIAN,
            UnicodeScript.CHEROKEE,
            UnicodeScript.COPTIC,
            UnicodeScript.LISU);

    private Notes() {}

    /** Return a sentence for each thing to know; none for most texts. */
    static List<String> of(String text) {
        List<String> notes = new ArrayList<>();
        if (hasMixedWord(text)) {
            notes.add("A word mixes letters of several alphabets; some of them look alike.");
        }
        if (text.codePoints().anyMatch(Notes::isRightToLeft)) {
            notes.add("Some letters are written from right to left; a terminal may show them in another order.");
        }
        return notes;
    }

    private static boolean hasMixedWord(String text) {
        Set<UnicodeScript> word = EnumSet.noneOf(UnicodeScript.class);
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            if (Character.isLetter(c)) {
                UnicodeScript script = UnicodeScript.of(c);
                if (ALIKE.contains(script)) {
                    word.add(script);
                }
                if (word.size() > 1) {
                    return true;
                }
            } else if (!Character.isDigit(c) && !Revealed.isMark(c)) {
                word.clear();
            }
            i += Character.charCount(c);
        }
        return false;
    }

    private static boolean isRightToLeft(int c) {
        byte direction = Character.getDirectionality(c);
        return direction == Character.DIRECTIONALITY_RIGHT_TO_LEFT
                || direction == Character.DIRECTIONALITY_RIGHT_TO_LEFT_ARABIC;
    }
}
