package dev.chargehand.internal.loop;

import dev.chargehand.Agent;
import dev.chargehand.RunHooks;
import dev.chargehand.RunSettings;
import dev.chargehand.internal.fact.State;
import dev.chargehand.internal.fact.Transcript;
import dev.chargehand.internal.limit.Cancellation;
import dev.chargehand.internal.limit.Validation;
import dev.chargehand.internal.stream.RunEvents;
import dev.chargehand.message.Message;
import dev.chargehand.model.Model;
import dev.chargehand.processor.OutputResultProcessor;
import dev.chargehand.processor.OutputStepProcessor;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunInfo;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.step.StepContext;
import dev.chargehand.tool.ToolCallRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/**
 * What is in force for one run while it is live.
 *
 * @param root what it shares with its tree
 * @param agent the agent, as it is defined today
 * @param instructions its instructions for this request
 * @param models its model for this request, and the fallbacks
 * @param structuringModels the models that make the object of its answer; empty if its own writes it
 * @param toolbox what its model may call
 * @param settings the options that are data
 * @param hooks the options that are code
 * @param maxSteps how many steps it may make
 * @param info how hooks and scorers see the run
 * @param approvalPolicies say which calls must be approved: its own, and those of the runs above it
 * @param agentsOnPath the ids of the agents from the root to this one
 * @param cancellation ends the run and everything below it
 * @param events what it tells
 */
public record RunScope(
        RootScope root,
        Agent agent,
        String instructions,
        List<Model> models,
        List<Model> structuringModels,
        Toolbox toolbox,
        RunSettings settings,
        RunHooks hooks,
        int maxSteps,
        RunInfo info,
        List<Predicate<ToolCallRequest>> approvalPolicies,
        List<String> agentsOnPath,
        Cancellation cancellation,
        RunEvents events) {

    /** Returns this scope under a cancellation for a part of the run. */
    RunScope under(Cancellation part) {
        if (part.equals(cancellation)) {
            return this;
        }
        return new RunScope(
                root,
                agent,
                instructions,
                models,
                structuringModels,
                toolbox,
                settings,
                hooks,
                maxSteps,
                info,
                approvalPolicies,
                agentsOnPath,
                part,
                events);
    }

    /** Returns the values of the request. */
    public RequestContext requestContext() {
        return info.requestContext();
    }

    Instant now() {
        return root.time().now();
    }

    long limit(Limit limit) {
        return settings.limits().get(limit);
    }

    Duration limit(TimeLimit limit) {
        return settings.timeLimits().get(limit);
    }

    /** Tells whether processors look at whole answers: then no part of one passes. */
    boolean processesAnswers() {
        return !hooks.outputProcessors(OutputStepProcessor.class).isEmpty()
                || !hooks.outputProcessors(OutputResultProcessor.class).isEmpty();
    }

    /** Returns what checks values of the run against schemas, each within the time of a hook. */
    Validation validation() {
        return validation(limit(TimeLimit.HOOK));
    }

    /** Returns what checks values of the run against schemas, each within a time limit. */
    Validation validation(Duration limit) {
        return new Validation(root.callouts(), cancellation, limit);
    }

    /** Returns what calls the run's hooks. */
    public HookCalls hookCalls() {
        return new HookCalls(root.callouts(), root.redactor(), limit(TimeLimit.HOOK), events, agent.id());
    }

    /** Describes where the run stands to a hook. */
    StepContext stepContext(State state) {
        return stepContext(state, Transcript.conversation(state));
    }

    /** Describes where the run stands to a hook that sees another conversation. */
    StepContext stepContext(State state, List<Message> conversation) {
        return new StepContext(info, state.stepNumber(), maxSteps, StepResults.of(state), conversation);
    }
}
