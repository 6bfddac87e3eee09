package dev.chargehand.processor;

import dev.chargehand.message.Message;
import java.text.Normalizer;
import java.util.List;

/**
 * Brings The message to a model into one form, so that a check which looks for words cannot be passed by other
 * characters that look or read the same.
 *
 * <p>Brings characters into a normal form, and removes invisible characters: zero-width characters, controls of the
 * writing direction, tag characters, and control characters but tabs and ends of lines. Joiners of emoji, and of
 * scripts that need them, remain. Belongs in front of other input processors; looks at the input of a run, and before
 * each model call at what the model sees. Immutable.
 */
public final class UnicodeNormalizer implements InputProcessor, InputStepProcessor {

    private static final int NON_JOINER = 0x200C;
    private static final int JOINER = 0x200D;

    private final Normalizer.Form form;

    private UnicodeNormalizer(Normalizer.Form form) {
        this.form = form;
    }

    /** Use the form NFKC, in which a full-width letter, a ligature or a circled digit is the plain one. */
    public static UnicodeNormalizer nfkc() {
        return new UnicodeNormalizer(Normalizer.Form.NFKC);
    }

    /** Use the form NFC, which keeps such differences and composes accents only. */
    public static UnicodeNormalizer nfc() {
        return new UnicodeNormalizer(Normalizer.Form.NFC);
    }

    @Override
    public String name() {
        return "unicode-normalizer";
    }

    /** Return a text in that form. */
    public String normalize(String text) {
        if (text.chars().allMatch(c -> c == '\n' || c == '\t' || (c >= ' ' && c < 0x7F))) {
            return text;
        }
        int[] points = text.codePoints().toArray();
        StringBuilder seen = new StringBuilder(text.length());
        for (int i = 0; i < points.length; i++) {
            if (isSeen(points, i)) {
                seen.appendCodePoint(points[i]);
            }
        }
        return Normalizer.normalize(seen, form);
    }

    @Override
    public Processed<List<Message>> processInput(ProcessorContext context, List<Message> messages) {
        return Texts.changed(messages, this::normalize);
    }

    @Override
    public Processed<List<Message>> processInputStep(ProcessorContext context, List<Message> messages) {
        return Texts.changed(messages, this::normalize);
    }

    private static boolean isSeen(int[] points, int i) {
        int point = points[i];
        if (point == '\n' || point == '\r' || point == '\t') {
            return true;
        }
        if (point == JOINER || point == NON_JOINER) {
            return i > 0 && i + 1 < points.length && joins(points[i - 1], points[i + 1]);
        }
        if (isSelector(point)) {
            return i > 0 && hasVariants(points[i - 1], point);
        }
        return switch (Character.getType(point)) {
            case Character.CONTROL -> false;
            case Character.FORMAT -> isNumberSign(point);
            default -> !isIgnorable(point) && !isFiller(point);
        };
    }

    /** What joins two pictures, or two letters of a script whose letters change with their neighbours, can be seen. */
    private static boolean joins(int before, int after) {
        boolean pictures =
                (Character.isExtendedPictographic(before) || Character.isEmojiModifier(before) || before == 0xFE0F)
                        && Character.isExtendedPictographic(after);
        return pictures || (isJoining(before) && isJoining(after));
    }

    private static boolean isJoining(int point) {
        if (!Character.isLetter(point) && Character.getType(point) != Character.NON_SPACING_MARK) {
            return false;
        }
        return switch (Character.UnicodeScript.of(point)) {
            case ARABIC,
                    SYRIAC,
                    NKO,
                    MONGOLIAN,
                    DEVANAGARI,
                    BENGALI,
                    GURMUKHI,
                    GUJARATI,
                    ORIYA,
                    TAMIL,
                    TELUGU,
                    KANNADA,
                    MALAYALAM,
                    SINHALA,
                    KHMER,
                    MYANMAR,
                    TIBETAN -> true;
            default -> false;
        };
    }

    /** Sign of Arabic and Syriac that are under or before a number are format characters, but are seen. */
    private static boolean isNumberSign(int point) {
        return (point >= 0x0600 && point <= 0x0605) || point == 0x06DD || point == 0x070F || point == 0x08E2;
    }

    /** Tag, selectors of variants and what else is shown as nothing, assigned or not; a picture may have a selector. */
    private static boolean isIgnorable(int point) {
        return point == 0x034F || (point >= 0xE0000 && point <= 0xE0FFF) || (point >= 0xFFF0 && point <= 0xFFF8);
    }

    private static boolean isSelector(int point) {
        return (point >= 0xFE00 && point <= 0xFE0F) || (point >= 0x180B && point <= 0x180F && point != 0x180E);
    }

    /** A selector is seen on what can look different; many in a row can encode an invisible text. */
    private static boolean hasVariants(int point, int selector) {
        if (selector < 0xFE00) {
            return Character.UnicodeScript.of(point) == Character.UnicodeScript.MONGOLIAN && Character.isLetter(point);
        }
        boolean symbol =
                switch (Character.getType(point)) {
                    case Character.OTHER_SYMBOL, Character.MATH_SYMBOL -> true;
                    default -> Character.isExtendedPictographic(point) || Character.isEmojiModifier(point);
                };
        return symbol
                || Character.isIdeographic(point)
                || "0123456789#*".indexOf(point) >= 0
                || Character.UnicodeScript.of(point) == Character.UnicodeScript.MYANMAR;
    }

    private static boolean isFiller(int point) {
        return point == 0x115F || point == 0x1160 || point == 0x3164 || point == 0xFFA0;
    }
}
