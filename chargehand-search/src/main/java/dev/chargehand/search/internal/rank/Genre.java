package dev.chargehand.search.internal.rank;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a file is for, by the names of it and its folders. Files that record, list or generate something have the words
 * of many questions and answer few: they come after guides, unless the question asks for such a file.
 */
enum Genre {
    GUIDE(1, ""),
    /** Decisions and proposals, which give reasons. */
    RECORD(
            0.5,
            "why decision decisions decided adr adrs rfc rfcs proposal rationale chose chosen alternatives record records"),
    /** What changed when. */
    HISTORY(0.5, "changelog changed changes version versions release released releases history since"),
    PLAN(0.5, "plan plans planned roadmap todo backlog future gaps ideas"),
    LEGAL(0.5, "licence license licences licenses licensed copyright legal notice"),
    /** Tests and the data made for them. */
    TEST(0.4, "test tests tested testing fixture fixtures"),
    /** Output of programs, and the work of others that is only carried along. */
    GENERATED(0.4, "generated build vendor"),
    /** A description of a form for machines. */
    SCHEMA(0.4, "schema schemas openapi swagger"),
    DATA(0.8, "json yaml yml xml toml key keys setting settings configuration"),
    CODE(0.7, "class classes method methods function functions interface code source implementation implemented");

    private static final Set<String> RECORDS = names(
            "adr adrs decision decisions decision-records architecture-decisions rfc rfcs proposals enhancements keps peps");
    private static final Set<String> TESTS =
            names("test tests testdata test-data fixture fixtures __tests__ __snapshots__ mocks e2e");
    private static final Set<String> OUTPUT = names("build dist out generated vendor third_party third-party");
    private static final Set<String> PLANS = names("plan plans roadmap todo todos backlog ideas");

    /** A record has a number of its own: {@code 0007-use-a-queue.md}, {@code adr-12.md}, {@code RFC_003.txt}. */
    private static final Pattern NUMBERED = Pattern.compile("(?:adr|rfc)[-_ ]?\\d+.*|\\d{4}[-_ ].+");

    private static final Pattern CHANGES =
            Pattern.compile("(?:changelog|changes|history|news|release[-_ ]?notes|releases|whats[-_ ]?new)\\b.*");
    private static final Pattern LICENCE = Pattern.compile("(?:licen[cs]e|copying|notice|third[-_]?party)\\b.*");
    private static final Pattern SCHEMAS =
            Pattern.compile(".*(?:\\.schema\\.json|\\.xsd)|(?:openapi|swagger)\\.(?:json|ya?ml)");
    private static final Pattern VALUES = Pattern.compile(".*\\.(?:jsonl?|ya?ml|xml|toml)");
    private static final Pattern SOURCE = Pattern.compile(
            ".*\\.(?:sql|graphql|proto|java|kts?|scala|groovy|gradle|py|[mc]?js|jsx|tsx?|go|rs|c|h|cc|[ch]pp|cs|rb|php|swift|sh|css)");

    private final double factor;

    @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
    private final Set<String> words;

    Genre(double factor, String words) {
        this.factor = factor;
        this.words = names(words);
    }

    /** Return the genre of a file, by its path in the searched folder. */
    static Genre of(String path) {
        String[] names = path.toLowerCase(Locale.ROOT).split("/");
        String name = names[names.length - 1];
        String[] folders = Arrays.copyOf(names, names.length - 1);
        if (isIn(folders, OUTPUT)) {
            return GENERATED;
        } else if (isIn(folders, TESTS)) {
            return TEST;
        } else if (isIn(folders, RECORDS) || NUMBERED.matcher(name).matches()) {
            return RECORD;
        } else if (SCHEMAS.matcher(name).matches()) {
            return SCHEMA;
        } else if (SOURCE.matcher(name).matches()) {
            return CODE;
        } else if (VALUES.matcher(name).matches()) {
            return DATA;
        } else if (CHANGES.matcher(name).matches()) {
            return HISTORY;
        } else if (LICENCE.matcher(name).matches()) {
            return LEGAL;
        }
        String stem = name.replaceFirst("\\.[^.]*$", "");
        return isIn(folders, PLANS) || PLANS.contains(stem) ? PLAN : GUIDE;
    }

    /** Return what the score of a passage of such a file is multiplied by. */
    double factor(Question question) {
        return words.stream().anyMatch(question.spoken()::contains) ? 1 : factor;
    }

    private static boolean isIn(String[] folders, Set<String> names) {
        return Arrays.stream(folders).anyMatch(names::contains);
    }

    private static Set<String> names(String list) {
        return Set.of(list.split(" "));
    }
}
