package dev.chargehand.completion;

import dev.chargehand.error.ConfigurationException;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What several scorers do with texts and numbers. */
final class Texts {

    private static final int LONGEST_NAME = 60;

    private Texts() {}

    /** Return the score of something that has some of what is wanted; all of it passes, and so does wanting nothing. */
    static Score share(int has, int wanted, Supplier<String> reason) {
        return has >= wanted ? Score.pass() : Score.of((double) has / wanted, reason.get());
    }

    /** Return how many characters a text has, without white space around it. */
    static int length(String text) {
        String stripped = text.strip();
        return stripped.codePointCount(0, stripped.length());
    }

    /** Return a name that reports one scorer of a kind from another, such as {@code toolCalled(search)}. */
    static String named(String kind, String detail) {
        return kind + "(" + cut(detail.strip().replaceAll("\\s+", " "), LONGEST_NAME) + ")";
    }

    /** Return a text, or the start of one that is too long. */
    static String cut(String text, int most) {
        return text.codePointCount(0, text.length()) <= most
                ? text
                : text.substring(0, text.offsetByCodePoints(0, most)) + "…";
    }

    /** Return a text without the characters at its end that are among some. */
    static String withoutEnd(String text, String characters) {
        int end = text.length();
        while (end > 0 && characters.indexOf(text.charAt(end - 1)) >= 0) {
            end--;
        }
        return text.substring(0, end);
    }

    /** Return a text without the characters at its start that are among some. */
    static String withoutStart(String text, String characters) {
        int from = 0;
        while (from < text.length() && characters.indexOf(text.charAt(from)) >= 0) {
            from++;
        }
        return text.substring(from);
    }

    static String quoted(List<String> texts) {
        return texts.stream().map(text -> '"' + text + '"').collect(Collectors.joining(", "));
    }

    static void requireNotBlank(String what, String text, String advice) {
        if (text.isBlank()) {
            throw new ConfigurationException(what + " must not be blank; " + advice + ".");
        }
    }

    static void requireThreshold(String what, double threshold) {
        if (!(threshold > 0 && threshold <= 1)) {
            throw new ConfigurationException(
                    what + ": the threshold must be above 0 and at most 1, but is " + threshold + ".");
        }
    }

    static void requirePositive(String what, int number) {
        if (number < 1) {
            throw new ConfigurationException(what + " must be at least 1, but is " + number + ".");
        }
    }
}
