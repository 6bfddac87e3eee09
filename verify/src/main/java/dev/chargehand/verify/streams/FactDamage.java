package dev.chargehand.verify.streams;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Damages the text of a fact: values of another type, lost fields, broken JSON, broken bytes. */
final class FactDamage {

    private static final Pattern VALUE = Pattern.compile(
            "(?<=[:\\[,])(\"(?:[^\"\\\\]|\\\\.)*+\"|-?\\d[\\d.eE+-]*|true|false|null|\\{\\}|\\[\\])(?=[,}\\]])");
    private static final Pattern FIELD = Pattern.compile("\"\\w+\":");

    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "0",
            "-1",
            "1.5",
            "99999999999999999999",
            "1e400",
            "1e999999999",
            "\"\"",
            "\"x\"",
            "\"\\u0000\"",
            "\"\\ud83d\"",
            "[]",
            "{}",
            "[null]",
            "{\"a\":null}",
            "[[]]",
            "[[[[]]]]",
            "{\"type\":\"x\"}",
            "{\"@class\":\"java.lang.Runtime\"}",
            "\"2026-01-01T00:00:00Z\"",
            "\"+1000000000-12-31T23:59:59Z\"",
            "\"PT1S\"",
            "\"COMPLETED\"",
            "\"STOP\"",
            "\"finished\"",
            "{\"code\":\"finished\"}",
            "{\"role\":\"user\",\"parts\":[]}",
            "\"a/b/c\"",
            "\"/\"",
            "1767225600.000000001",
            "-99999999999999999");

    private FactDamage() {}

    static String damage(SplittableRandom random, String text) {
        String damaged = text;
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
            damaged = once(random, damaged);
        }
        return damaged;
    }

    private static String once(SplittableRandom random, String text) {
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> replaced(random, text, VALUE, VALUES.get(random.nextInt(VALUES.size())));
            case 3 -> replaced(random, text, FIELD, "\"other\":");
            case 4 -> VALUES.get(random.nextInt(VALUES.size()));
            case 5 -> text.substring(0, random.nextInt(text.length() + 1));
            case 6 -> "[".repeat(random.nextInt(3_000)) + text;
            default ->
                new String(ByteDamage.damage(random, text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
        };
    }

    private static String replaced(SplittableRandom random, String text, Pattern what, String with) {
        Matcher matcher = what.matcher(text);
        List<MatchResult> found = matcher.results().toList();
        if (found.isEmpty()) {
            return text;
        }
        MatchResult one = found.get(random.nextInt(found.size()));
        return text.substring(0, one.start()) + with + text.substring(one.end());
    }
}
