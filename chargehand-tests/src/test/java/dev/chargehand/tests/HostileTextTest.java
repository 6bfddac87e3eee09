package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.completion.Scorer;
import dev.chargehand.completion.Scorers;
import dev.chargehand.processor.Redaction;
import dev.chargehand.processor.UnicodeNormalizer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What reads texts of models and tools is done with long ones in proportion to their length, whatever they consist of. */
@Timeout(120)
class HostileTextTest {

    private static final int LENGTH = 50_000;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\n",
                " ",
                " \n",
                "\t",
                "1",
                "a",
                "[",
                "]",
                "(",
                "{",
                "-",
                ".",
                "\\",
                "\"",
                "`",
                "*",
                "_",
                "#",
                "~",
                "/",
                ":",
                "\u0301",
                "\u200D",
                "\uD83D",
                "\uD83D\uDE00",
                "[1",
                "[1]",
                "[1] ",
                "[a b.c:1]",
                "a b.c:1,",
                "http://",
                "http://.",
                "http://a(",
                "```\n",
                "~~~\n",
                "1. ",
                "\n1. ",
                "{\"",
                "eyJ_",
                "-----BEGIN PRIVATE KEY-----",
                "@",
                "a@",
                "+1",
                "é.",
                "\n## Sources\n",
                "Sources: "
            })
    void aLongRunOfAnythingIsRead(String unit) {
        String text = unit.repeat(LENGTH / unit.length());
        for (Scorer scorer : List.of(
                Scorers.citations(3),
                Scorers.citedSourcesExist(source -> false),
                Scorers.contains("nothing"),
                Scorers.minLength(10))) {
            assertThat(Answer.of(text).scoredBy(scorer).value()).isBetween(0.0, 1.0);
            assertThat(Answer.of("Sources:\n[1] " + text + "x").scoredBy(scorer).value())
                    .isBetween(0.0, 1.0);
        }
        assertThat(Redaction.all().redact(text)).isNotEmpty();
        assertThat(UnicodeNormalizer.nfkc().normalize(text)).isNotNull();
    }

    @Test
    void aPatternOfAUserThatTakesTooLongIsNamed() {
        Redaction costly = Redaction.none().pattern("order", "(a+)+!");

        Steps.assertMisconfigured(
                () -> costly.redact("a".repeat(10_000)), "Redaction 'order': ", "takes too long on this text");
        assertThat(Redaction.none().pattern("order", "ORD-\\d{6}").redact("ORD-123456 ".repeat(50_000)))
                .startsWith("[order] [order] ");
    }

    @Test
    void keysThatFollowEachOtherAreAllTakenOut() {
        String key = "-----BEGIN PRIVATE KEY-----\nAAAA\n";

        assertThat(Redaction.all().redact(key + key + "-----END PRIVATE KEY-----."))
                .isEqualTo("[private-key][private-key].");
    }
}
