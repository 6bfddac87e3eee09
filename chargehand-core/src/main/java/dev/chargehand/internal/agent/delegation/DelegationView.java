package dev.chargehand.internal.agent.delegation;

import dev.chargehand.error.DelegationException;
import dev.chargehand.hook.DelegationCompleteContext;
import dev.chargehand.hook.DelegationContext;
import dev.chargehand.hook.DelegationStartContext;
import dev.chargehand.hook.MessageFilterContext;
import dev.chargehand.internal.fact.ChildEnd;
import dev.chargehand.internal.scope.ChildRuns;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.scope.Toolbox;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunInfo;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.step.ToolOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A delegation as hooks see it: before its messages are chosen, before it starts, and after its end. */
abstract sealed class DelegationView implements DelegationContext {

    private final RunInfo run;
    private final int step;
    private final String callId;
    private final Toolbox.AgentCallee callee;
    private final String prompt;
    private final List<Message> messages;

    private DelegationView(
            RunScope run,
            ConversationState state,
            CallState call,
            Toolbox.AgentCallee callee,
            String prompt,
            List<Message> messages) {
        this.run = run.info();
        this.step = state.stepNumber();
        this.callId = call.callId();
        this.callee = callee;
        this.prompt = prompt;
        this.messages = List.copyOf(messages);
    }

    @Override
    public RunInfo run() {
        return run;
    }

    @Override
    public int step() {
        return step;
    }

    @Override
    public String callId() {
        return callId;
    }

    @Override
    public String agentId() {
        return callee.agent().id();
    }

    @Override
    public String agentName() {
        return callee.agent().name();
    }

    @Override
    public String key() {
        return callee.key();
    }

    @Override
    public String prompt() {
        return prompt;
    }

    @Override
    public List<Message> messages() {
        return messages;
    }

    /** The messages that a filter chooses from. */
    static final class Filtered extends DelegationView implements MessageFilterContext {

        Filtered(
                RunScope run,
                ConversationState state,
                CallState call,
                Toolbox.AgentCallee callee,
                String prompt,
                List<Message> messages) {
            super(run, state, call, callee, prompt, messages);
        }
    }

    /** A delegation that is about to start. */
    static final class Starting extends DelegationView implements DelegationStartContext {

        private final Json arguments;

        Starting(
                RunScope run,
                ConversationState state,
                CallState call,
                Toolbox.AgentCallee callee,
                String prompt,
                Json arguments) {
            super(run, state, call, callee, prompt, Transcript.conversation(state));
            this.arguments = arguments;
        }

        @Override
        public Json arguments() {
            return arguments;
        }
    }

    /** A delegation that has ended. */
    static final class Complete extends DelegationView implements DelegationCompleteContext {

        private final ChildEnd end;
        private final @Nullable DelegationException error;
        private final List<ToolOutcome> toolResults;
        private final @Nullable String threadId;
        private final Duration duration;

        Complete(
                RunScope run,
                ConversationState state,
                CallState call,
                Toolbox.AgentCallee callee,
                ChildRuns.Ended ended,
                @Nullable DelegationException error) {
            super(run, state, call, callee, call.child().prompt(), Transcript.conversation(state));
            this.end = ended.end();
            this.error = error;
            this.toolResults = List.copyOf(ended.toolResults().get());
            this.threadId = ended.thread();
            this.duration = call.durationUntil(run.now());
        }

        @Override
        public RunId childRunId() {
            return end.runId();
        }

        @Override
        public StopReason stopReason() {
            return end.stop();
        }

        @Override
        public String text() {
            return end.text();
        }

        @Override
        public Optional<DelegationException> error() {
            return Optional.ofNullable(error);
        }

        @Override
        public Usage usage() {
            return end.spent().totalUsage();
        }

        @Override
        public List<ToolOutcome> toolResults() {
            return toolResults;
        }

        @Override
        public Optional<String> threadId() {
            return Optional.ofNullable(threadId);
        }

        @Override
        public Duration duration() {
            return duration;
        }
    }
}
