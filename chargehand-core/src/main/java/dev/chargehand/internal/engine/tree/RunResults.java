package dev.chargehand.internal.engine.tree;

import dev.chargehand.RunResult;
import dev.chargehand.completion.CompletionResult;
import dev.chargehand.internal.fact.ChildEnd;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.StepResults;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.Round;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.internal.state.WaitingCalls;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.run.ObjectResult;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.step.StepResult;
import dev.chargehand.workflow.StepOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes results of ended runs. */
final class RunResults {

    private RunResults() {}

    /** Make the result of a run that has ended, or that waits. */
    static RunResult of(State state, WaitingCalls.Below below, StepResults steps) {
        return switch (state) {
            case ConversationState conversation ->
                of(
                        conversation,
                        below,
                        new Said(
                                steps.of(conversation),
                                Transcript.ofRun(conversation),
                                conversation.completion(),
                                conversation.object(),
                                List.of(),
                                Optional.empty()));
            case WorkflowState workflow ->
                of(
                        workflow,
                        below,
                        new Said(
                                List.of(),
                                List.of(),
                                Optional.empty(),
                                workflow.output().map(output -> new ObjectResult(output, false, null)),
                                outcomes(workflow),
                                Optional.of(workflow.shared())));
        };
    }

    /** What only some kinds of run have. */
    private record Said(
            List<StepResult> steps,
            List<Message> messages,
            Optional<CompletionResult> completion,
            Optional<ObjectResult> object,
            List<StepOutcome> outcomes,
            Optional<Json> shared) {}

    private static RunResult of(State state, WaitingCalls.Below below, Said said) {
        Spending spent = below.spentWith(state);
        ThreadLink thread = state.started().thread();
        return new RunResultRecord(
                state.runId(),
                state.path(),
                state.status(),
                reason(state),
                state.text(),
                said.steps(),
                said.messages(),
                spent.usageOf(state.agentId()),
                spent.usageByAgent(),
                spent.cost(),
                said.completion(),
                said.object(),
                objectSchema(state),
                below.calls(),
                Optional.ofNullable(thread).map(ThreadLink::id),
                Optional.ofNullable(state.started().fork()),
                said.outcomes(),
                said.shared());
    }

    private static Optional<JsonSchema> objectSchema(State state) {
        StructuredOutput wanted = state.started().settings().get(Options.STRUCTURED_OUTPUT);
        return wanted == null ? Optional.empty() : Optional.of(wanted.schema());
    }

    private static List<StepOutcome> outcomes(WorkflowState state) {
        List<StepOutcome> outcomes = new ArrayList<>();
        List<Round> rounds = new ArrayList<>(state.rounds());
        if (state.open() != null) {
            rounds.add(state.open());
        }
        for (Round round : rounds) {
            for (CallState call : round.calls()) {
                Fact.CallClosed end = call.closed();
                if (end != null && !call.isSleep()) {
                    outcomes.add(new StepOutcome(
                            round.plannedCall(call.callId()).path(),
                            call.call().name(),
                            Json.parse(call.call().arguments()),
                            end.hasFailed() ? Optional.empty() : Optional.of(Round.outputOf(call)),
                            Optional.ofNullable(end.error()),
                            call.attempt(),
                            times(call, end)));
                }
            }
        }
        return outcomes;
    }

    private static StepOutcome.Times times(CallState call, Fact.CallClosed end) {
        Fact.CallOpened start = call.opened();
        return new StepOutcome.Times(start == null ? end.at() : start.at(), end.at());
    }

    private static StopReason reason(State state) {
        if (state.status() == RunStatus.SUSPENDED) {
            return new StopReason.Suspended();
        }
        return state.stopReason()
                .orElseThrow(() -> new IllegalStateException("Run " + state.runId() + " has not ended."));
    }

    /** Return what a workflow gave, or the object of an agent's structured output. */
    static Optional<Json> output(State ended) {
        return switch (ended) {
            case WorkflowState workflow -> workflow.output();
            case ConversationState conversation -> conversation.object().map(ObjectResult::object);
        };
    }

    /** Make what continues record of an ended child run with the call that it served. */
    static ChildEnd childEnd(State ended) {
        return new ChildEnd(
                ended.runId(),
                ended.agentId(),
                ended.status(),
                ended.stopReason().orElseThrow(),
                ended.text(),
                ended.spent());
    }
}
