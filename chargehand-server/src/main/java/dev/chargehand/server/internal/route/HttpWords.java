package dev.chargehand.server.internal.route;

import dev.chargehand.error.ChargehandException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an exception of a runtime says to a caller over HTTP. Its own words are those of callers in Java: they advise to call methods, which
 * become fields of requests here, or are left out. The only place of the server that reads these words.
 */
public final class HttpWords {

    /** What a message advises, and what a caller over HTTP does. */
    private static final Map<String, String> ADVICE = new LinkedHashMap<>();

    static {
        ADVICE.put("give them with giveData(...)", "answer with data");
        ADVICE.put("with addMessage(\"...\")", "with the field 'message'");
        ADVICE.put("with options(o -> o.maxSteps(...))", "with the field 'maxSteps' of the options");
        ADVICE.put("by version(...) of the fork", "in the field 'versions' of the options");
        ADVICE.put("add .thread(\"...\") to the options of the call", "name a thread");
        ADVICE.put(
                "add .resource(\"…\") to its options, or give the memory scope(Scope.THREAD)",
                "name a resource, if the agent is to remember");
    }

    /** A call of a method, or a member of a class, outside of quoted values. */
    private static final Pattern JAVA =
            Pattern.compile("(?<!\\w)(?:\\w++\\((?:\\)|\\.\\.\\.|…|\"|\\w++(?:\\)| ->|, ))|[A-Z]\\w++\\.[A-Za-z]\\w)");

    private static final Pattern QUOTED = Pattern.compile("(?<!\\w)'[^']*+'(?!\\w)");

    /** Where a part of a sentence starts that may be left out. */
    private static final List<String> STARTS = List.of(". ", "; ", ": ", ", such as ", ", for example ");

    private static final String SOMETHING = "The request asks for something that is not possible here.";

    private HttpWords() {}

    /** Return what an exception says. */
    public static String of(ChargehandException thrown) {
        String text = thrown.publicMessage();
        for (Map.Entry<String, String> each : ADVICE.entrySet()) {
            text = text.replace(each.getKey(), each.getValue());
        }
        String plain = unquoted(text);
        for (Matcher java = JAVA.matcher(plain); java.find(); java = JAVA.matcher(plain)) {
            int start = start(plain, java.start());
            if (start < 0) {
                return SOMETHING;
            }
            int end = plain.indexOf(". ", java.end());
            text = text.substring(0, start) + (end < 0 ? "." : text.substring(end));
            plain = unquoted(text);
        }
        return text;
    }

    private static int start(String text, int before) {
        return STARTS.stream()
                .mapToInt(mark -> text.lastIndexOf(mark, before - mark.length()))
                .max()
                .orElse(-1);
    }

    /** Return a text of the same length without what is quoted in it, which are values of the caller. */
    private static String unquoted(String text) {
        return QUOTED.matcher(text)
                .replaceAll(quoted -> " ".repeat(quoted.group().length()));
    }
}
