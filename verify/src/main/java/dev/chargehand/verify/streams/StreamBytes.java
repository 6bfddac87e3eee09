package dev.chargehand.verify.streams;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/** Writes events as bytes, in one of the styles in which servers do it. */
final class StreamBytes {

    private static final List<String> NOISE =
            List.of(": keep-alive", ":", "id: 7", "retry: 100", "event: message", "foo: bar", "datax: {}", "data2");

    private final SplittableRandom random;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final String lineEnd;
    private final String data;
    private final boolean noisy;

    private StreamBytes(SplittableRandom random) {
        this.random = random;
        this.lineEnd = List.of("\n", "\n", "\n", "\r\n", "\r\n", "\r").get(random.nextInt(6));
        this.data = random.nextInt(3) == 0 ? "data:" : "data: ";
        this.noisy = random.nextInt(3) == 0;
    }

    /**
     * Bytes of a stream.
     *
     * @param finishEnd where the data of the event with the finish reason ends; -1 if there is none
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared, and written by nobody
    record Written(byte[] bytes, int finishEnd) {}

    /** Write events, which may be damaged ones. */
    static Written write(SplittableRandom random, Frames.Stream frames) {
        StreamBytes written = new StreamBytes(random);
        if (random.nextInt(8) == 0) {
            written.raw("\ufeff");
        }
        int finishEnd = -1;
        for (int i = 0; i < frames.data().size(); i++) {
            written.event(frames.data().get(i));
            if (i == frames.finishAt()) {
                finishEnd = written.bytes.size();
            }
            boolean last = i + 1 == frames.data().size();
            written.raw(
                    last && random.nextInt(6) == 0
                            ? ""
                            : written.lineEnd + (last && random.nextInt(6) == 0 ? "" : written.lineEnd));
        }
        return new Written(written.bytes.toByteArray(), finishEnd);
    }

    private void event(String text) {
        while (noisy && random.nextInt(4) == 0) {
            raw(NOISE.get(random.nextInt(NOISE.size())) + lineEnd + (random.nextBoolean() ? lineEnd : ""));
        }
        int cut = text.indexOf(',');
        if (noisy && cut > 0 && text.startsWith("{\"id\":\"c\",") && random.nextInt(6) == 0) {
            raw(data + text.substring(0, cut + 1) + lineEnd);
            raw(data + text.substring(cut + 1));
        } else {
            raw(data + text);
        }
    }

    private void raw(String text) {
        bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
