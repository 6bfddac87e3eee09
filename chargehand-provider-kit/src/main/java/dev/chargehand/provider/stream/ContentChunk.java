package dev.chargehand.provider.stream;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the chunk of which nearly every answer consists, {@code {…,"choices":[{…,"delta":{"content":"…"},…}]}}, without
 * a parser. The parser reads all that is not exactly of this form, JSON or not.
 *
 * <p>Most chunks of an answer differ in nothing but the text. One that has the bytes of the last one before and after
 * its text needs no other look. Together with {@link LineEnds}, an unwatched answer costs half of what it costs
 * with the parser ({@code bench/run users unwatched}, see ADR 0071).
 *
 * <p>Not thread-safe; one per answer.
 */
final class ContentChunk {

    private static final byte[] CHOICES = ascii("choices");
    private static final byte[] DELTA = ascii("delta");
    private static final byte[] CONTENT = ascii("content");
    private static final byte[] OBJECT = ascii("object");
    private static final byte[] ERROR = ascii("error");
    private static final byte[] NULL = ascii("null");
    private static final byte[] TRUE = ascii("true");
    private static final byte[] FALSE = ascii("false");

    /** Fields that mean something to the parser, unless they are null. */
    private static final byte[][] OF_ROOT = names("usage", "x_groq", "error", "code", "status", "type", "message");

    private static final byte[][] OF_CHOICE = names("message", "finish_reason", "usage", "error");
    private static final byte[][] OF_DELTA =
            names("refusal", "reasoning_content", "reasoning", "tool_calls", "function_call");

    /** A number with more digits is left to the parser, which may find it too long. */
    private static final int MOST_DIGITS = 18;

    private static final byte[] NOTHING = {};

    /** The bytes before and after the text of the last chunk, the quotes included; none before the first. */
    private byte[] before = NOTHING;

    private byte[] after = NOTHING;

    private byte[] bytes = NOTHING;
    private int end;
    private int position;

    /** The place of the name or the text that was read last. */
    private int start;

    private int stop;

    /** Whether the text that was read last has escapes, and only ASCII. */
    private boolean escaped;

    private boolean ascii;

    private @Nullable String content;
    private int contentStart;
    private int contentStop;

    /** Fill a chunk that is empty; false, and nothing is changed, if the bytes are to be parsed. */
    boolean read(byte[] chunk, int from, int length, Chunk into) {
        bytes = chunk;
        position = from;
        end = from + length;
        content = null;
        if (!isLikeTheLast() && !isOrdinary(from)) {
            bytes = NOTHING;
            return false;
        }
        bytes = NOTHING;
        into.hasChoice = true;
        into.text = Objects.requireNonNull(content);
        return true;
    }

    private boolean isLikeTheLast() {
        int first = position + before.length;
        int last = end - after.length;
        if (before.length == 0
                || first > last
                || !Arrays.equals(bytes, position, first, before, 0, before.length)
                || !Arrays.equals(bytes, last, end, after, 0, after.length)) {
            return false;
        }
        int begin = position;
        position = first;
        content = text() && stop == last ? decoded() : null;
        position = begin;
        return content != null;
    }

    private boolean isOrdinary(int from) {
        if (!root() || content == null) {
            return false;
        }
        before = Arrays.copyOfRange(bytes, from, contentStart);
        after = Arrays.copyOfRange(bytes, contentStop, end);
        return true;
    }

    private boolean root() {
        boolean found = false;
        for (boolean more = next('{'); more; more = next(',')) {
            if (!name()) {
                return false;
            }
            if (is(CHOICES)) {
                if (found || !next('[') || !choice() || !next(']')) {
                    return false;
                }
                found = true;
            } else if (is(OBJECT)) {
                if (!plainText() || is(ERROR)) {
                    return false;
                }
            } else if (!other(OF_ROOT)) {
                return false;
            }
        }
        return found && next('}') && isOver();
    }

    private boolean choice() {
        boolean found = false;
        for (boolean more = next('{'); more; more = next(',')) {
            if (!name()) {
                return false;
            }
            if (is(DELTA)) {
                if (found || !delta()) {
                    return false;
                }
                found = true;
            } else if (!other(OF_CHOICE)) {
                return false;
            }
        }
        return found && next('}');
    }

    private boolean delta() {
        for (boolean more = next('{'); more; more = next(',')) {
            if (!name()) {
                return false;
            }
            if (is(CONTENT)) {
                if (content != null || !next('"') || !text()) {
                    return false;
                }
                contentStart = start;
                contentStop = stop;
                content = decoded();
                if (content == null) {
                    return false;
                }
            } else if (!other(OF_DELTA)) {
                return false;
            }
        }
        return next('}');
    }

    /** Pass over a field that means nothing, or is null, and has a simple value. */
    private boolean other(byte[][] meaningful) {
        boolean means = false;
        for (byte[] name : meaningful) {
            means |= is(name);
        }
        if (means) {
            return word(NULL);
        }
        if (next('"')) {
            return text() && !escaped && ascii;
        }
        return word(NULL) || word(TRUE) || word(FALSE) || number();
    }

    private boolean name() {
        return plainText() && next(':');
    }

    /** Read a text that says what its bytes say. */
    private boolean plainText() {
        return next('"') && text() && !escaped && ascii;
    }

    /** Read a text to the quote that ends it. */
    private boolean text() {
        start = position;
        escaped = false;
        ascii = true;
        int i = position;
        for (; i < end && bytes[i] != '"'; i++) {
            byte b = bytes[i];
            if (b == '\\') {
                escaped = true;
                i++;
            } else if (b < 0) {
                ascii = false;
            } else if (b < ' ') {
                return false;
            }
        }
        stop = i;
        position = i + 1;
        return i < end;
    }

    private @Nullable String decoded() {
        String text =
                new String(bytes, start, stop - start, ascii ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
        if (!ascii && text.indexOf('\uFFFD') >= 0) {
            return null; // perhaps the bytes were no UTF-8
        }
        return escaped ? unescaped(text) : text;
    }

    private static @Nullable String unescaped(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
                int simple = "\"\\/bfnrt".indexOf(text.charAt(i));
                if (simple < 0) {
                    return null; // the number of a character, or an error
                }
                c = "\"\\/\b\f\n\r\t".charAt(simple);
            }
            plain.append(c);
        }
        return plain.toString();
    }

    private boolean number() {
        if (next('-')) {
            return false;
        }
        int first = position;
        while (position < end && bytes[position] >= '0' && bytes[position] <= '9') {
            position++;
        }
        int digits = position - first;
        return digits == 1 || (digits > 1 && digits <= MOST_DIGITS && bytes[first] != '0');
    }

    private boolean word(byte[] word) {
        spaces();
        int after = position + word.length;
        if (after <= end && Arrays.equals(bytes, position, after, word, 0, word.length)) {
            position = after;
            return true;
        }
        return false;
    }

    private boolean is(byte[] name) {
        return stop - start == name.length && Arrays.equals(bytes, start, stop, name, 0, name.length);
    }

    /** Pass over a character if it is the next one. */
    private boolean next(char c) {
        spaces();
        if (position < end && bytes[position] == c) {
            position++;
            return true;
        }
        return false;
    }

    private boolean isOver() {
        spaces();
        return position == end;
    }

    private void spaces() {
        while (position < end && bytes[position] == ' ') {
            position++;
        }
    }

    private static byte[][] names(String... names) {
        byte[][] bytes = new byte[names.length][];
        for (int i = 0; i < names.length; i++) {
            bytes[i] = ascii(names[i]);
        }
        return bytes;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
