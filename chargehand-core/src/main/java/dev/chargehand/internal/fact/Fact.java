package dev.chargehand.internal.fact;

import dev.chargehand.RunSettings;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.model.FinishReason;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.store.ThreadOwner;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Something that has happened in a run and is never taken back.
 *
 * <p>Closed and versioned: see {@link FactCodec}. Facts hold no code position and no class name.
 */
public sealed interface Fact {

    /** Returns when it happened. */
    Instant at();

    /** The run began. */
    record Started(
            String agentId,
            AgentPath path,
            RunId rootRunId,
            @Nullable RunId parentRunId,
            @Nullable String parentCallId,
            @Nullable ThreadLink thread,
            List<Message> context,
            List<Message> input,
            RunSettings settings,
            Map<String, Json> requestContext,
            Instant at)
            implements Fact {
        public Started {
            context = List.copyOf(context);
            input = List.copyOf(input);
            requestContext = Map.copyOf(requestContext);
        }
    }

    /**
     * The thread a run appends to.
     *
     * @param position how many messages the thread had before the run
     */
    record ThreadLink(String id, ThreadOwner owner, long position) {}

    /** A process took the run up again; the time since the last fact was not the run's. */
    record Resumed(String owner, Instant at) implements Fact {}

    /** A model answered. {@code offered} names the tools it was offered, or is null if all were. */
    record Answered(
            int step,
            String model,
            String text,
            String reasoning,
            List<Call> calls,
            FinishReason finish,
            Usage usage,
            int attempts,
            BigDecimal cost,
            @Nullable List<String> offered,
            Instant startedAt,
            Instant at)
            implements Fact {
        public Answered {
            calls = List.copyOf(calls);
            offered = offered == null ? null : List.copyOf(offered);
        }

        /** Returns how many characters the model wrote. */
        public long characters() {
            return text.length()
                    + reasoning.length()
                    + calls.stream()
                            .mapToLong(call -> call.arguments().length())
                            .sum();
        }
    }

    /** A tool call of an answer, under the id that was minted for it. */
    record Call(String callId, @Nullable String providerId, String name, String arguments) {}

    /** A call is about to be executed: the intent is on record before anything outside happens. */
    record CallOpened(
            String callId,
            CallKind kind,
            String digest,
            @Nullable ChildLink child,
            Instant at) implements Fact {}

    /** The run of a delegation, under the id that was minted for it. */
    record ChildLink(RunId runId, String agentId) {}

    /**
     * A call is over; written before the model sees its result.
     *
     * @param output the whole result, or null if the call failed
     * @param cut what the model sees of a result that is too long for it, or null if it sees the whole
     * @param error what the model sees of a failure, or null
     * @param detail what only logs and events see of a failure, or null
     * @param child how the delegation ended, or null for a tool
     */
    record CallClosed(
            String callId,
            @Nullable Json output,
            @Nullable String cut,
            @Nullable String error,
            @Nullable String detail,
            @Nullable ChildEnd child,
            Instant at)
            implements Fact {

        /** Makes the fact of a call that failed, was refused or never ran. */
        public static CallClosed failed(String callId, String error, @Nullable String detail, Instant at) {
            return new CallClosed(callId, null, null, error, detail, null, at);
        }

        /** Returns what the model sees. */
        public String shown() {
            if (error != null) {
                return error;
            }
            if (cut != null) {
                return cut;
            }
            return output == null ? "null" : output.string().orElse(output.text());
        }

        /** Tells whether the call failed, was refused or never ran. */
        public boolean hasFailed() {
            return error != null;
        }
    }

    /** How a delegation ended. */
    record ChildEnd(RunId runId, String agentId, RunStatus status, StopReason stop, String text, Spent spent) {}

    /** A step is over; {@code stop} says why the run ends with it, or is null if the run goes on. */
    record StepClosed(int step, @Nullable StopReason stop, Instant at) implements Fact {

        /** Returns why the run ends with this step, if it does. */
        public Optional<StopReason> stopReason() {
            return Optional.ofNullable(stop);
        }
    }

    /** The run was ended in the middle of a step. {@code partialText} is what the model had written of its answer. */
    record Stopped(StopReason reason, String partialText, Instant at) implements Fact {}
}
