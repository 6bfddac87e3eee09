package dev.chargehand.verify.streams;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Makes streams of answers: some whole, some cut, most of them damaged. */
final class StreamCases {

    private static final List<String> VAGUE_TYPES = List.of("", "text/plain", "application/json");

    private StreamCases() {}

    static StreamCase next(SplittableRandom random) {
        Meant meant = new MeantAnswers(random).next();
        if (random.nextInt(20) == 0) {
            return document(random, meant);
        }
        Frames.Stream frames = Frames.stream(random, meant);
        int fate = random.nextInt(10);
        boolean framesDamaged = fate >= 4 && fate <= 7;
        boolean bytesDamaged = fate >= 7;
        StreamBytes.Written written =
                StreamBytes.write(random, framesDamaged ? FrameDamage.damage(random, frames) : frames);
        boolean breaks = random.nextInt(8) == 0;
        String type =
                random.nextInt(10) == 0 ? VAGUE_TYPES.get(random.nextInt(VAGUE_TYPES.size())) : "text/event-stream";
        if (framesDamaged || bytesDamaged) {
            byte[] bytes = bytesDamaged ? ByteDamage.damage(random, written.bytes()) : written.bytes();
            return new StreamCase(bytes, type, breaks, null, false, false);
        }
        if (fate < 2) {
            return new StreamCase(written.bytes(), type, breaks, meant, false, written.finishEnd() >= 0);
        }
        int length = random.nextInt(written.bytes().length);
        boolean finished = written.finishEnd() >= 0 && length >= written.finishEnd();
        return new StreamCase(Arrays.copyOf(written.bytes(), length), type, breaks, meant, true, finished);
    }

    private static StreamCase document(SplittableRandom random, Meant meant) {
        byte[] whole = Frames.document(random, meant).getBytes(StandardCharsets.UTF_8);
        String type = VAGUE_TYPES.get(random.nextInt(VAGUE_TYPES.size()));
        return switch (random.nextInt(3)) {
            case 0 ->
                new StreamCase(whole, type, false, meant, false, !meant.finish().isEmpty());
            case 1 ->
                new StreamCase(Arrays.copyOf(whole, random.nextInt(whole.length)), type, false, meant, true, false);
            default -> new StreamCase(ByteDamage.damage(random, whole), type, random.nextBoolean(), null, false, false);
        };
    }
}
