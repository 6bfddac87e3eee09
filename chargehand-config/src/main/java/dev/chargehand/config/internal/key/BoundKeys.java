package dev.chargehand.config.internal.key;

import dev.chargehand.run.Limit;
import dev.chargehand.run.TimeLimit;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

/** The keys of what bounds a run and its descendants. */
public final class BoundKeys {

    /** The keys of {@code limits}. */
    public static final class Limits {

        /** The section; its keys are those of {@link Limit}. */
        public static final KeySection SECTION = new KeySection(
                "limits",
                "Limits of a run and its descendants.",
                Stream.of(Limit.values()).<Key<?>>map(Limits::of).toList(),
                Map.of());

        /** Return the key of a limit. */
        public static Key<Long> of(Limit limit) {
            return Key.of(limit.key(), Shape.fromLong(1), description(limit)).orElse(limit.byDefault());
        }

        private static String description(Limit limit) {
            return switch (limit) {
                case MODEL_CALLS -> "Model calls, failed attempts included.";
                case TOOL_CALLS -> "Tool calls and delegations.";
                case DEPTH -> "Nested agents, the first one counted as 1.";
                case SAME_AGENT_ON_PATH -> "The maximum number of occurrences of an agent on a path.";
                case CALLS_PER_STEP -> "Tool calls of one answer.";
                case IDENTICAL_CALLS ->
                    "Steps in a row that make the same call with the same arguments; not of tools with `polling: true`.";
                case OUTPUT_CHARACTERS -> "Characters that models write: text, reasoning and arguments.";
                case TOOL_RESULT_BYTES -> "Bytes of one tool result that a model sees.";
                case ARGUMENT_BYTES -> "Bytes of one call's arguments.";
                case ARGUMENT_NESTING -> "Levels of one call's arguments.";
                case WORKFLOW_CALLS -> "Calls of steps of workflows of a Java program.";
                case LOOP_ITERATIONS -> "Iterations of one loop of a workflow.";
                case FOREACH_ITEMS -> "Items of one foreach of a workflow.";
                case TASKS -> "Background tasks that one run of a Java program starts.";
                case CONTINUATIONS -> "Turns that the ends of background tasks of a Java program start.";
            };
        }

        private Limits() {}
    }

    /** The keys of {@code timeLimits}. */
    public static final class TimeLimits {

        /** The section; its keys are those of {@link TimeLimit}. */
        public static final KeySection SECTION = new KeySection(
                "timeLimits",
                "Time limits of a run and its descendants.",
                Stream.of(TimeLimit.values()).<Key<?>>map(TimeLimits::of).toList(),
                Map.of());

        /** Return the key of a limit. */
        public static Key<Duration> of(TimeLimit limit) {
            return Key.of(limit.key(), Shape.TIME, description(limit)).orElse(written(limit.byDefault()));
        }

        private static String description(TimeLimit limit) {
            return switch (limit) {
                case CONNECT -> "Opening a connection to a provider.";
                case FIRST_TOKEN -> "From a model call to its first token.";
                case IDLE -> "The time without a token in a model's stream after its first token.";
                case TOOL -> "One tool call, unless the tool sets another limit.";
                case HOOK -> "One hook of a Java program.";
                case RUN -> "A run and its descendants; waiting for approvals is not counted.";
                case TASK -> "The active time of a background task of a Java program.";
                case CONSUMER -> "A reader of the events that takes no event.";
                case QUIET -> "An until-idle call of a Java program in which nothing happens.";
            };
        }

        /** Return a time as the file writes it. */
        private static String written(Duration time) {
            return time.toSeconds() % 60 == 0 ? time.toMinutes() + "m" : time.toSeconds() + "s";
        }

        private TimeLimits() {}
    }

    /** The keys of {@code budget}. */
    public static final class OfBudget {

        public static final Key<Long> TOKENS = Key.of("tokens", Shape.fromLong(1), "Input and output tokens together.");

        public static final Key<BigDecimal> COST = Key.of(
                "cost",
                Shape.SUM,
                "In the currency of the prices, which are required for each model of the agents; a run does not start without.");

        public static final Key<Duration> WALL_TIME = Key.of("wallTime", Shape.TIME, "Active time.");

        public static final Key<Integer> CALLS = Key.of("calls", Shape.from(1), "Model calls.");

        public static final KeySection SECTION = KeySection.of(
                "budget",
                "The budget of a run and its descendants; unlimited by default.",
                TOKENS,
                COST,
                WALL_TIME,
                CALLS);

        private OfBudget() {}
    }

    /** The keys of the price of a model. */
    public static final class Price {

        public static final Key<BigDecimal> INPUT = Key.of("input", Shape.PRICE, "Input tokens.");

        public static final Key<BigDecimal> OUTPUT =
                Key.of("output", Shape.PRICE, "Output tokens, reasoning included.");

        public static final Key<BigDecimal> CACHED_INPUT = Key.of(
                "cachedInput",
                Shape.PRICE,
                "Input tokens that the provider had cached; by default the price of input.");

        public static final KeySection SECTION = KeySection.of(
                        "price", "What a million tokens of a model cost.", INPUT, OUTPUT, CACHED_INPUT)
                .requiring(INPUT, OUTPUT);

        private Price() {}
    }

    /** The keys of {@code approvals}. */
    public static final class Approvals {

        public static final Key<Duration> EXPIRY = Key.of(
                        "expiry", Shape.TIME, "The time after which a waiting call counts as declined.")
                .orElse("24h");

        public static final Key<Boolean> SELF_APPROVAL = Key.of(
                        "selfApproval", Shape.FLAG, "Whether the requester may answer for the run.")
                .orElse(true);

        public static final KeySection SECTION =
                KeySection.of("approvals", "How calls that need approval wait.", EXPIRY, SELF_APPROVAL);

        private Approvals() {}
    }

    private BoundKeys() {}
}
