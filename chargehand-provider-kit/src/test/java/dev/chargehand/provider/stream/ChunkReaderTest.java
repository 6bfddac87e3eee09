package dev.chargehand.provider.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.provider.fault.ProviderError;
import dev.chargehand.run.Usage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;

class ChunkReaderTest {

    private static final String KEY = "secret-word";

    @Test
    void textAndReasoningAreRead() {
        Chunk chunk = delta("\"role\":\"assistant\",\"content\":\"Hi \\u00e4\",\"reasoning_content\":\"hm\"");
        assertThat(chunk.hasChoice).isTrue();
        assertThat(chunk.text).isEqualTo("Hi ä");
        assertThat(chunk.reasoning).isEqualTo("hm");
        assertThat(chunk.finish).isEmpty();
    }

    @Test
    void reasoningUnderTwoNamesIsTakenOnce() {
        assertThat(delta("\"reasoning\":\"hm\"").reasoning).isEqualTo("hm");
        assertThat(delta("\"reasoning\":\"hm\",\"reasoning_content\":\"hm\"").reasoning)
                .isEqualTo("hm");
    }

    @Test
    void contentInPartsIsTextAndThinking() {
        Chunk chunk = delta("\"content\":[{\"type\":\"thinking\",\"thinking\":[{\"type\":\"text\",\"text\":\"hm\"}]},"
                + "{\"type\":\"text\",\"text\":\"Hi\"},7]");
        assertThat(chunk.text).isEqualTo("Hi");
        assertThat(chunk.reasoning).isEqualTo("hm");
    }

    @Test
    void aRefusalIsText() {
        assertThat(delta("\"content\":null,\"refusal\":\"No.\"").text).isEqualTo("No.");
    }

    @Test
    void onlyTheFirstChoiceCounts() {
        Chunk chunk = read("{\"choices\":[{\"delta\":{\"content\":\"a\"}},{\"delta\":{\"content\":\"b\"}}]}");
        assertThat(chunk.text).isEqualTo("a");
    }

    @Test
    void anythingUnknownOrOfAnotherKindIsPassedOver() {
        Chunk chunk = read(
                "{\"id\":[{}],\"object\":null,\"choices\":[null,{\"x\":{\"y\":[1]},\"delta\":{\"content\":{\"a\":1},"
                        + "\"tool_calls\":null,\"audio\":{}},\"finish_reason\":null,\"logprobs\":[]}],\"usage\":null,\"error\":null}");
        assertThat(chunk.hasChoice).isTrue();
        assertThat(chunk.text).isEmpty();
        assertThat(chunk.usage).isNull();
        assertThat(chunk.error).isNull();
        assertThat(read("{\"choices\":{},\"usage\":3}").hasChoice).isFalse();
        assertThat(read("{\"choices\":[{\"delta\":3}]}").hasChoice).isTrue();
    }

