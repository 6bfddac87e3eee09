package dev.chargehand.provider.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;

/** What is read by hand is what the parser reads. */
class ContentChunkTest {

    private static final String[] PIECES = {
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        " ",
        "\"",
        "\\",
        "\n",
        "0",
        "-1",
        "1e3",
        "007",
        "null",
        "true",
        "{}",
        "[]",
        "\\u0041",
        "\\ud83d",
        "\u00e4",
        "\ud83d\ude00",
        "\ufffd",
        "\"error\"",
        "\"content\":\"x\"",
        "\"delta\":{}",
        "\"usage\":{\"total_tokens\":3}",
        "\"code\":7",
        "\"message\":\"m\"",
        "\"choices\":[]",
        "\"finish_reason\":\"stop\"",
        "\"reasoning\":\"r\"",
        "\"tool_calls\":null"
    };
    private static final String[] TEXTS = {
        "Hi",
        "",
        " two words",
        "a\\nb",
        "\\\"q\\\"",
        "\\\\",
        "tab\\t",
        "\u00e4\u20ac",
        "\ud83d\ude00",
        "\\u00e4",
        "\\/",
        "{\\\"a\\\":1}"
    };

    private static String ordinary(String content) {
        return "{\"id\":\"c-1\",\"object\":\"chat.completion.chunk\",\"created\":17,\"model\":\"m\",\"system_fingerprint\":null,"
                + "\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"" + content
                + "\",\"refusal\":null},\"logprobs\":null,\"finish_reason\":null}],\"usage\":null}";
    }

    @ParameterizedTest
    @ValueSource(strings = {"Hi", "", "a\\nb \\\"c\\\"", "\u00e4\u20ac\ud83d\ude00"})
    void theOrdinaryChunkIsReadByHand(String content) {
        assertSame(ordinary(content), true);
        assertSame(ordinary(content).replace(":", ": ").replace(",", ", "), true);
        assertSame("{\"choices\":[{\"delta\":{\"content\":\"" + content + "\"}}]}", true);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"object\":\"err\\u006fr\",\"choices\":[{\"delta\":{\"content\":\"a\"}}]}",
                "{\"choices\":[{\"delta\":{\"content\":\"a\"}}],\"choices\":[{\"delta\":{\"content\":\"b\"}}]}",
                "{\"choices\":[{\"delta\":{\"content\":\"a\",\"content\":\"b\"}}]}",
                "{\"choices\":[{\"delta\":{\"content\":\"a\"}},{\"delta\":{\"content\":\"b\"}}]}",
                "{\"choices\":[{\"delta\":{\"content\":\"a\",\"tool_calls\":[{\"index\":0}]}}]}",
                "{\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}",
                "{\"choices\":[{\"delta\":{\"content\":\"a\"}}],\"x\":01}",
                "{\"choices\":[{\"delta\":{\"content\":\"a\"}}]} {}",
                "{\"choices\":[{\"delta\":{\"content\":\"a\"}}],}",
                "{\"choices\":[{\"delta\":{\"content\":\"a\\x\"}}]}",
                "{\"choices\":[{\"delta\":{\"content\":\"a"
            })
    void anythingElseIsLeftToTheParser(String json) {
        assertSame(json, false);
    }

    @Test
    void bytesThatAreNoTextAreLeftToTheParser() {
        byte[] bytes = ordinary("a#b").getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '#') {
                bytes[i] = (byte) 0xC3;
            }
        }
        assertThat(new ContentChunk().read(bytes, 0, bytes.length, new Chunk())).isFalse();
        assertThat(assertSame(new ContentChunk(), bytes)).isFalse();
    }

    @Test
    void generatedAndMutatedChunksAreReadAsTheParserReadsThem() {
        Random random = new Random(71);
        ContentChunk contents = new ContentChunk();
        int byHand = 0;
        for (int i = 0; i < 40_000; i++) {
            StringBuilder json = new StringBuilder(ordinary(TEXTS[random.nextInt(TEXTS.length)]));
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                int from = random.nextInt(json.length());
                int to = random.nextBoolean() ? from : Math.min(json.length(), from + random.nextInt(12));
                json.replace(from, to, random.nextInt(3) == 0 ? "" : PIECES[random.nextInt(PIECES.length)]);
            }
            byte[] bytes = json.toString().getBytes(StandardCharsets.UTF_8);
            if (random.nextInt(4) == 0) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            byHand += assertSame(contents, bytes) ? 1 : 0;
        }
        assertThat(byHand).isBetween(10_000, 30_000);
    }

    @Test
    void aChunkThatIsLikeTheLastIsReadToo() {
        ContentChunk contents = new ContentChunk();
        assertThat(assertSame(contents, ordinary("a"))).isTrue();
        for (String text : TEXTS) {
            assertThat(assertSame(contents, ordinary(text))).isEqualTo(!text.contains("\\u"));
        }
        assertThat(assertSame(contents, ordinary("a\",\"x\":\"b"))).isTrue();
        assertThat(assertSame(contents, ordinary("a\",\"content\":\"b"))).isFalse();
        assertThat(assertSame(contents, ordinary("a\\"))).isFalse();
    }

    private static void assertSame(String json, boolean byHand) {
        assertThat(assertSame(new ContentChunk(), json)).as(json).isEqualTo(byHand);
    }

    private static boolean assertSame(ContentChunk contents, String json) {
        return assertSame(contents, json.getBytes(StandardCharsets.UTF_8));
    }

    /** Read a chunk in both ways; returns whether it was read by hand. */
    private static boolean assertSame(ContentChunk contents, byte[] bytes) {
        byte[] within = new byte[bytes.length + 2];
        Arrays.fill(within, (byte) '"');
        System.arraycopy(bytes, 0, within, 1, bytes.length);
        Chunk read = new Chunk();
        if (!contents.read(within, 1, bytes.length, read)) {
            assertThat(read).usingRecursiveComparison().isEqualTo(new Chunk());
            return false;
        }
        Chunk parsed = new Chunk();
        try {
            new ChunkReader(parsed, "").parse(within, 1, bytes.length, false);
        } catch (JacksonException e) {
            throw new AssertionError("Only the parser rejects " + new String(bytes, StandardCharsets.UTF_8), e);
        }
        assertThat(read)
                .as(new String(bytes, StandardCharsets.UTF_8))
                .usingRecursiveComparison()
                .isEqualTo(parsed);
        return true;
    }
}
