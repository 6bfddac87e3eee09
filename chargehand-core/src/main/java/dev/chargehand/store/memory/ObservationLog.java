package dev.chargehand.store.memory;

import java.util.List;

/**
 * What stands for the start of a thread: its newest reflection, if it has one, and the observations after what that stands for.
 *
 * @param observations in the order of the messages that they are about; together they are about all messages before {@link #end}
 */
public record ObservationLog(List<Observation> observations) {

    /** Nothing was observed. */
    public static final ObservationLog EMPTY = new ObservationLog(List.of());

    public ObservationLog {
        observations = List.copyOf(observations);
    }

    /** Return the greatest number of an observation or a reflection in it; 0 if it is empty. */
    public long newest() {
        return observations.stream().mapToLong(Observation::number).max().orElse(0);
    }

    /** Return the position of the first message that was not observed. */
    public long end() {
        return observations.isEmpty() ? 0 : observations.getLast().to();
    }

    /** Return how many tokens the texts have together. */
    public long tokens() {
        return observations.stream().mapToLong(Observation::tokens).sum();
    }
}
