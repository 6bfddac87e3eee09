package dev.chargehand.internal.text;

import java.util.regex.Pattern;

/**
 * Follows a JSON text character by character, and knows up to where it can be cut and closed. Not thread-safe.
 *
 * <p>Cost is constant for each character; what is kept is the text and the brackets that are open.
 */
final class JsonScanner {

    private static final int DEEPEST = 400;
    private static final int LONGEST_NUMBER = 500;
    private static final String BLANK = " \t\r\n";
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?");

    /** What a character did. */
    enum Change {
        /** The value so far is the same as before. */
        NONE,
        /** The value so far has become more. */
        VISIBLE
    }

    private enum At {
        START,
        FENCE,
        FENCE_LINE,
        VALUE,
        FIRST_ELEMENT,
        FIRST_KEY,
        KEY,
        IN_KEY,
        COLON,
        AFTER_VALUE,
        IN_STRING,
        IN_WORD,
        COMPLETE,
        BROKEN
    }

    private final StringBuilder text = new StringBuilder();
    private final StringBuilder open = new StringBuilder();
    private At at = At.START;
    /** Up to where the text can be kept. */
    private int safe;

    private int fenceMarks;
    private int wordStart;
    /** Within an escape: 0 outside, 1 after the backslash, then 2 to 5 for the digits of a code. */
    private int escape;

    private int code;
    /** Whether the value so far ends within a string. */
    private boolean stringOpen;

    /** Return how much of the text is in the value so far. */
    int length() {
        return safe;
    }

    boolean isComplete() {
        return at == At.COMPLETE;
    }

    /** Return the value so far as JSON. */
    String closed() {
        StringBuilder whole = new StringBuilder(safe + open.length() + 1).append(text, 0, safe);
        if (stringOpen) {
            whole.append('"');
        }
        for (int i = open.length() - 1; i >= 0; i--) {
            whole.append(open.charAt(i) == '{' ? '}' : ']');
        }
        return whole.toString();
    }

    /** Follow one more character. */
    Change next(char c) {
        if (at == At.COMPLETE || at == At.BROKEN) {
            return Change.NONE;
        }
        if (at == At.IN_WORD && isDelimiter(c)) {
            endNumber();
            if (at == At.AFTER_VALUE) {
                at(c);
            }
            return at == At.BROKEN ? Change.NONE : Change.VISIBLE;
        }
        return at(c);
    }

    private Change at(char c) {
        if (at == At.START || at == At.FENCE || at == At.FENCE_LINE) {
            return beforeValue(c);
        }
        text.append(c);
        return switch (at) {
            case IN_STRING, IN_KEY -> inString(c);
            case IN_WORD -> inWord();
            default -> BLANK.indexOf(c) >= 0 ? Change.NONE : between(c);
        };
    }

    private Change beforeValue(char c) {
        switch (at) {
            case START -> {
                if (c == '`') {
                    at = At.FENCE;
                    fenceMarks = 1;
                } else if (BLANK.indexOf(c) < 0) {
                    at = At.VALUE;
                    return at(c);
                }
            }
            case FENCE -> {
                fenceMarks++;
                at = c == '`' ? (fenceMarks == 3 ? At.FENCE_LINE : At.FENCE) : At.BROKEN;
            }
            default -> at = c == '\n' ? At.VALUE : At.FENCE_LINE;
        }
        return Change.NONE;
    }

    private Change between(char c) {
        return switch (at) {
            case VALUE -> value(c);
            case FIRST_ELEMENT -> c == ']' ? close() : value(c);
            case FIRST_KEY -> c == '}' ? close() : key(c);
            case KEY -> key(c);
            case COLON -> c == ':' ? to(At.VALUE) : broken();
            case AFTER_VALUE -> afterValue(c);
            default -> throw new IllegalStateException("Nothing is between at " + at);
        };
    }

    private Change value(char c) {
        switch (c) {
            case '{', '[' -> {
                if (open.length() == DEEPEST) {
                    return broken();
                }
                open.append(c);
                at = c == '{' ? At.FIRST_KEY : At.FIRST_ELEMENT;
                return keep();
            }
            case '"' -> {
                at = At.IN_STRING;
                stringOpen = true;
                return keep();
            }
            default -> {
                at = At.IN_WORD;
                wordStart = text.length() - 1;
                return inWord();
            }
        }
    }

    private Change key(char c) {
        return c == '"' ? to(At.IN_KEY) : broken();
    }

    private Change afterValue(char c) {
        boolean inObject = open.charAt(open.length() - 1) == '{';
        if (c == ',') {
            return to(inObject ? At.KEY : At.VALUE);
        }
        return c == (inObject ? '}' : ']') ? close() : broken();
    }

    private Change close() {
        open.setLength(open.length() - 1);
        safe = text.length();
        ended();
        return at == At.COMPLETE ? Change.VISIBLE : Change.NONE;
    }

    private void ended() {
        at = open.isEmpty() ? At.COMPLETE : At.AFTER_VALUE;
    }

    private Change inString(char c) {
        if (escape > 0) {
            return inEscape(c);
        }
        if (c == '"') {
            return endString();
        }
        if (c == '\\') {
            escape = 1;
            return Change.NONE;
        }
        return c < ' ' ? broken() : character(c);
    }

    private Change endString() {
        if (at == At.IN_KEY) {
            return to(At.COLON);
        }
        stringOpen = false;
        safe = text.length();
        ended();
        return at == At.COMPLETE ? Change.VISIBLE : Change.NONE;
    }

    private Change inEscape(char c) {
        if (escape == 1) {
            if (c == 'u') {
                escape = 2;
                code = 0;
                return Change.NONE;
            }
            escape = 0;
            return "\"\\/bfnrt".indexOf(c) >= 0 ? character('x') : broken();
        }
        int digit = c < 128 ? Character.digit(c, 16) : -1;
        if (digit < 0) {
            return broken();
        }
        code = code * 16 + digit;
        escape = escape == 5 ? 0 : escape + 1;
        return escape == 0 ? character((char) code) : Change.NONE;
    }

    /** Keep a character of a string, unless it is the first half of one. */
    private Change character(char c) {
        return at == At.IN_KEY || Character.isHighSurrogate(c) ? Change.NONE : keep();
    }

    /** A number may continue, so that it exists when something else follows; a word exists when it is complete. */
    private Change inWord() {
        int length = text.length() - wordStart;
        if (length > LONGEST_NUMBER) {
            return broken();
        }
        char first = text.charAt(wordStart);
        if (first == '-' || (first >= '0' && first <= '9')) {
            return Change.NONE;
        }
        String word = text.substring(wordStart);
        if (!"true".startsWith(word) && !"false".startsWith(word) && !"null".startsWith(word)) {
            return broken();
        }
        if (word.equals("true") || word.equals("false") || word.equals("null")) {
            ended();
            return keep();
        }
        return Change.NONE;
    }

    private static boolean isDelimiter(char c) {
        return BLANK.indexOf(c) >= 0 || c == ',' || c == ']' || c == '}';
    }

    private void endNumber() {
        if (NUMBER.matcher(text.substring(wordStart)).matches()) {
            keep();
            ended();
        } else {
            broken();
        }
    }

    private Change keep() {
        safe = text.length();
        return Change.VISIBLE;
    }

    private Change to(At next) {
        at = next;
        return Change.NONE;
    }

    private Change broken() {
        at = At.BROKEN;
        return Change.NONE;
    }
}
