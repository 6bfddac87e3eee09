package dev.chargehand.verify.spin;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Code that computes without end, once.
 *
 * @param number its number
 * @param ends what ends each run
 * @param limit the time after which each is to end
 * @param others how many virtual threads of the application compute too
 */
record SpinCase(long number, List<Ended> ends, Duration limit, int others) {

    private static final List<Ended> ALL = List.of(Ended.values());

    static SpinCase next(long number, int tools, SplittableRandom random) {
        List<Ended> ends = IntStream.range(0, tools)
                .mapToObj(i -> ALL.get(random.nextInt(ALL.size())))
                .toList();
        return new SpinCase(
                number, ends, Duration.ofMillis(200 + random.nextInt(600)), random.nextInt(3) == 0 ? tools : 0);
    }
}