    /** The parser knows the name from the chunk before, and has names padded with this byte. */
    @Test
    void aNameWithAByteThatNoUtf8HasIsRejectedWhateverTheParserHasSeen() {
        assertThat(read("{\"choices\":[{}]}").hasChoice).isTrue();
        byte[] bytes = "{\"choi\u00ffces\":[{}]}".getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> new ChunkReader(new Chunk(), KEY).read(bytes, 0, bytes.length, false))
                .isInstanceOf(JacksonException.class);
    }

    @Test
    void callsAreReadInBothForms() {
        assertThat(delta(
                                "\"tool_calls\":[{\"index\":3,\"id\":\"c\",\"type\":\"function\",\"function\":"
                                        + "{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":\"}},{\"function\":{\"arguments\":\"1}\"}},9]")
                        .calls)
                .containsExactly(new CallFragment(3, "c", "f", "{\"a\":"), new CallFragment(-1, "", "", "1}"));
        assertThat(delta("\"function_call\":{\"name\":\"f\",\"arguments\":\"{}\"}").calls)
                .containsExactly(new CallFragment(-1, "", "f", "{}"));
    }

    @Test
    void argumentsAsAnObjectBecomeItsText() {
        assertThat(delta("\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"f\",\"arguments\":{\"a\":[1,\"x\"]}}}]")
                        .calls)
                .containsExactly(new CallFragment(0, "", "f", "{\"a\":[1,\"x\"]}"));
    }

    @Test
    void usageHasCachedAndReasoningTokens() {
        assertThat(read("{\"choices\":[],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":7,\"total_tokens\":17,"
                                + "\"prompt_tokens_details\":{\"audio_tokens\":1,\"cached_tokens\":4},"
                                + "\"completion_tokens_details\":{\"reasoning_tokens\":5}}}")
                        .usage)
                .isEqualTo(new Usage(10, 7, 4, 5));
    }

    @Test
    void reasoningCountedApartIsAddedToTheOutput() {
        assertThat(read("{\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":7,\"total_tokens\":22,"
                                + "\"completion_tokens_details\":{\"reasoning_tokens\":5}}}")
                        .usage)
                .isEqualTo(new Usage(10, 12, 0, 5));
    }

    @Test
    void usageIsFoundWhereVendorsPutIt() {
        assertThat(read("{\"x_groq\":{\"id\":\"r\",\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}}}").usage)
                .isEqualTo(Usage.of(1, 2));
        assertThat(read("{\"choices\":[{\"delta\":{},\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}}]}").usage)
                .isEqualTo(Usage.of(1, 2));
        assertThat(read("{\"usage\":{\"prompt_tokens\":9,\"prompt_cache_hit_tokens\":8,\"completion_tokens\":null}}")
                        .usage)
                .isEqualTo(new Usage(9, 0, 8, 0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"error\":{\"message\":\"m\",\"code\":529,\"type\":\"overloaded_error\"}}",
                "{\"object\":\"error\",\"message\":\"m\",\"code\":529,\"type\":\"overloaded_error\"}",
                "{\"choices\":[{\"error\":{\"message\":\"m\",\"code\":\"529\",\"type\":\"overloaded_error\"}}]}"
            })
    void anErrorIsFoundWhereServersPutIt(String json) {
        assertThat(read(json).error).isEqualTo(new ProviderError(529, "529", "overloaded_error", "m"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"chunk\"", "\"errors\"", "{\"is\":\"error\"}", "[\"error\"]", "null"})
    void anotherKindOfObjectIsNoError(String object) {
        assertThat(read("{\"object\":" + object + ",\"choices\":[]}").error).isNull();
    }

    @Test
    void anErrorKeepsPlainWordsOnly() {
        assertThat(read("{\"error\":\"server_error\"}").error)
                .isEqualTo(new ProviderError(0, "", "server_error", "server_error"));
        assertThat(read("{\"error\":\"You said: my password\"}").error)
                .isEqualTo(new ProviderError(0, "", "", "You said: my password"));
        assertThat(read("{\"error\":{\"code\":\"abc123def456\",\"type\":\"secret-word\"}}").error)
                .isEqualTo(ProviderError.UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{not json}",
                "[]",
                "7",
                "{} {}",
                "{}x",
                "{\"a\":1,}",
                "{\"choices\":[{\"delta\":{\"content\":\"a"
            })
    void whatIsNotOneJsonObjectIsRefused(String json) {
        assertThatThrownBy(() -> read(json)).isInstanceOf(JacksonException.class);
    }

    @Test
    void nestingIsCapped() {
        assertThatThrownBy(() -> read("{\"x\":" + "[".repeat(200) + "]".repeat(200) + "}"))
                .isInstanceOf(JacksonException.class);
    }

    @Test
    void chunksOfAnyLengthAreReadOneAfterTheOther() {
        assertThat(read("{}").hasChoice).isFalse();
        for (int length : List.of(1, 7_990, 8_000, 100, 20_000, 3)) {
            String text = "ä".repeat(length);
            assertThat(delta("\"content\":\"" + text + "\"").text).isEqualTo(text);
        }
        assertThat(read(" {} \n\t\r").text).isEmpty();
    }

    @Test
    void whatFollowsAnObjectIsRefusedHoweverFarAway() {
        assertThatThrownBy(() -> read("{}" + " ".repeat(20_000) + "{}")).isInstanceOf(JacksonException.class);
        assertThat(read("{}" + " ".repeat(20_000)).text).isEmpty();
    }

    @Test
    void aChunkThatWasRefusedLeavesNothingBehind() {
        for (String broken : List.of("{\"choices\":[", "{} {}", "{\"a\":\"b", "[", "", "1")) {
            assertThatThrownBy(() -> read(broken)).isInstanceOf(JacksonException.class);
            assertThat(delta("\"content\":\"whole\"").text).isEqualTo("whole");
        }
    }

    @Test
    void parsersAreUsedForAWhileOnly() {
        String many = IntStream.range(0, 2_000)
                .mapToObj(i -> "\"name" + i + "\":" + i)
                .collect(Collectors.joining(",", "{", "}"));
        for (int i = 0; i < 100; i++) {
            assertThat(read(many).text).isEmpty();
            assertThat(delta("\"content\":\"a" + i + "\"").text).isEqualTo("a" + i);
        }
    }

    private static Chunk delta(String fields) {
        return read("{\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{" + fields + "}}]}");
    }

    private static Chunk read(String json) {
        Chunk chunk = new Chunk();
        byte[] bytes = ("##" + json + "##").getBytes(StandardCharsets.UTF_8);
        new ChunkReader(chunk, KEY).read(bytes, 2, bytes.length - 4, false);
        return chunk;
    }
}
