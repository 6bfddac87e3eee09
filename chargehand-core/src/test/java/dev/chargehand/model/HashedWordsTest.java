package dev.chargehand.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.chargehand.model.EmbeddingRequest.Kind;
import dev.chargehand.run.Usage;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HashedWordsTest {

    private static final Duration LIMIT = Duration.ofSeconds(2);

    @ParameterizedTest(name = "{0} is nearer to {1} than to {2}")
    @CsvSource({
        "where is my invoice, the invoice of March, a recipe for soup",
        "the cat sleeps, a cat that sleeps, the dog barks",
        "invoices, invoice, recipe",
        "Rechnungen, Rechnung, Suppe",
        "the order of Zoë, an order of Zoë, the order for Tom",
        "注文番号, 注文, 天気",
        "договор аренды, договора об аренде, погода завтра",
        "order 4711, order 4711 arrived, order 12 arrived"
    })
    void aTextIsNearerToOneWithCommonWords(String text, String near, String far) {
        assertThat(similarity(text, near)).isGreaterThan(similarity(text, far) + 0.05);
    }

    @ParameterizedTest(name = "{0} and {1}: {2}")
    @CsvSource({
        "the cat, THE CAT, 1",
        "the cat, the  cat!, 1",
        "cat the, the cat, 1",
        "ÄRGER, ärger, 1",
        "ΟΔΟΣ, οδοσ, 1",
        "𐐀𐐁𐐂, 𐐨𐐩𐐪, 1",
        "car, automobile, 0",
        "happy, joyful, 0"
    })
    void caseOrderAndPunctuationDoNotCountAndMeaningIsNotFound(String one, String other, double expected) {
        assertThat(similarity(one, other)).isCloseTo(expected, within(expected == 1 ? 1e-6 : 0.15));
    }

    @ParameterizedTest
    @CsvSource({"resume, résumé", "uber, über", "cafe, cafe\u0301", "हिन्द, हिन्दी"})
    void accentsAndMarksCount(String without, String with) {
        assertThat(similarity(without, with)).isBetween(-0.2, 0.9);
    }

    @Test
    void aRepeatedWordCountsMoreButNotAsOftenAsItIsRepeated() {
        double once = similarity("soup", "soup and bread");
        double often = similarity("soup", "soup ".repeat(100) + "and bread");
        double plain = similarity("bread", "soup ".repeat(100) + "and bread");
        assertThat(often).isGreaterThan(once);
        assertThat(plain).isGreaterThan(0.1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "\n\t",
                "!",
                "?!?!",
                "🙂",
                "🙂🙃",
                "\uD800",
                "\u0301",
                "\u0000",
                "a",
                "-----------------------",
                "\u200B\u200C"
            })
    void everyTextHasAVectorOfLengthOne(String text) {
        float[] vector = HashedWords.vector(text);
        assertThat(vector).hasSize(HashedWords.DIMENSIONS);
        assertThat(product(vector, vector)).isCloseTo(1, within(1e-5));
        assertThat(vector).isEqualTo(HashedWords.vector(text));
    }

    @Test
    void charactersThatCancelEachOtherHaveAVectorToo() {
        int found = 0;
        for (int one = 0x2200; one < 0x2300; one++) {
            for (int other = one + 1; other < 0x2300; other++) {
                if (similarity(Character.toString(one), Character.toString(other)) < -0.999) {
                    float[] both = HashedWords.vector(Character.toString(one) + Character.toString(other));
                    assertThat(product(both, both)).isCloseTo(1, within(1e-5));
                    found++;
                }
            }
        }
        assertThat(found).isPositive();
    }

    @Test
    void textsWithoutWordsDiffer() {
        assertThat(similarity("🙂", "🙃")).isLessThan(0.9);
        assertThat(similarity("🙂🙂", "🙂")).isGreaterThan(0.9);
    }

    /** Stored vectors outlive this version: what is computed must not change without another name of the model. */
    @ParameterizedTest
    @CsvSource({"the cat sleeps, 02e2c753e46dc467", "'Zoë, 注文 4711! 𐐀', 6ef615953ea815f1", "🙂, 3a5e23c1cdd19973"})
    void theVectorsOfANameNeverChange(String text, String digest) throws Exception {
        ByteBuffer bytes = ByteBuffer.allocate(HashedWords.DIMENSIONS * Float.BYTES);
        for (float component : HashedWords.vector(text)) {
            bytes.putFloat(component);
        }
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes.array());
        assertThat(HexFormat.of().formatHex(hash, 0, 8)).isEqualTo(digest);
        assertThat(new HashedWords().name()).isEqualTo("chargehand/hashed-words-1");
    }

    @Test
    void theLanguageOfTheMachineDoesNotMatter() {
        Locale before = Locale.getDefault();
        float[] usual = HashedWords.vector("TITLE INDEX");
        try {
            Locale.setDefault(Locale.forLanguageTag("tr"));
            assertThat(HashedWords.vector("TITLE INDEX")).isEqualTo(usual);
        } finally {
            Locale.setDefault(before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "🙂", "ab ", "\u0301", "é!"})
    @Timeout(30)
    void aTextOfAMegabyteIsNoBurden(String unit) {
        float[] vector = HashedWords.vector(unit.repeat((1 << 20) / unit.length()));
        assertThat(product(vector, vector)).isCloseTo(1, within(1e-5));
    }

    @Test
    void aLongTextIsStillNearToItsParts() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            text.append("word").append(i).append(' ');
        }
        assertThat(similarity(text.toString(), "word17 word18 word19")).isGreaterThan(0);
    }

    @Test
    void aRequestHasOneVectorForEachTextAndUsesNothing() {
        HashedWords model = new HashedWords();
        Embeddings embeddings = model.embed(new EmbeddingRequest(List.of("a b", "c d"), Kind.QUERY, LIMIT));
        assertThat(embeddings.vectors()).containsExactly(HashedWords.vector("a b"), HashedWords.vector("c d"));
        assertThat(embeddings.usage()).isEqualTo(Usage.NONE);
        assertThat(model.dimensions()).hasValue(384);
        assertThat(model.symmetric()).isTrue();
        assertThat(model.secrets()).isEmpty();
    }

    @Test
    void aRequestHasTextsAndALimit() {
        assertRejected(List.of(), LIMIT);
        assertRejected(List.of("a", ""), LIMIT);
        assertRejected(List.of("a"), Duration.ZERO);
        assertRejected(List.of("a"), Duration.ofSeconds(-1));
    }

    private static void assertRejected(List<String> texts, Duration limit) {
        assertThatThrownBy(() -> new EmbeddingRequest(texts, Kind.PASSAGE, limit))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static double similarity(String one, String other) {
        return product(HashedWords.vector(one), HashedWords.vector(other));
    }

    private static double product(float[] one, float[] other) {
        double sum = 0;
        for (int i = 0; i < one.length; i++) {
            sum += one[i] * other[i];
        }
        return sum;
    }
}
