package dev.chargehand.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is taken out of a text, what is left in it, and that it does not depend on how the text is cut. */
class RedactionTest {

    private static final String JWT = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
            + "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4ifQ.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";

    private static final String PEM =
            "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\nabc+/=\n" + "-----END RSA PRIVATE KEY-----";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ann@example.org | [email]",
                "Write to Ann.O-Neil+news@mail.example.co.uk. | Write to [email].",
                "邮箱ann@example.org | [email]",
                "ann@münchen.example | [email]",
                "<ann@example.org>, (bob@example.org) | <[email]>, ([email])",
                "DE89370400440532013000 | [iban]",
                "IBAN: DE89 3704 0044 0532 0130 00! | IBAN: [iban]!",
                "GB29 NWBK 6016 1331 9268 19 is mine | [iban] is mine",
                "de89-3704-0044-0532-0130-00 | [iban]",
                "NO93 8601 1117 947 | [iban]",
                "4111111111111111 | [card]",
                "Pay with 4111 1111 1111 1111 now | Pay with [card] now",
                "5500-0000-0000-0004, CVC 123 | [card], CVC 123",
                "4111 1111 1111 1111 123 | [card] 123",
                "12 4111 1111 1111 1111 | 12 [card]",
                "378282246310005 | [card]",
                "+49 30 901820 | [phone]",
                "Call +1 (555) 123-4567. | Call [phone].",
                "0049 30 901820 | [phone]",
                "(555) 123-4567 or 555-123-4567 | [phone] or [phone]",
                "sk-proj-abcDEF1234567890abcDEF | [api-key]",
                "key=AKIAIOSFODNN7EXAMPLE; | key=[api-key];",
                "ghp_0123456789abcdefghijABCDEFGHIJ012345 | [api-key]",
                "xoxb-123456789012-abcdef | [api-key]",
                "AIzaSyA1234567890abcdefghijklmnopqrstuv | [api-key]",
                "sk_live_0123456789abcdef | [api-key]",
            })
    void whatHasTheFormIsTakenOut(String text, String clean) {
        assertThat(Redaction.all().redact(text)).isEqualTo(clean);
    }

    @Test
    void tokensAndPrivateKeysAreTakenOut() {
        assertThat(Redaction.all().redact("Bearer " + JWT + " end")).isEqualTo("Bearer [jwt] end");
        assertThat(Redaction.all().redact("Key:\n" + PEM + "\nend")).isEqualTo("Key:\n[private-key]\nend");
        assertThat(Redaction.all().redact("Key: " + PEM.substring(0, 60))).isEqualTo("Key: [private-key]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Meet @ noon, or mail user@localhost",
                "DE89370400440532013001 has the wrong check digits",
                "DE is a country, and so is GB",
                "4111111111111112 has the wrong sum",
                "41111111111111111111111 is too long",
                "Order 1234567890123, version 10.0.12.4, on 2024-01-15 at 10:00",
                "9999 9999 9999 9995 begins with no issuer's digit",
                "C++ 17, 2+2, +5 %, 00:15, 007, +1234",
                "0000123456789 is an invoice",
                "sk-learn-is-a-library-for-python and sk-short1",
                "eyJhbGciOiJIUzI1NiJ9 alone is no token",
                "https://example.org/a/b?c=d#e and f(x) = (1, 2)",
                "1234-5678-90 and 555-12-34567",
                "Übung macht den Meister, 日本語もある。",
            })
    void whatOnlyLooksLikeItStays(String text) {
        assertThat(Redaction.all().redact(text)).isEqualTo(text);
    }

    @Test
    void onlyTheKindsThatWereChosenAreTakenOut() {
        String text = "ann@example.org 4111111111111111";
        assertThat(Redaction.of(Redaction.Kind.CARD).redact(text)).isEqualTo("ann@example.org [card]");
        assertThat(Redaction.of(Redaction.Kind.EMAIL).redact(text)).isEqualTo("[email] 4111111111111111");
    }

    @Test
    void aPatternOfOnesOwnComesFirst() {
        Redaction redaction = Redaction.all().pattern("employee", "EMP-\\d{4}").pattern("intern", "@example\\.org");
        assertThat(redaction.redact("EMP-1234 ann@example.com x@example.org")).isEqualTo("[employee] [email] [email]");
        assertThat(Redaction.none().pattern("after", "(?<=pin )\\d{4}").redact("pin 1234 nip 1234"))
                .isEqualTo("pin [after] nip 1234");
        assertThatThrownBy(() -> Redaction.none().pattern("bad", "(")).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> Redaction.none().pattern("empty", "a*")).isInstanceOf(ConfigurationException.class);
    }

    private static String inPieces(Redaction redaction, String text, Random random, int longest) throws Exception {
        TextProcessor stream = redaction.processOutputStream(null);
        StringBuilder passed = new StringBuilder();
        for (int at = 0; at < text.length(); ) {
            int end = Math.min(text.length(), at + 1 + random.nextInt(longest));
            passed.append(value(stream.next(text.substring(at, end))));
            at = end;
        }
        return passed.append(value(stream.end())).toString();
    }

    private static String value(Processed<String> said) {
        return ((Processed.Rewritten<String>) said).value();
    }

    @Test
    void howATextIsCutChangesNothing() throws Exception {
        List<String> parts = List.of(
                "ann@example.org",
                "4111 1111 1111 1111",
                "DE89 3704 0044 0532 0130 00",
                "+49 30 901820",
                JWT,
                PEM,
                "sk-proj-abcDEF1234567890abcDEF",
                "(555) 123-4567",
                " ",
                ", ",
                "\n",
                "and",
                "DE",
                "41",
                "+4",
                "eyJ",
                "-----BEGIN ",
                "x@y",
                "EMP-12",
                "EMP-1234",
                "é",
                "😀",
                "0049 ",
                "1",
                " 5500-0000-0000-0004",
                "sk-",
                "(");
        Redaction redaction = Redaction.all().pattern("employee", "(?<!no )EMP-\\d{4}");
        for (long seed = 0; seed < 1500; seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder();
            IntStream.range(0, 1 + random.nextInt(14))
                    .forEach(i -> text.append(parts.get(random.nextInt(parts.size()))));
            String whole = redaction.redact(text.toString());
            assertThat(inPieces(redaction, text.toString(), random, 1 + random.nextInt(40)))
                    .as("seed %s: %s", seed, text)
                    .isEqualTo(whole);
        }
    }

    @Test
    void nothingThatIsTakenOutPassesOnTheWay() throws Exception {
        TextProcessor stream = Redaction.all().processOutputStream(null);
        List<String> passed = new ArrayList<>();
        for (char letter : "Write to ann@example.org, or 4111 1111 1111 1111.".toCharArray()) {
            passed.add(value(stream.next(String.valueOf(letter))));
        }
        passed.add(value(stream.end()));
        assertThat(String.join("", passed)).isEqualTo("Write to [email], or [card].");
        assertThat(passed.indexOf("[email],")).isPositive();
    }

    @Test
    void aLongTextTakesItsTimeInProportion() throws Exception {
        String text = "word ".repeat(40_000) + "4".repeat(40_000) + "a".repeat(40_000) + " " + "ab@".repeat(10_000);
        assertThat(inPieces(Redaction.all(), text, new Random(1), 30))
                .isEqualTo(Redaction.all().redact(text));
    }

    @Test
    void blockingNamesWhatWasFoundAndDoesNotQuoteIt() throws Exception {
        Redaction blocking = Redaction.all().blocking();
        Processed<String> said = blocking.processOutputResult(null, "Mail ann@example.org from DE89370400440532013000");
        assertThat(said).isInstanceOfSatisfying(Processed.Aborted.class, aborted -> assertThat(aborted.reason())
                .isEqualTo("It contains what must not pass: email, iban."));
        TextProcessor stream = blocking.processOutputStream(null);
        assertThat(value(stream.next("Mail ann@exam"))).isEqualTo("Mail ");
        assertThat(stream.next("ple.org now")).isInstanceOf(Processed.Aborted.class);
    }
}
