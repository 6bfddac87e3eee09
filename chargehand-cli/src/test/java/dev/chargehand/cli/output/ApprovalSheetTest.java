package dev.chargehand.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.json.Json;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What somebody sees who is asked for approval: all of it, and nothing that hides or pretends. */
class ApprovalSheetTest {

    private static final Instant NOW = Instant.parse("2026-05-04T12:00:00Z");

    private static PendingApproval call(Json arguments) {
        return call(arguments, "deleteRecord", "ann");
    }

    /** With one digest for all, so that it is not what tells two sheets apart. */
    private static PendingApproval call(Json arguments, String tool, @Nullable String requester) {
        return PendingApproval.builder(PendingApproval.Kind.APPROVAL, new RunId("run_2"), "call_1", tool, arguments)
                .rootRunId(new RunId("run_1"))
                .path(AgentPath.parse("boss/finder"))
                .digest("0".repeat(64))
                .requester(requester)
                .askedAt(NOW.minusSeconds(90))
                .expiresAt(NOW.plusSeconds(7_260))
                .build();
    }

    private static List<String> lines(Json arguments, boolean whole) {
        return ApprovalSheet.of(call(arguments), NOW, whole, 200).lines();
    }

    @Test
    void aSheetSaysEverythingThatIsExecutedAndWhoAsked() {
        assertThat(lines(Json.parse("{\"why\":\"Grüße, 漢字\",\"id\":\"r1\",\"n\":[1.50,{\"a\":null}]}"), false))
                .containsExactly(
                        "This call waits for approval. It is executed exactly as shown, or not at all.",
                        "  tool       deleteRecord",
                        "  arguments  51 characters, 57 bytes",
                        "  │ {",
                        "  │   \"id\": \"r1\",",
                        "  │   \"n\": [",
                        "  │     1.50,",
                        "  │     {",
                        "  │       \"a\": null",
                        "  │     }",
                        "  │   ],",
                        "  │   \"why\": \"Grüße, 漢字\"",
                        "  │ }",
                        "  by boss/finder for \"ann\", 1 min ago, expires in 2 h 1 min; call_1 of run_1, SHA-256 "
                                + "0".repeat(12));
    }

    @Test
    void detailsHaveIdsAndTimesInFull() {
        assertThat(lines(Json.parse("{}"), true))
                .endsWith(
                        "  agent      boss/finder",
                        "  call       call_1",
                        "  run        run_1",
                        "  asked      for \"ann\", 2026-05-04T11:58:30Z, 1 min ago",
                        "  expires    2026-05-04T14:01:00Z, in 2 h 1 min; counts as declined then",
                        "  digest     SHA-256 " + "0".repeat(64));
    }

    @Test
    void thereAreManyHostileArguments() {
        List<Json> all = HostileArguments.all();
        assertThat(all).hasSizeGreaterThan(200).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingHidesAndNothingActsOnTheTerminal(boolean whole) {
        for (Json arguments : HostileArguments.all()) {
            for (String line : lines(arguments, whole)) {
                assertShown(line);
                assertThat(line.codePointCount(0, line.length())).isLessThanOrEqualTo(110);
            }
        }
    }

    /** Counted here once more, by other means than the code's own. */
    private static void assertShown(String line) {
        int marks = 0;
        for (int i = 0; i < line.length(); i += Character.charCount(line.codePointAt(i))) {
            int c = line.codePointAt(i);
            String name = String.format("U+%04X in %s", c, line);
            String kind = Character.toString(c);
            assertThat(kind.matches("[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\p{Cn}\\p{Zl}\\p{Zp}\\p{Me}]"))
                    .as(name)
                    .isFalse();
            assertThat(kind.matches("\\p{Zs}") && c != ' ').as(name).isFalse();
            assertThat(Set.of(0x34f, 0x115f, 0x1160, 0x3164, 0xffa0, 0x2800, 0xfffc, 0x1d159))
                    .as(name)
                    .doesNotContain(c);
            assertThat((c >= 0xfe00 && c <= 0xfe0f) || c >= 0xe0000).as(name).isFalse();
            marks = kind.matches("\\p{M}") ? marks + 1 : 0;
            assertThat(marks).as(name).isLessThanOrEqualTo(3);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noTwoArgumentsLookAlike(boolean whole) {
        Map<List<String>, Json> seen = new HashMap<>();
        for (Json arguments : HostileArguments.all()) {
            Json before = seen.put(lines(arguments, whole), arguments);
            assertThat(before).as("looks like %s", arguments).isNull();
        }
    }

    @Test
    void noTwoTextsBecomeOneEvenIfTheirLengthsAreLeftOut() {
        Set<List<String>> seen = new HashSet<>();
        for (Json arguments : HostileArguments.all()) {
            assertThat(seen.add(PrettyJson.lines(arguments)))
                    .as(arguments.text())
                    .isTrue();
        }
    }

    @Test
    void whatIsShownIsJsonThatMeansTheSame() {
        for (Json arguments : HostileArguments.all()) {
            String shown = String.join("\n", PrettyJson.lines(arguments));
            assertThat(Json.parse(shown).canonical()).isEqualTo(arguments.canonical());
        }
    }

    @Test
    void anyTextIsShownAsOneThatMeansTheSame() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int c = random.nextInt(8); c >= 0; c--) {
                text.append(
                        switch (random.nextInt(4)) {
                            case 0 -> (char) random.nextInt(0x10000);
                            case 1 -> "\\u\"n0".charAt(random.nextInt(5));
                            case 2 -> (char) (0x300 + random.nextInt(0x70));
                            default -> (char) ('a' + random.nextInt(26));
                        });
            }
            String shown = Revealed.text(text.toString());
            assertShown(shown);
            assertThat(Json.parse("\"" + shown + "\"").string())
                    .isEqualTo(Json.of(text.toString()).string()); // without surrogates that have no partner
        }
    }

