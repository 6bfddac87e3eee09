package dev.chargehand.internal.fact;

import dev.chargehand.approval.WaitKind;
import dev.chargehand.completion.CompletionResult;
import dev.chargehand.internal.fact.task.Background;
import dev.chargehand.internal.fact.task.TaskResult;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.model.FinishReason;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.ForkOrigin;
import dev.chargehand.run.ObjectResult;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Something that has happened in a run and is never taken back, stored in a form of its own. It holds no code position.
 */
public sealed interface Fact
        permits Fact.Started,
                Fact.ExecutionStarted,
                Fact.Suspended,
                Fact.Resumed,
                Fact.Said,
                Fact.Recalled,
                Fact.Answered,
                Fact.Processed,
                Fact.CallOpened,
                Fact.CallParked,
                Fact.CallDecided,
                Fact.CallClosed,
                Fact.StepClosed,
                Fact.Stopped,
                RoundFact {

    /** Return when it happened. */
    Instant at();

    /**
     * The run started.
     *
     * @param agentName the agent's name, or null if it is the id
     * @param resourceId whom its data belongs to, or null; of a run with a thread, the owner of that
     * @param context what was forwarded of the conversation above a delegation
     * @param instructions what was added to the agent's own instructions for this run, or null
     * @param hooks the kinds of hooks that decide and were given to this run only; who takes it up must give them again
     * @param models the names of the models that are called in place of the agent's own, or null
     * @param fork the run and step that this run continues from, or null; the facts up to it follow, and are not executed again
     * @param iterations whether its steps are reported as iterations too; null in facts of earlier versions
     * @param submitted whether the run waits until a process starts it: {@code ExecutionStarted} follows, with the position in the thread
     * @param definition the workflow or the version of the agent as it was then, or null for an agent without a version
     * @param background what it has to do with background tasks
     */
    record Started(
            String agentId,
            @Nullable String agentName,
            AgentPath path,
            RunId rootRunId,
            @Nullable RunId parentRunId,
            @Nullable String parentCallId,
            @Nullable ThreadLink thread,
            @Nullable String resourceId,
            List<Message> context,
            List<Message> input,
            @Nullable String instructions,
            OptionValues settings,
            List<String> hooks,
            Map<String, Json> requestContext,
            @Nullable List<String> models,
            @Nullable ForkOrigin fork,
            @Nullable Boolean iterations,
            boolean submitted,
            @Nullable DefinitionLink definition,
            Background background,
            Instant at)
            implements Fact {
        public Started {
            Parts.require(agentId, path, rootRunId, settings, background, at);
            agentName = agentId.equals(agentName) ? null : agentName;
            resourceId = thread == null ? resourceId : thread.owner().resourceId();
            models = models == null ? null : List.copyOf(models);
            hooks = List.copyOf(hooks);
            context = List.copyOf(context);
            input = List.copyOf(input);
            requestContext = Map.copyOf(requestContext);
        }

        /** Return the agent's name; its id if it has none of its own. */
        public String displayName() {
            return agentName == null ? agentId : agentName;
        }
    }

    /**
     * A process took a submitted run for the first time; its input became part of its thread. The time before was not the run's.
     *
     * @param position how many messages the thread had before the run; 0 without a thread
     * @param historyFrom the position of the first message that the run may see, if a bound of tokens decided it; else null
     * @param epoch the epoch of the run from then on
     * @param results the results of background tasks that it gives to its model first
     */
    record ExecutionStarted(
            long position, @Nullable Long historyFrom, String owner, long epoch, List<TaskResult> results, Instant at)
            implements Fact {
        public ExecutionStarted {
            Parts.require(owner, at);
            results = List.copyOf(results);
        }
    }

    /** The run only waits, at most until the first waiting call of it or of a nested run expires. That time is not its own. */
    record Suspended(Instant expiresAt, Instant at) implements Fact {
        public Suspended {
            Parts.require(expiresAt, at);
        }
    }

    /**
     * A process took the run up again; the time since the last fact was not the run's.
     *
     * @param epoch the epoch of the root run from then on; 0 in facts of earlier versions
     */
    record Resumed(String owner, long epoch, Instant at) implements Fact {
        public Resumed {
            Parts.require(owner, at);
        }
    }

    /** More was said to the run, after a step that was over. */
    record Said(int step, List<Message> messages, Instant at) implements Fact {
        public Said {
            Parts.require(at);
            messages = List.copyOf(messages);
        }
    }

    /**
     * The run recalled something, for its model to see from the next step on. Of several such facts the last counts.
     *
     * @param step the step before which it was recalled
     * @param embedder the name of the embedding model, or null if the run does not recall messages by their meaning
     * @param hits the messages that were found, best first
     * @param withToolResults whether the model sees the results of tools among them
     * @param workingRevision the newest revision of the working memory, 0 if there was none, or null without one
     * @param rootNotes what it sees of the working memory of the root run, or null if its agent does not read that
     * @param observed what it sees through observations, or null if its agent has none
     * @param problem why something is missing, or null
     */
    record Recalled(
            int step,
            @Nullable String embedder,
            List<RecalledRange> hits,
            boolean withToolResults,
            @Nullable Long workingRevision,
            @Nullable RootNotes rootNotes,
            @Nullable ObservedHistory observed,
            @Nullable String problem,
            Spending spent,
            Instant startedAt,
            Instant at)
            implements Fact {
        public Recalled {
            Parts.require(spent, startedAt, at);
            hits = List.copyOf(hits);
        }
    }

    /** A model answered. {@code offered} names the tools it was offered, or is null if all were. */
    record Answered(
            int step,
            String model,
            String text,
            String reasoning,
            List<RequestedCall> calls,
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
            Parts.require(model, text, reasoning, finish, usage, cost, startedAt, at);
            calls = List.copyOf(calls);
            offered = offered == null ? null : List.copyOf(offered);
        }
    }

    /**
     * Processors decided about the input if no step has started, about the answer of the open step if there is one, and else
     * about an answer that is not stored because it did not pass.
     *
     * @param step the step, 0 for the input
     * @param trip the tripwire, if nothing was passed, or null
     * @param retry whether the model answers again after the tripwire
     * @param withheld whether the text of the open step passes only when the step is closed
     * @param answer what passes in place of the text and the reasoning of the open step, or null for both as they are
     * @param spent what the processors' judges used, and what an answer did that is not stored
     */
    record Processed(
            int step,
            @Nullable StopReason trip,
            boolean retry,
            boolean withheld,
            @Nullable String answer,
            Spending spent,
            Instant at)
            implements Fact {
        public Processed {
            Parts.require(spent, at);
        }
    }

    /** A call is about to be executed: the intent is stored before anything outside happens. */
    record CallOpened(
            String callId,
            CallKind kind,
            String digest,
            @Nullable ChildLink child,
            Instant at) implements Fact {
        public CallOpened {
            Parts.require(callId, kind, digest, at);
        }
    }

    /**
     * A call waits for an answer from outside, or for a time. Its earlier opening is void: with the answer it is opened again.
     *
     * @param waitNumber how often it has waited, this time included, from 1
     * @param kind what it waits for
     * @param digest the digest of the arguments that the answer is for
     * @param requester on whose behalf the run works, or null
     * @param payload what is said about the data that is asked for, or null
     * @param dataSchema what the data must fit, or null
     * @param patch a JSON merge patch of a workflow's shared state, or null
     * @param expiresAt from when on it counts as declined; of a timer, the time it waits for
     */
    record CallParked(
            String callId,
            int waitNumber,
            WaitKind kind,
            String digest,
            @Nullable String requester,
            @Nullable Json payload,
            @Nullable Json dataSchema,
            @Nullable Json patch,
            Instant expiresAt,
            Instant at)
            implements Fact {
        public CallParked {
            Parts.require(callId, kind, digest, expiresAt, at);
        }
    }

    /**
     * The answer to a call that waited.
     *
     * @param approver the approver, or null if there was none
     * @param tenant for whom they acted, or null
     * @param reason why it was declined, or approved if a reason was given; else null
     * @param data the requested data, or null
     * @param from the message of the conversation that a model made the data of, or null
     */
    record CallDecided(
            String callId,
            int waitNumber,
            CallAnswer answer,
            @Nullable String approver,
            @Nullable String tenant,
            @Nullable String reason,
            @Nullable Json data,
            CallAnswer.@Nullable FromMessage from,
            Instant at)
            implements Fact {
        public CallDecided {
            Parts.require(callId, answer, at);
        }

        /** Return the data, which may be JSON's null, if that is the answer. */
        public Optional<Json> given() {
            return answer == CallAnswer.DATA ? Optional.of(data == null ? Json.of(null) : data) : Optional.empty();
        }
    }

    /**
     * A call is over; written before the model sees its result.
     *
     * @param output the whole result, or null if the call failed
     * @param view what the model sees of the result, if that is not the whole result as it is, or null
     * @param error what the model sees of a failure, or null
     * @param detail what only logs and events see of a failure, or null
     * @param refusal that a hook rejected the call, or null
     * @param child how the delegation ended, or null for a tool
     * @param verdict what was decided about the delegation's result, or null if nothing was
     * @param effects what a step of a workflow adds to its run, or null if it adds nothing
     */
    record CallClosed(
            String callId,
            @Nullable Json output,
            @Nullable String view,
            @Nullable String error,
            @Nullable String detail,
            @Nullable Refusal refusal,
            @Nullable ChildEnd child,
            @Nullable ChildVerdict verdict,
            RoundFact.@Nullable StepEffects effects,
            Instant at)
            implements Fact {
        public CallClosed {
            Parts.require(callId, at);
        }

        /** Return what the model sees. */
        public String shown() {
            String seen = error == null ? view : error;
            return seen == null ? text() : seen;
        }

        /** Return the whole result as a text; empty if the call failed. */
        public String text() {
            String whole = output == null ? "null" : output.string().orElse(output.text());
            return error == null ? whole : "";
        }

        /** Return whether the call failed, was rejected or never ran. */
        public boolean hasFailed() {
            return error != null;
        }

        /** Return whether the delegation bailed. */
        public boolean hasBailed() {
            return verdict != null && verdict.bail() != null;
        }
    }

    /**
     * A step is over.
     *
     * @param stop why the run ends with it, or null if the run continues
     * @param lastStop why the run ends after one more answer, without tools, or null if it is not to end so
     * @param hook what {@code onIterationComplete} decided, or null if it decided nothing
     * @param feedback the message to the model before it is called again
     * @param completion how the step was scored, or null if it was not
     * @param scoresKept whether the thread keeps how the step was scored
     * @param judged what scoring and structuring used
     * @param object the outcome of the structured answer, or the problem to fix if the run continues; null if none was wanted
     * @param answer in a network, what the check says the answer is, or null if it is what the primitive gave
     * @param unread the ids of the messages to the run that did not become part of it, if the run ends with the step
     */
    record StepClosed(
            int step,
            @Nullable StopReason stop,
            @Nullable StopReason lastStop,
            @Nullable HookDecision hook,
            List<String> feedback,
            @Nullable CompletionResult completion,
            boolean scoresKept,
            Spending judged,
            @Nullable ObjectResult object,
            @Nullable String answer,
            List<String> unread,
            Instant at)
            implements Fact {
        public StepClosed {
            Parts.require(judged, at);
            feedback = List.copyOf(feedback);
            unread = List.copyOf(unread);
        }
    }

    /**
     * The run was ended in the middle of a step.
     *
     * @param partialText what the model had written of its answer
     * @param spent what the step had used that no other fact reports
     * @param unread the ids of the messages to the run that did not become part of it
     */
    record Stopped(StopReason reason, String partialText, Spending spent, List<String> unread, Instant at)
            implements Fact {
        public Stopped {
            Parts.require(reason, partialText, spent, at);
            unread = List.copyOf(unread);
        }

        /** Make the fact without unread messages. */
        public Stopped(StopReason reason, String partialText, Spending spent, Instant at) {
            this(reason, partialText, spent, List.of(), at);
        }
    }
}
