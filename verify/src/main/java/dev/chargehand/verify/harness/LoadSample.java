package dev.chargehand.verify.harness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What a process holds after a minute of load, while no run is executed.
 *
 * @param minute the number of the minute
 * @param runs how many runs there have been
 * @param time how long the minute was, with the ends of its runs
 * @param processor processor time since the start of the process
 * @param heap bytes of live objects
 * @param threads platform threads
 * @param descriptors open files and sockets
 */
public record LoadSample(
        int minute, long runs, Duration time, Duration processor, long heap, int threads, long descriptors) {

    /** As in the soak: noise of a collection and of compiled code; a run that stays behind is tens of thousands of bytes. */
    private static final double HEAP_BYTES_PER_RUN = 400;

    /** One thread or socket in 500 runs. */
    private static final double PIECES_PER_RUN = 0.002;

    /** By which share the processor time of a run may grow from the first minute to the last one. */
    private static final double PROCESSOR_SHARE = 0.3;

    /** Look at this process. */
    public static LoadSample take(int minute, long runs, Duration time) {
        return new LoadSample(
                minute,
                runs,
                time,
                Holdings.processorTime(),
                Holdings.liveBytes(),
                Holdings.threads(),
                Holdings.descriptors());
    }

    /** Return the line of a minute. */
    public String after(LoadSample before) {
        return String.format(
                Locale.ROOT,
                "minute %d: runs=%d runs_per_s=%.1f heap_mib=%.1f threads=%d descriptors=%d processor_us_per_run=%.0f",
                minute,
                runs - before.runs,
                (runs - before.runs) * 1e9 / time.toNanos(),
                heap / 1048576.0,
                threads,
                descriptors,
                processorMicros(before));
    }

    private double processorMicros(LoadSample before) {
        return processor.minus(before.processor).toNanos() / 1e3 / Math.max(1, runs - before.runs);
    }

    /** Report by how much each of them grows, and what grows too much; while code is compiled everything grows. */
    public static void judge(List<LoadSample> samples, Tally tally) {
        int skipped = Math.max(1, samples.size() / 4);
        List<LoadSample> settled = samples.subList(skipped, samples.size());
        growth(settled, "heap_bytes_per_run", LoadSample::heap, HEAP_BYTES_PER_RUN, tally);
        growth(settled, "threads_per_run", LoadSample::threads, PIECES_PER_RUN, tally);
        growth(settled, "descriptors_per_run", LoadSample::descriptors, PIECES_PER_RUN, tally);
        List<double[]> processor = new ArrayList<>();
        for (int i = skipped; i < samples.size(); i++) {
            processor.add(new double[] {i, samples.get(i).processorMicros(samples.get(i - 1))});
        }
        double mean = processor.stream().mapToDouble(each -> each[1]).average().orElse(0);
        double share = Slope.of(processor, each -> each[0], each -> each[1]) * (processor.size() - 1) / mean;
        tally.figure("processor_us_per_run", String.format(Locale.ROOT, "%.0f", mean));
        report("processor_growth", share, PROCESSOR_SHARE, tally);
    }

    private static void growth(
            List<LoadSample> samples, String what, ToDoubleFunction<LoadSample> value, double most, Tally tally) {
        report(what, Slope.of(samples, LoadSample::runs, value), most, tally);
    }

    private static void report(String what, double growth, double most, Tally tally) {
        String text = String.format(Locale.ROOT, "%.4f", growth);
        tally.figure(what, text);
        if (growth > most) {
            tally.addFault("grows", what + "=" + text + " is more than " + most);
        }
    }
}
