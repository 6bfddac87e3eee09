package dev.chargehand.models.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The same bytes give the same events, however a network cuts them. */
class SseReaderProperties {

    private static final Faults FAULTS = new Faults("test/model", "TEST_API_KEY");

    @Property(tries = 500)
    void anySplitGivesTheSameEvents(@ForAll("streams") String stream, @ForAll("cuts") List<Integer> cuts) {
        byte[] bytes = stream.getBytes(StandardCharsets.UTF_8);
        List<String> whole = eventsOf(new ByteArrayInputStream(bytes));
        assertThat(eventsOf(new InPieces(bytes, cuts))).isEqualTo(whole);
        assertThat(eventsOf(new InPieces(bytes, List.of(1)))).isEqualTo(whole);
    }

    @Property(tries = 500)
    void whatWasWrittenAsEventsIsReadAsThem(
            @ForAll("texts") List<String> texts,
            @ForAll("lineEnds") String lineEnd,
            @ForAll("cuts") List<Integer> cuts) {
        StringBuilder stream = new StringBuilder();
        for (String text : texts) {
            stream.append(": comment").append(lineEnd).append("id: 7").append(lineEnd);
            for (String line : text.split("\n", -1)) {
                stream.append("data: ").append(line).append(lineEnd);
            }
            stream.append(lineEnd);
        }
        byte[] bytes = stream.toString().getBytes(StandardCharsets.UTF_8);
        assertThat(eventsOf(new InPieces(bytes, cuts))).isEqualTo(texts);
    }

    /** Streams made of the pieces that matter, in any order. */
    @Provide
    Arbitrary<String> streams() {
        return Arbitraries.of(
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
                        "y".repeat(5_000))
                .list()
                .ofMaxSize(40)
                .map(pieces -> String.join("", pieces));
    }

    @Provide
    Arbitrary<List<String>> texts() {
        Arbitrary<String> lines =
                Arbitraries.of("", "a", "{\"text\":\"ß 😀 \"}", " indented", "z".repeat(4_100), ":", "[DONE]");
        Arbitrary<String> text = Combinators.combine(lines, lines.list().ofMaxSize(3))
                .as((first, more) -> more.isEmpty() ? first : first + "\n" + String.join("\n", more));
        return text.list().ofMaxSize(8);
    }

    @Provide
    Arbitrary<String> lineEnds() {
        return Arbitraries.of("\n", "\r", "\r\n");
    }

    @Provide
    Arbitrary<List<Integer>> cuts() {
        return Arbitraries.integers().between(1, 60).list().ofMinSize(1).ofMaxSize(20);
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
