package dev.chargehand.model;

import dev.chargehand.run.Usage;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * An embedding model that hashes the words of a text, and the groups of three letters in them, into 384 dimensions.
 *
 * <p>It finds texts with common words and with similar spellings of them. It does <b>not</b> find meaning: {@code car} and
 * {@code automobile} have nothing in common, and {@code the} counts as much as any word. So it is for tests and for use
 * without a network; for anything else use a model that was trained. It is never a default.
 *
 * <pre>{@code
 * EmbeddingModel model = new HashedWords();
 * }</pre>
 *
 * <p>Words are sequences of letters, digits and marks of Unicode, in lower case; accents count. A text without words is
 * embedded by its characters. Every text has a vector of length 1, and the same text has the same vector, to the bit, in
 * every process, as far as the versions of Unicode there know its characters. The memory of a call does not depend on the length of a text, and its time grows
 * with the length only. It uses no tokens and observes no limit.
 *
 * <p>Stateless and thread-safe.
 */
public final class HashedWords implements EmbeddingModel {

    /** How many numbers a vector has. */
    public static final int DIMENSIONS = 384;

    /** Stored vectors are found by the name: any change to what is computed needs another number. */
    private static final String NAME = "chargehand/hashed-words-1";

    /** Return {@code chargehand/hashed-words-1}. */
    @Override
    public String name() {
        return NAME;
    }

    @Override
    public OptionalInt dimensions() {
        return OptionalInt.of(DIMENSIONS);
    }

    @Override
    public Embeddings embed(EmbeddingRequest request) {
        return new Embeddings(request.texts().stream().map(HashedWords::vector).toList(), Usage.NONE);
    }

    /** Return the vector of a text: of length 1, and new, so that the caller may change it. */
    public static float[] vector(String text) {
        HashedFeatures features = new HashedFeatures();
        if (!words(text, features)) {
            text.codePoints().forEach(character -> features.addWord(hash(HashedFeatures.START, character)));
        }
        float[] vector = features.vector(DIMENSIONS);
        if (!normalize(vector)) {
            // Nothing is left of it: it is empty, or its features cancel each other.
            vector[Math.floorMod(hash(text), DIMENSIONS)] = 1;
        }
        return vector;
    }

    /** Add the words of a text; false if it has none. */
    private static boolean words(String text, HashedFeatures features) {
        boolean found = false;
        int at = 0;
        while (at < text.length()) {
            int start = at;
            int character = text.codePointAt(at);
            at += Character.charCount(character);
            if (Character.isLetterOrDigit(character)) {
                at = endOfWord(text, at);
                word(text, start, at, features);
                found = true;
            }
        }
        return found;
    }

    private static int endOfWord(String text, int from) {
        int at = from;
        while (at < text.length()) {
            int character = text.codePointAt(at);
            if (!Character.isLetterOrDigit(character) && !isMark(character)) {
                break;
            }
            at += Character.charCount(character);
        }
        return at;
    }

    /** Return whether a character belongs to the letter before it, such as a combining accent or a vowel sign. */
    private static boolean isMark(int character) {
        int type = Character.getType(character);
        return type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK;
    }

    /** Add a word, and its groups of three characters, where its start and its end count as one character each. */
    private static void word(String text, int start, int end, HashedFeatures features) {
        long whole = HashedFeatures.START;
        int beforeLast = ' ';
        int last = ' ';
        for (int at = start; at < end; ) {
            int character = text.codePointAt(at);
            at += Character.charCount(character);
            int lower = Character.toLowerCase(character);
            whole = hash(whole, lower);
            if (last != ' ') {
                features.addGroup(group(beforeLast, last, lower));
            }
            beforeLast = last;
            last = lower;
        }
        features.addWord(whole);
        features.addGroup(group(beforeLast, last, ' '));
    }

    private static long group(int first, int second, int third) {
        return hash(hash(hash(HashedFeatures.START, first), second), third);
    }

    private static long hash(String text) {
        long hash = HashedFeatures.START;
        for (int i = 0; i < text.length(); i++) {
            hash = hash(hash, text.charAt(i));
        }
        return hash;
    }

    /** Take one more character into a hash, by FNV-1a: it is ours, so that no library can change it. */
    private static long hash(long hash, int character) {
        long next = hash;
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            next = (next ^ ((character >>> shift) & 0xFF)) * 0x100000001B3L;
        }
        return next;
    }

    /** Make the length of a vector 1; false if it has none. */
    private static boolean normalize(float[] vector) {
        double squares = 0;
        for (float component : vector) {
            squares += (double) component * component;
        }
        double length = Math.sqrt(squares);
        if (length < 1e-6) {
            Arrays.fill(vector, 0);
            return false;
        }
        for (int i = 0; i < vector.length; i++) {
            vector[i] = (float) (vector[i] / length);
        }
        return true;
    }
}