    @Test
    void whatOthersWroteNeverLeavesItsFrame() {
        List<String> own = lines(Json.parse("{}"), true);
        for (Json arguments : HostileArguments.all()) {
            List<String> lines = lines(arguments, true);
            assertThat(lines.stream()
                            .filter(line -> !line.startsWith("  │ ")
                                    && !line.startsWith("  ┆ ")
                                    && !line.startsWith("  ! ")
                                    && !line.startsWith("  arguments")))
                    .containsExactlyElementsOf(own.stream()
                            .filter(line -> !line.startsWith("  │ ") && !line.startsWith("  arguments"))
                            .toList());
        }
    }

    @Test
    void ofWhatIsLongTheEndIsShownAndHowMuchIsNot() {
        ApprovalSheet sheet =
                ApprovalSheet.of(call(Json.of(Map.of("id", "x".repeat(100_000) + "END"))), NOW, false, 200);

        assertThat(sheet.whole()).isFalse();
        assertThat(sheet.lines()).hasSizeLessThan(70);
        assertThat(sheet.lines()).anySatisfy(line -> assertThat(line)
                .matches("  … not shown: 1,3\\d\\d lines with 9[0-9],\\d{3} characters \\(SHA-256 [0-9a-f]{32}\\)"));
        assertThat(String.join("", sheet.lines()).replace("  ┆ ", "")).contains("xxxEND\"");
        assertThat(sheet.lines()).contains("  arguments  100,012 characters, 100,012 bytes");

        ApprovalSheet whole =
                ApprovalSheet.of(call(Json.of(Map.of("id", "x".repeat(100_000) + "END"))), NOW, true, 200);
        assertThat(whole.whole()).isTrue();
        assertThat(String.join("", whole.lines()).chars().filter(c -> c == 'x').count())
                .isGreaterThanOrEqualTo(100_000);
    }

    @Test
    void escapesAreCountedAndLettersThatLookAlikeAreTold() {
        assertThat(lines(Json.of(Map.of("id", "a\u202eb\u200b\ud83d\ude00\udb40\udc69\\\"")), false))
                .contains("  arguments  19 characters, 29 bytes; 3 written as escapes")
                .contains("  │   \"id\": \"a\\u202eb\\u200b😀\\udb40\\udc69\\\\\\\"\"");
        assertThat(lines(Json.of(Map.of("id", "\u0430dmin")), false))
                .contains("  ! A word mixes letters of several alphabets; some of them look alike.");
        assertThat(lines(Json.of(Map.of("id", "\u05d0 100")), false))
                .contains(
                        "  ! Some letters are written from right to left; a terminal may show them in another order.");
        assertThat(lines(Json.of(Map.of("id", "Москва, Zürich, Αθήνα")), false))
                .noneMatch(line -> line.startsWith("  ! "));
    }

    @Test
    void whoAskedCannotHideEither() {
        PendingApproval call = call(Json.parse("{}"), "deleteRecord", "ann\n  digest  SHA-256 1\u202e");

        assertThat(ApprovalSheet.of(call, NOW, false, 200).lines()).anySatisfy(line -> assertThat(line)
                .startsWith("  by boss/finder for \"ann\\n  digest  SHA-256 1\\u202e\", 1 min ago"));
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 39, 59})
    void onANarrowTerminalNothingLooksLikeAFrameThatIsNone(int columns) {
        Json arguments = Json.of(Map.of("to", "somebody with a name that is long ".repeat(4)));
        PendingApproval call = call(arguments);

        for (boolean whole : List.of(true, false)) {
            List<String> lines = ApprovalSheet.of(call, NOW, whole, columns).lines();
            assertThat(lines).allMatch(line -> line.length() <= columns);
            assertThat(lines.stream().filter(line -> line.contains("a name")))
                    .isNotEmpty()
                    .allMatch(line -> line.startsWith("  │ ") || line.startsWith("  ┆ "));
        }
    }
}
