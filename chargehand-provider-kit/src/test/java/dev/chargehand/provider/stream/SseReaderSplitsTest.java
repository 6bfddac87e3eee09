package dev.chargehand.provider.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.provider.fault.ProviderFaults;
import dev.chargehand.provider.fault.WireLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same bytes give the same events, however a network cuts them. */
class SseReaderSplitsTest {

    private static final ProviderFaults FAULTS = new ProviderFaults("test/model", "TEST_API_KEY");

    /** The pieces that matter, to be put together in any order. */
    private static final List<String> PIECES = List.of(
            "data: ",
            "data:",
            "data",
            "event: error",
            ": c",
            "id: 1",
            "x",
            "é",
            "😀",
            " ",
            "{\"a\":1}",
            "[DONE]",
            "\n",
            "\r",
            "\r\n",
            "\n\n",
            "\r\n\r\n",
            "\r\r",
            "\ufeff",
            "y".repeat(5_000));

    private static final List<String> LINES =
            List.of("", "a", "{\"text\":\"ß 😀 \"}", " indented", "z".repeat(4_100), ":", "[DONE]");

    static IntStream seeds() {
        return IntStream.range(0, 200);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void anySplitGivesTheSameEvents(int seed) {
        Random random = new Random(seed);
        byte[] bytes = String.join("", some(random, PIECES, 40)).getBytes(StandardCharsets.UTF_8);
        List<String> whole = eventsOf(new ByteArrayInputStream(bytes));
        assertThat(eventsOf(new InPieces(bytes, cuts(random)))).isEqualTo(whole);
        assertThat(eventsOf(new InPieces(bytes, List.of(1)))).isEqualTo(whole);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatWasWrittenAsEventsIsReadAsThem(int seed) {
        Random random = new Random(seed);
        String lineEnd = List.of("\n", "\r", "\r\n").get(random.nextInt(3));
        List<String> texts = new ArrayList<>();
        StringBuilder stream = new StringBuilder();
        for (int i = random.nextInt(9); i > 0; i--) {
            List<String> lines = new ArrayList<>(some(random, LINES, 3));
            lines.addFirst(LINES.get(random.nextInt(LINES.size())));
            stream.append(": comment").append(lineEnd).append("id: 7").append(lineEnd);
            lines.forEach(line -> stream.append("data: ").append(line).append(lineEnd));
            stream.append(lineEnd);
            texts.add(String.join("\n", lines));
        }
        byte[] bytes = stream.toString().getBytes(StandardCharsets.UTF_8);
        assertThat(eventsOf(new InPieces(bytes, cuts(random)))).isEqualTo(texts);
    }

    private static List<String> some(Random random, List<String> from, int most) {
        return random.ints(random.nextInt(most + 1), 0, from.size())
                .mapToObj(from::get)
                .toList();
    }

    private static List<Integer> cuts(Random random) {
        return random.ints(1 + random.nextInt(20), 1, 61).boxed().toList();
    }

    static List<String> events(InputStream in) throws IOException {
        SseReader reader = new SseReader(in, WireLimits.DEFAULT, FAULTS);
        List<String> events = new ArrayList<>();
        while (reader.next()) {
            events.add(new String(reader.buffer(), reader.dataStart(), reader.dataLength(), StandardCharsets.UTF_8));
        }
        return events;
    }

    private static List<String> eventsOf(InputStream in) {
        try {
            return events(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Gives at most so many bytes at a time, in turn. */
    private static final class InPieces extends InputStream {

        private final InputStream bytes;
        private final List<Integer> pieces;
        private int reads;

        InPieces(byte[] bytes, List<Integer> pieces) {
            this.bytes = new ByteArrayInputStream(bytes);
            this.pieces = pieces;
        }

        @Override
        public int read() throws IOException {
            return bytes.read();
        }

        @Override
        public int read(byte[] into, int at, int length) throws IOException {
            return bytes.read(into, at, Math.min(length, pieces.get(reads++ % pieces.size())));
        }
    }
}
