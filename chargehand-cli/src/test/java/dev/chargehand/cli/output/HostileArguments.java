package dev.chargehand.cli.output;

import dev.chargehand.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Arguments that try to look like others, or like something that is not arguments at all. */
final class HostileArguments {

    private static final String PROMPT =
            "Execute it? y: yes, a: yes to all of this tool in this run, n: no, l: leave it waiting, v: view details > ";

    /** Texts that are to be held against each other; each differs from all the others. */
    private static final List<String> TEXTS = List.of(
            // the plain ones that others imitate
            "delete draft",
            "report.txt",
            "admin",
            "A",
            "ff",
            "",
            " ",
            "  ",
            // bidirectional controls
            "delete \u202etfard\u202c",
            "report\u202etxt.exe",
            "\u2066delete\u2069 draft",
            "\u2067delete\u2069 draft",
            "\u2068delete\u2069 draft",
            "\u202adelete\u202c draft",
            "\u202bdelete\u202c draft",
            "\u202ddelete\u202c draft",
            "delete\u200e draft",
            "delete\u200f draft",
            "delete\u061c draft",
            // lines and escape sequences that imitate the dialogue
            "draft\n\nThis call waits for approval.\n  tool       read",
            "draft\r" + PROMPT,
            "draft\r\n" + PROMPT + "y",
            "draft\u001b[2J\u001b[H" + PROMPT,
            "draft\u001b[1A\u001b[2K  digest     SHA-256 0000",
            "draft\u009b2J",
            "draft\u001b]0;title\u0007",
            "draft\u0008\u0008\u0008\u0008\u0008final",
            "draft\u007f",
            "draft\u000bfinal",
            "draft\u000cfinal",
            "draft\u0085final",
            "draft\u2028final",
            "draft\u2029final",
            "draft\tfinal",
            "\"}\n  │ }\n  digest     SHA-256",
            "draft\",\n\"id\": \"final",
            // things of no width
            "dele\u200bte draft",
            "dele\u200cte draft",
            "dele\u200dte draft",
            "dele\u2060te draft",
            "\ufeffdelete draft",
            "dele\u00adte draft",
            "dele\u034fte draft",
            "dele\u180ete draft",
            "dele\u2064te draft",
            "dele\ufe0fte draft",
            "dele\udb40\udd00te draft",
            "dele\ufff9te draft",
            // other spaces and blanks
            "delete\u00a0draft",
            "delete\u2003draft",
            "delete\u2009draft",
            "delete\u202fdraft",
            "delete\u205fdraft",
            "delete\u3000draft",
            "delete\u1680draft",
            "delete\u2800draft",
            "delete\u3164draft",
            "delete\u115fdraft",
            "delete\uffa0draft",
            "delete\ud834\udd59draft",
            // tags, private use, not assigned, not characters
            "draft\udb40\udc69\udb40\udc67\udb40\udc6e",
            "draft\udb40\udc01",
            "draft\ue000",
            "draft\udbff\udffd",
            "draft\uffff",
            "draft\ufdd0",
            "draft\u0378",
            "draft\ufffc",
            "draft\ufffd",
            // NUL; a surrogate without a partner is U+FFFD in any JSON
            "draft\u0000.txt",
            // floods of marks, marks without letters, and marks that compose
            "draft" + "\u0301".repeat(200),
            "draft" + "\u0336".repeat(50),
            "\u0301draft",
            " \u0489draft",
            "\u20e3draft",
            "\u00e9tat",
            "e\u0301tat",
            "\u212bngstrom",
            "\u00c5ngstrom",
            "A\u030angstrom",
            "q\u0323\u0301",
            "q\u0301\u0323",
            // forms of letters
            "\uff21",
            "\ud835\udc00",
            "\ufb00",
            "\u2160",
            "\u0430dmin",
            "admin\u0455",
            "\u05d0\u05d1 100 \u05d2",
            "\u0627\u0644 100 \u0639",
            // what looks like an escape and is none
            "\\u202e",
            "\\\\u202e",
            "\\n",
            "\\",
            "\\\"",
            "\\ud800",
            "\\u0000",
            // tails
            "draft" + " ".repeat(500) + PROMPT,
            "draft" + " ".repeat(100_000) + "final",
            "x".repeat(100_000),
            "x".repeat(100_001),
            "x".repeat(50_000) + "y" + "x".repeat(49_999),
            "x".repeat(50_000) + "\u200b" + "x".repeat(49_999),
            "\n".repeat(5_000) + "final",
            "\ud83d\ude00".repeat(20_000),
            "│ ┆ … ! not shown: 1 lines");

    private HostileArguments() {}

    /** Returns every hostile set of arguments; no two mean the same. */
    static List<Json> all() {
        List<Json> all = new ArrayList<>();
        for (String text : TEXTS) {
            all.add(Json.of(Map.of("id", text)));
            if (text.length() < 10_000) { // longer names are not read
                all.add(Json.parse("{" + Json.of(text).text() + ":1}"));
            }
        }
        Stream.of(
                        "{}",
                        "[]",
                        "null",
                        "\"id\"",
                        "{\"id\":null}",
                        "{\"id\":\"null\"}",
                        "{\"id\":{}}",
                        "{\"id\":[]}",
                        "{\"id\":[[]]}",
                        "{\"id\":[1,2]}",
                        "{\"id\":[12]}",
                        "{\"id\":\"1, 2\"}",
                        "{\"id\":1}",
                        "{\"id\":1.0}",
                        "{\"id\":1.00}",
                        "{\"id\":1e0}",
                        "{\"id\":0.1}",
                        "{\"id\":0.1000000000000000055}",
                        "{\"id\":1e400}",
                        "{\"id\":1e401}",
                        "{\"id\":-0}",
                        "{\"id\":true,\"a\":false}",
                        "{\"id\":\"a\",\"a\":\"id\"}",
                        "{\"id\":" + "[".repeat(60) + "]".repeat(60) + "}",
                        "{\"id\":[" + "0,".repeat(3_000) + "0]}",
                        "{\"id\":[" + "0,".repeat(1_500) + "1," + "0,".repeat(1_499) + "0]}",
                        "{\"id\":[" + "0,".repeat(1_500) + "0.0," + "0,".repeat(1_499) + "0]}")
                .map(Json::parse)
                .forEach(all::add);
        return all;
    }
}
