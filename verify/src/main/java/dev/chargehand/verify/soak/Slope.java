package dev.chargehand.verify.soak;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** How fast something grows, by the line that fits it best. */
final class Slope {

    private Slope() {}

    /** Return by how much a value grows with every run; 0 for fewer than two samples. */
    static double perRun(List<Sample> samples, ToDoubleFunction<Sample> value) {
        double meanX = samples.stream().mapToDouble(Sample::runs).average().orElse(0);
        double meanY = samples.stream().mapToDouble(value).average().orElse(0);
        double above = 0;
        double below = 0;
        for (Sample sample : samples) {
            double x = sample.runs() - meanX;
            above += x * (value.applyAsDouble(sample) - meanY);
            below += x * x;
        }
        return below == 0 ? 0 : above / below;
    }
}
