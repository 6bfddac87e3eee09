package dev.chargehand.store;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.json.Json;
import dev.chargehand.run.Usage;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a run stands, so that a list can show it without reading the facts of the run.
 *
 * <p>Derived from the facts, and stored by the append that changes it. Immutable; every method with an argument returns
 * a changed copy, so start with {@link #of}. Two summaries are equal if all their values are.
 */
public final class RunSummary {

    /**
     * The version of what is derived from the facts of a run: its summary, its expiry and its waiting calls. A store
     * keeps the number with each run; {@link Store#index} brings runs with a lower one up to date.
     */
    public static final int VERSION = 2;

    private final String kind;
    private final String firstWords;
    private final int step;
    private final Usage usage;
    private final BigDecimal cost;
    private final @Nullable Json stop;
    private final @Nullable String version;

    private RunSummary(
            String kind,
            String firstWords,
            int step,
            Usage usage,
            BigDecimal cost,
            @Nullable Json stop,
            @Nullable String version) {
        this.kind = Objects.requireNonNull(kind, "kind");
        this.firstWords = Objects.requireNonNull(firstWords, "firstWords");
        this.step = step;
        this.usage = Objects.requireNonNull(usage, "usage");
        this.cost = Objects.requireNonNull(cost, "cost");
        this.stop = stop;
        this.version = version;
    }

    /**
     * Create the summary of a run in its first step that has used nothing.
     *
     * @param kind the kind of run, such as {@code agent} or {@code network}
     * @param firstWords how its input starts; may be empty
     */
    public static RunSummary of(String kind, String firstWords) {
        return new RunSummary(kind, firstWords, 1, Usage.NONE, BigDecimal.ZERO, null, null);
    }

    /** Return the kind of run: {@code agent} or {@code network}. Later versions add kinds. */
    public String kind() {
        return kind;
    }

    /**
     * Return how the stored input of the run starts, in one line of at most 200 characters; empty if the input has no
     * text, a processor rejected it, or it was deleted.
     */
    public String firstWords() {
        return firstWords;
    }

    /** Return the number of the step in progress, from 1; of an ended run, the number of its steps. */
    public int step() {
        return step;
    }

    /** Return the tokens that the run and its ended nested runs used. */
    public Usage usage() {
        return usage;
    }

    /** Return their cost by the prices of the run; 0 without prices. */
    public BigDecimal cost() {
        return cost;
    }

    /**
     * Return why the run ended: an object with the {@code code} of {@link dev.chargehand.run.StopReason#code()} and the
     * details of the reason, as events have it; empty if the run has not ended.
     */
    public Optional<Json> stop() {
        return Optional.ofNullable(stop);
    }

    /** Return the code of the reason why the run ended, such as {@code finished}; empty if it has not ended. */
    public Optional<String> stopCode() {
        return stop().flatMap(reason -> reason.at("/code")).flatMap(Json::string);
    }

    /**
     * Return the version of the agent or workflow that the run executes; empty if it has none, or an earlier version of this library
     * has stored the summary.
     */
    public Optional<String> version() {
        return Optional.ofNullable(version);
    }

    /** Return this summary without the first words of the input. */
    @CheckReturnValue
    public RunSummary withoutFirstWords() {
        return new RunSummary(kind, "", step, usage, cost, stop, version);
    }

    /** Return this summary with another step. */
    @CheckReturnValue
    public RunSummary step(int value) {
        return new RunSummary(kind, firstWords, value, usage, cost, stop, version);
    }

    /** Return this summary with another usage and its cost. */
    @CheckReturnValue
    public RunSummary usage(Usage value, BigDecimal itsCost) {
        return new RunSummary(kind, firstWords, step, value, itsCost, stop, version);
    }

    /** Return this summary with another reason why the run ended; null if it has not. */
    @CheckReturnValue
    public RunSummary stop(@Nullable Json value) {
        return new RunSummary(kind, firstWords, step, usage, cost, value, version);
    }

    /** Return this summary with another version of the agent or workflow; null for none. */
    @CheckReturnValue
    public RunSummary version(@Nullable String value) {
        return new RunSummary(kind, firstWords, step, usage, cost, stop, value);
    }

    private List<Object> all() {
        return List.of(kind, firstWords, step, usage, cost, stop(), version());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RunSummary summary && all().equals(summary.all());
    }

    @Override
    public int hashCode() {
        return all().hashCode();
    }

    @Override
    public String toString() {
        return "RunSummary" + all();
    }
}
