package dev.chargehand.provider.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ModelException;
import dev.chargehand.provider.fault.ProviderFaults;
import dev.chargehand.provider.fault.WireLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SseReaderTest {

    private static final ProviderFaults FAULTS = new ProviderFaults("test/model", "TEST_API_KEY");
    private static final WireLimits SMALL = new WireLimits(10_000, 100_000, 1_000, 1_000, 1_000, 10);

    @Test
    void linesEndWithLineFeedCarriageReturnOrBoth() throws IOException {
        assertThat(events("data: a\n\ndata: b\r\rdata: c\r\n\r\ndata: d\n\r\n")).containsExactly("a", "b", "c", "d");
    }

    @Test
    void anEventEndsWithTheCarriageReturnOfItsBlankLineAndWaitsForNoMore() throws IOException {
        SseReader reader = new SseReader(thenFail("data: a\r\n\r"), WireLimits.DEFAULT, FAULTS);
        assertThat(reader.next()).isTrue();
        assertThat(data(reader)).isEqualTo("a");
    }

    @Test
    void severalDataLinesAreOneEventJoinedByLineFeeds() throws IOException {
        assertThat(events("data: a\n: between\ndata:b\ndata\ndata:  c\n\n")).containsExactly("a\nb\n\n c");
    }

    @Test
    void commentsUnknownFieldsAndAByteOrderMarkAreIgnored() throws IOException {
        assertThat(events("\ufeffdata: a\n\n: hello\nid: 3\nretry: 10\nfoo\ndatax: 1\n:\n\ndata: b\n\n"))
                .containsExactly("a", "b");
    }

    @Test
    void aByteOrderMarkIsOneOnlyAtTheBeginning() throws IOException {
        assertThat(events("data: a\n\n\ufeffdata: b\n\n")).containsExactly("a");
    }

    @Test
    void blankLinesAloneAreNoEvents() throws IOException {
        assertThat(events("\n\n\r\n\r\r: x\n\n\n")).isEmpty();
    }

    @Test
    void anEmptyDataLineIsAnEmptyEvent() throws IOException {
        assertThat(events("data\n\ndata:\n\ndata: \n\n")).containsExactly("", "", "");
    }

    @Test
    void theTypeErrorIsToldForItsEventOnly() throws IOException {
        SseReader reader = reader("event: error\n\nevent: error\ndata: a\n\ndata: b\n\nevent: errors\ndata: c\n\n");
        List<Boolean> errors = new ArrayList<>();
        while (reader.next()) {
            errors.add(reader.isError());
        }
        assertThat(errors).containsExactly(true, false, false);
    }

    @Test
    void whatStandsBeforeAMissingBlankLineIsAnUnterminatedEvent() throws IOException {
        for (String end : List.of("", "\n")) {
            SseReader reader = reader("data: a\n\ndata: [DONE]" + end);
            assertThat(reader.next()).isTrue();
            assertThat(reader.isTerminated()).isTrue();
            assertThat(reader.isDone()).isFalse();
            assertThat(reader.next()).isTrue();
            assertThat(reader.isTerminated()).isFalse();
            assertThat(reader.isDone()).isTrue();
            assertThat(reader.next()).isFalse();
            assertThat(reader.next()).isFalse();
        }
    }

    @Test
    void anEventMayBeLargerThanTheBufferAndTheBufferIsGivenBackAfterIt() throws IOException {
        String large = "x".repeat(9_000);
        SseReader reader = reader("data: " + large + "\n\ndata: b\n\ndata: c\n\n");
        assertThat(reader.next()).isTrue();
        assertThat(data(reader)).isEqualTo(large);
        assertThat(reader.next()).isTrue();
        assertThat(data(reader)).isEqualTo("b");
        assertThat(reader.buffer()).hasSize(4096);
    }

    @Test
    void anEventOverItsLimitIsRefused() {
        assertTooLarge("data: " + "x".repeat(10_001) + "\n\n");
        assertTooLarge("data: " + "x".repeat(50_000));
        assertTooLarge("data: xxxxxxxxx\n".repeat(1_100) + "\n");
    }

    @Test
    void anEventAtItsLimitIsRead() throws IOException {
        SseReader reader = new SseReader(bytes("data: " + "x".repeat(10_000) + "\n\n"), SMALL, FAULTS);
        assertThat(reader.next()).isTrue();
        assertThat(reader.dataLength()).isEqualTo(10_000);
    }

    @Test
    void aLineThatNeverEndsIsRefusedWhateverItIs() {
        assertTooLarge(": " + "x".repeat(50_000));
        assertTooLarge("x".repeat(50_000));
    }

    @Test
    void aStreamOverItsLimitIsRefusedAlthoughEachEventIsSmall() {
        assertTooLarge("data: x\n\n: nothing\n\n".repeat(10_000));
    }

    @Test
    void whatOneReaderReadIsNothingToTheNext() throws IOException {
        for (int round = 0; round < 3; round++) {
            try (SseReader earlier = reader("data: " + "y".repeat(4_000) + "\n\ndata: y")) {
                assertThat(earlier.next()).isTrue();
                earlier.close();
                assertThat(earlier.next()).isFalse();
            }
            for (String stream : List.of("", "da", "data: x", "data: x\n\n", "data: " + "x".repeat(9_000))) {
                try (SseReader reader = reader(stream)) {
                    while (reader.next()) {
                        assertThat(data(reader)).matches("x+");
                    }
                }
            }
        }
    }

    private static void assertTooLarge(String stream) {
        assertThatThrownBy(() -> {
                    SseReader reader = new SseReader(bytes(stream), SMALL, FAULTS);
                    while (reader.next()) {
                        assertThat(reader.dataLength()).isLessThanOrEqualTo(10_000);
                    }
                })
                .isInstanceOfSatisfying(
                        ModelException.class, e -> assertThat(e.kind()).isEqualTo(ModelException.Kind.TOO_LARGE));
    }

    private static List<String> events(String stream) throws IOException {
        return SseReaderSplitsTest.events(bytes(stream));
    }

    private static SseReader reader(String stream) {
        return new SseReader(bytes(stream), WireLimits.DEFAULT, FAULTS);
    }

    private static String data(SseReader reader) {
        return new String(reader.buffer(), reader.dataStart(), reader.dataLength(), StandardCharsets.UTF_8);
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Gives the text, and then fails where a socket would wait. */
    private static InputStream thenFail(String text) {
        return new InputStream() {
            private final InputStream bytes = bytes(text);

            @Override
            public int read() {
                throw new UnsupportedOperationException();
            }

            @Override
            public int read(byte[] into, int at, int length) throws IOException {
                int read = bytes.read(into, at, length);
                if (read < 0) {
                    throw new AssertionError("read on");
                }
                return read;
            }
        };
    }
}
