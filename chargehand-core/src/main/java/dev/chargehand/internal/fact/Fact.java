package dev.chargehand.internal.fact;

import dev.chargehand.RunSettings;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.model.FinishReason;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.CompletionResult;
import dev.chargehand.run.ForkOrigin;
import dev.chargehand.run.ObjectResult;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.store.ThreadOwner;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    /** Refuses what lacks a part: a damaged fact must not be taken for a fact. */
    private static void require(@Nullable Object... parts) {
        for (Object part : parts) {
            Objects.requireNonNull(part, "A fact lacks a part.");
        }
    }

    /**
     * The run began.
     *
     * @param context what was forwarded of the conversation above a delegation
     * @param instructions what was added to the agent's own instructions for this run, or null
     * @param hooks the kinds of hooks that decide and were given to this run only; who takes it up must give them again
     * @param models the names of the models that are asked in place of the agent's own, or null
     * @param fork the run and step that this run goes on from, or null; the facts of the steps up to it follow as they
     *     were, and are neither executed nor paid for again
     */
    record Started(
            String agentId,
            AgentPath path,
            RunId rootRunId,
            @Nullable RunId parentRunId,
            @Nullable String parentCallId,
            @Nullable ThreadLink thread,
            List<Message> context,
            List<Message> input,
            @Nullable String instructions,
            RunSettings settings,
            List<String> hooks,
            Map<String, Json> requestContext,
            @Nullable List<String> models,
            @Nullable ForkOrigin fork,
            Instant at)
            implements Fact {
        public Started {
            require(agentId, path, rootRunId, settings, at);
            models = models == null ? null : List.copyOf(models);
            hooks = List.copyOf(hooks);
            context = List.copyOf(context);
            input = List.copyOf(input);
            requestContext = Map.copyOf(requestContext);
        }

        /** Returns this with another input. */
        public Started withInput(List<Message> other) {
            return new Started(
                    agentId,
                    path,
                    rootRunId,
                    parentRunId,
                    parentCallId,
                    thread,
                    context,
                    other,
                    instructions,
                    settings,
                    hooks,
                    requestContext,
                    models,
                    fork,
                    at);
        }
    }

    /**
     * The thread a run appends to.
     *
     * @param position how many messages the thread had before the run
     */
    record ThreadLink(String id, ThreadOwner owner, long position) {
        public ThreadLink {
            require(id, owner);
        }
    }

    /**
     * The run has nothing left to do but wait; the time until it is taken up again is not its own.
     *
     * @param expiresAt when the first of what it, or a run below it, waits for expires
     */
    record Suspended(Instant expiresAt, Instant at) implements Fact {
        public Suspended {
            require(expiresAt, at);
        }
    }

    /** A process took the run up again; the time since the last fact was not the run's. */
    record Resumed(String owner, Instant at) implements Fact {
        public Resumed {
            require(owner, at);
        }
    }

    /** More was said to the run, after a step that was over. */
    record Said(int step, List<Message> messages, Instant at) implements Fact {
        public Said {
            require(at);
            messages = List.copyOf(messages);
        }
    }

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
            @Nullable String providerState,
            Instant startedAt,
            Instant at)
            implements Fact {
        public Answered {
            require(model, text, reasoning, finish, usage, cost, startedAt, at);
            calls = List.copyOf(calls);
            offered = offered == null ? null : List.copyOf(offered);
        }

        /** Returns how many characters the model wrote. */
        public long characters() {
            long characters = (long) text.length() + reasoning.length();
            for (Call call : calls) {
                characters += call.arguments().length();
            }
            return characters;
        }
    }

    /**
     * Processors decided, about the input if no step has begun, about the answer of the open step if there is one, and
     * else about an answer that is not on record because it did not pass.
     *
     * @param step the step, 0 for the input
     * @param trip the tripwire, if nothing was let through, or null
     * @param retry whether the model answers again after the tripwire
     * @param withheld whether the text of the open step passes only when the step is closed
     * @param answer what passes in place of the text of the open step and of what it showed of its reasoning, or null for
     *     both as they are
     * @param spent what the processors' judges used up, and what an answer did that is not on record
     */
    record Processed(
            int step,
            @Nullable StopReason trip,
            boolean retry,
            boolean withheld,
            @Nullable String answer,
            Spent spent,
            Instant at)
            implements Fact {
        public Processed {
            require(spent, at);
        }
    }

    /** A tool call of an answer, under the id that was minted for it. */
    record Call(String callId, @Nullable String providerId, String name, String arguments) {
        public Call {
            require(callId, name, arguments);
        }
    }

    /** A call is about to be executed: the intent is on record before anything outside happens. */
    record CallOpened(
            String callId,
            CallKind kind,
            String digest,
            @Nullable ChildLink child,
            Instant at) implements Fact {
        public CallOpened {
            require(callId, kind, digest, at);
        }

        /** Returns this intent of a call that begins then. */
        public CallOpened begunAt(Instant begin) {
            return new CallOpened(callId, kind, digest, child, begin);
        }
    }

    /**
     * The run of a delegation, under the id that was minted for it, and what the hooks decided about it.
     *
     * @param prompt what the sub-agent is asked for
     * @param instructions what is added to the sub-agent's own instructions, or null
     * @param maxSteps the most steps, where that is fewer than the sub-agent's own, or null
     * @param requestContext values of the request that are the delegation's own, or null; transient ones are lost when
     *     the fact is read back
     * @param forwarded what a filter let through of the conversation, or null if none was asked
     */
    record ChildLink(
            RunId runId,
            String agentId,
            String prompt,
            @Nullable String instructions,
            @Nullable Integer maxSteps,
            @Nullable RequestContext requestContext,
            @Nullable List<Message> forwarded) {
        public ChildLink {
            require(runId, agentId, prompt);
            forwarded = forwarded == null ? null : List.copyOf(forwarded);
        }
    }

    /**
     * A call waits for an answer from outside. What was opened of it is over: with the answer, it is opened again.
     *
     * @param round how often it has waited, this time included, from 1
     * @param kind what it waits for
     * @param digest the digest of the arguments that the answer is for
     * @param requester on whose behalf the run works, or null
     * @param payload what the tool says about the data it asks for, or null
     * @param dataSchema what the data must fit, or null
     * @param expiresAt from when on it counts as declined
     */
    record CallParked(
            String callId,
            int round,
            PendingApproval.Kind kind,
            String digest,
            @Nullable String requester,
            @Nullable Json payload,
            @Nullable Json dataSchema,
            Instant expiresAt,
            Instant at)
            implements Fact {
        public CallParked {
            require(callId, kind, digest, expiresAt, at);
        }
    }

    /**
     * The answer to a call that waited.
     *
     * @param approver who answered, or null if nobody did in time
     * @param tenant for whom they acted, or null
     * @param reason why it was declined, or null
     * @param data the data that was asked for, or null
     */
    record CallDecided(
            String callId,
            int round,
            Answer answer,
            @Nullable String approver,
            @Nullable String tenant,
            @Nullable String reason,
            @Nullable Json data,
            Instant at)
            implements Fact {

        public CallDecided {
            require(callId, answer, at);
        }

        /** Returns the data, which may be JSON's null, if that is the answer. */
        public Optional<Json> given() {
            return answer == Answer.DATA ? Optional.of(data == null ? Json.of(null) : data) : Optional.empty();
        }

        /** Returns this answer, put on record at another time. */
        public CallDecided at(Instant when) {
            return new CallDecided(callId, round, answer, approver, tenant, reason, data, when);
        }
    }

    /** What was answered. */
    enum Answer {
        /** To execute the call. */
        APPROVED,
        /** Not to execute it. */
        DECLINED,
        /** Data. */
        DATA,
        /** Nothing, until it was too late. */
        EXPIRED
    }

    /**
     * A call is over; written before the model sees its result.
     *
     * @param output the whole result, or null if the call failed
     * @param view what the model sees of the result, if that is not the whole result as it is, or null
     * @param error what the model sees of a failure, or null
     * @param detail what only logs and events see of a failure, or null
     * @param refusal that a hook refused the call, or null
     * @param child how the delegation ended, or null for a tool
     * @param verdict what was decided about the delegation's result, or null if nothing was
     */
    record CallClosed(
            String callId,
            @Nullable Json output,
            @Nullable String view,
            @Nullable String error,
            @Nullable String detail,
            @Nullable Refusal refusal,
            @Nullable ChildEnd child,
            @Nullable Verdict verdict,
            Instant at)
            implements Fact {
        public CallClosed {
            require(callId, at);
        }

        /** Makes the fact of a call that failed, was refused or never ran. */
        public static CallClosed failed(String callId, String error, @Nullable String detail, Instant at) {
            return new CallClosed(callId, null, null, error, detail, null, null, null, at);
        }

        /** Makes the fact of a call that a hook refused. */
        public static CallClosed refused(String callId, String error, Refusal refusal, Instant at) {
            return new CallClosed(callId, null, null, error, null, refusal, null, null, at);
        }

        /** Returns what the model sees. */
        public String shown() {
            if (error != null) {
                return error;
            }
            return view == null ? text() : view;
        }

        /** Returns the whole result as a text; empty if the call failed. */
        public String text() {
            if (error != null) {
                return "";
            }
            return output == null ? "null" : output.string().orElse(output.text());
        }

        /** Tells whether the call failed, was refused or never ran. */
        public boolean hasFailed() {
            return error != null;
        }

        /** Tells whether the delegation bailed. */
        public boolean hasBailed() {
            return verdict != null && verdict.bail() != null;
        }
    }

    /**
     * A hook refused a call.
     *
     * @param agentId the sub-agent that was not called, or null if the call was one of a tool
     * @param reason what it said
     */
    record Refusal(@Nullable String agentId, String reason) {
        public Refusal {
            require(reason);
        }
    }

    /**
     * What was decided about the result of a delegation.
     *
     * @param bail the place among the bails of the step, by time, from 1; null if it did not bail
     * @param failure the code of what was wrong with a delegation that bailed without a usable answer, or null
     * @param feedback what the model is told before it is asked again, or null
     */
    record Verdict(
            @Nullable Integer bail,
            @Nullable String failure,
            @Nullable String feedback) {}

    /** How a delegation ended. */
    record ChildEnd(RunId runId, String agentId, RunStatus status, StopReason stop, String text, Spent spent) {
        public ChildEnd {
            require(runId, agentId, status, stop, text, spent);
        }
    }

    /**
     * A step is over.
     *
     * @param stop why the run ends with it, or null if the run goes on
     * @param lastStop why the run ends after one more answer, without tools, or null if it is not to end so
     * @param hook what {@code onIterationComplete} decided, or null if it decided nothing
     * @param feedback what the model is told before it is asked again
     * @param completion how the step was scored, or null if it was not
     * @param scoresKept whether the thread keeps how the step was scored
     * @param judged what scoring and structuring used up
     * @param object what came of the answer that was to be an object; or, if the run goes on, what is to be mended of it;
     *     null if none was wanted, or the step was not to be the last
     * @param answer in a network, what the check that found the task complete says the answer is, or null if it is what
     *     the primitive gave
     */
    record StepClosed(
            int step,
            @Nullable StopReason stop,
            @Nullable StopReason lastStop,
            @Nullable HookDecision hook,
            List<String> feedback,
            @Nullable CompletionResult completion,
            boolean scoresKept,
            Spent judged,
            @Nullable ObjectResult object,
            @Nullable String answer,
            Instant at)
            implements Fact {
        public StepClosed {
            require(judged, at);
            feedback = List.copyOf(feedback);
        }

        /** Returns why the run ends with this step, if it does. */
        public Optional<StopReason> stopReason() {
            return Optional.ofNullable(stop);
        }
    }

    /** What {@code onIterationComplete} decided. */
    enum HookDecision {
        /** To go on. */
        PROCEED,
        /** To end. */
        STOP
    }

    /**
     * The run was ended in the middle of a step.
     *
     * @param partialText what the model had written of its answer
     * @param spent what the step had used up that no other fact tells
     */
    record Stopped(StopReason reason, String partialText, Spent spent, Instant at) implements Fact {
        public Stopped {
            require(reason, partialText, spent, at);
        }
    }
}
