package dev.chargehand.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.rules.Patterns.Found;
import dev.chargehand.rules.Patterns.Use;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * No pattern of ours costs more than in proportion to the text it reads, whatever the text: each is tried on long runs of
 * every class of characters, and of short sequences that patterns of ours begin with, at two sizes. What is compared is the
 * number of characters that the engine looks at, not time.
 */
@Timeout(300)
class PatternCostTest {

    private static final int FIRST = 4_096;

    /** So many steps for each character are few; more are looked at twice. */
    private static final long FEW = 200;

    private static final int SMALL = 2 * FIRST;
    private static final int LARGE = 4 * SMALL;
    private static final long MOST_GROWTH = 8;
    private static final long MOST = 100_000_000;

    /** They compile patterns of users, which have a budget. */
    private static final List<String> OF_USERS = List.of(
            "/SchemaKeywords.java",
            "/Redaction.java",
            "/Scorers.java",
            "/SchemaValidator.java",
            "/OpenApiSchemas.java");

    /** They read nothing but what this repository or a test wrote. */
    private static final List<String> OF_OURS =
            List.of("site/", "verify/", "bench/", "examples/", "chargehand-testkit/");

    /** They read lines of at most 400 characters. */
    private static final List<String> OF_SHORT_LINES = List.of("/MarkdownHeadings.java");

    private static final List<String> UNITS = List.of(
            " ",
            "\t",
            "\n",
            "\r\n",
            "\f",
            "1",
            "0",
            "a",
            "Z",
            "é",
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            "<",
            ">",
            "-",
            "_",
            ".",
            ",",
            ";",
            ":",
            "/",
            "\\",
            "\"",
            "'",
            "`",
            "~",
            "*",
            "+",
            "#",
            "@",
            "=",
            "|",
            "!",
            "?",
            "%",
            "$",
            "&",
            "^",
            "§",
            "\uD83D\uDE00",
            "\uD83D",
            "\uDE00",
            "\u0301",
            "\u200D",
            "\u00A0",
            "\u0000",
            "a ",
            " a",
            "a.",
            "a-",
            "a_",
            "a/",
            "a:",
            "a@",
            "a\n",
            " \n",
            "\n ",
            "a b",
            "1.",
            "1 ",
            "1)",
            "1,",
            "1-",
            "1:",
            "[1",
            "[a",
            "[1,",
            "[ ",
            "(a",
            "{a",
            "${a:-",
            "{#",
            "//a:",
            "/a",
            "<!--",
            "- ",
            "- [",
            "\"a",
            "`a",
            "```\n",
            "~~~\n",
            "# ",
            "> ",
            "http://",
            "http://a(",
            "eyJ_",
            "eyJaaaaaaaa.",
            "sk-",
            "-----",
            "-----BEGIN PRIVATE KEY-----",
            "+1",
            "a.b:1",
            ".a",
            "é.");

    @Test
    void everyPatternOfOursIsLinear() throws IOException {
        List<Found> patterns = Patterns.in(JavaSources.of("main")).stream()
                .filter(found -> OF_OURS.stream().noneMatch(found.place()::startsWith))
                .filter(found -> OF_SHORT_LINES.stream().noneMatch(found.place()::contains))
                .toList();
        assertThat(patterns).hasSizeGreaterThan(100);

        List<String> problems = patterns.stream()
                .flatMap(found -> {
                    String problem = problem(found);
                    return problem == null ? Stream.empty() : Stream.of(problem);
                })
                .toList();

        assertThat(problems).isEmpty();
    }

    @Test
    void aPatternThatIsNotIsFound() {
        assertThat(problem(new Found("a", "(?ms)^\\s*(```|~~~)", Set.of(Use.ANYWHERE))))
                .contains("costs more");
        assertThat(problem(new Found("a", "[.,]+$", Set.of(Use.ANYWHERE)))).contains("costs more");
        assertThat(problem(new Found("/Other.java:1", null, Set.of(Use.ANYWHERE))))
                .contains("no constant");
        assertThat(problem(new Found("a", "[a-z]++(-[a-z]++)*+", Set.of(Use.WHOLE))))
                .isNull();
    }

    private static @Nullable String problem(Found found) {
        if (found.regex() == null) {
            return OF_USERS.stream().anyMatch(found.place()::contains)
                    ? null
                    : found.place() + ": the pattern is no constant; a user's needs BoundedText";
        }
        Pattern pattern = Pattern.compile(found.regex());
        for (String unit : UNITS) {
            try {
                if (steps(pattern, found.uses(), text(unit, FIRST)) > FEW * FIRST) {
                    long small = steps(pattern, found.uses(), text(unit, SMALL));
                    long large = steps(pattern, found.uses(), text(unit, LARGE));
                    if (large > MOST_GROWTH * small || large == MOST) {
                        return found + " costs more than in proportion on a run of '" + unit + "': " + small
                                + " steps on " + SMALL + " characters, " + large + " on " + LARGE;
                    }
                }
            } catch (StackOverflowError e) {
                return found + " needs too deep a stack on a run of '" + unit + "'";
            }
        }
        return null;
    }

    private static String text(String unit, int length) {
        return unit.repeat(length / unit.length()) + "\u0007";
    }

    private static long steps(Pattern pattern, Set<Use> uses, String text) {
        Counted counted = new Counted(text);
        Matcher matcher = pattern.matcher(counted);
        try {
            for (Use use : uses) {
                matcher.reset();
                switch (use) {
                    case WHOLE -> matcher.matches();
                    case AT_THE_BEGINNING -> matcher.lookingAt();
                    case ANYWHERE -> findAll(matcher);
                }
            }
        } catch (TooManyException e) {
            return MOST;
        }
        return counted.steps;
    }

    private static void findAll(Matcher matcher) {
        boolean found = true;
        while (found) {
            found = matcher.find();
        }
    }

    private static final class TooManyException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Counts the characters that are looked at. */
    private static final class Counted implements CharSequence {

        private final String text;
        private long steps;

        private Counted(String text) {
            this.text = text;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            if (++steps > MOST) {
                throw new TooManyException();
            }
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.substring(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
