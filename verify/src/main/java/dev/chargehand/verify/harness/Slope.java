package dev.chargehand.verify.harness;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** How fast something grows, by the line that fits it best. */
public final class Slope {

    private Slope() {}

    /** Return by how much {@code y} grows with each unit of {@code x}; 0 if all samples have the same {@code x}. */
    public static <S> double of(List<S> samples, ToDoubleFunction<S> x, ToDoubleFunction<S> y) {
        double meanX = samples.stream().mapToDouble(x).average().orElse(0);
        double meanY = samples.stream().mapToDouble(y).average().orElse(0);
        double above = 0;
        double below = 0;
        for (S sample : samples) {
            double distance = x.applyAsDouble(sample) - meanX;
            above += distance * (y.applyAsDouble(sample) - meanY);
            below += distance * distance;
        }
        return below == 0 ? 0 : above / below;
    }
}
