package dev.chargehand.internal.scope;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.Hook;
import dev.chargehand.hook.StepContext;
import dev.chargehand.hook.ToolCallRequest;
import dev.chargehand.internal.call.BoundedValidation;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.call.ParallelCalls;
import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.definition.WorkflowDefinition;
import dev.chargehand.internal.event.RunEvents;
import dev.chargehand.internal.fact.RootNotes;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.model.Model;
import dev.chargehand.processor.OutputResultProcessor;
import dev.chargehand.processor.OutputStepProcessor;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunInfo;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is in force for one run while it is live.
 *
 * @param root what it shares with its tree
 * @param definition the agent or workflow, as it is defined today
 * @param instructions its instructions for this request
 * @param models its model for this request, and the fallbacks
 * @param structuringModels the models that make the object of its answer; empty if its own writes it
 * @param toolbox what its model may call
 * @param options the options: the settings that are stored with it, and its code
 * @param maxSteps how many steps it may make
 * @param info how hooks and scorers see the run
 * @param approvalPolicies say which calls must be approved: its own, and those of the runs above it
 * @param notesOfRoot where the working memory of the root run is, or null if it has none; its revision is not known
 * @param agentsOnPath the ids of the agents from the root to this one
 * @param cancellation ends the run and its descendants
 * @param events what it reports
 */
public record RunScope(
        RootScope root,
        RunDefinition definition,
        String instructions,
        List<Model> models,
        List<Model> structuringModels,
        Toolbox toolbox,
        OptionValues options,
        int maxSteps,
        RunInfo info,
        List<Predicate<ToolCallRequest>> approvalPolicies,
        @Nullable RootNotes notesOfRoot,
        List<String> agentsOnPath,
        Cancellation cancellation,
        RunEvents events) {

    private static final Pattern EVENT_NAME = Pattern.compile("[a-z0-9]++(-[a-z0-9]++)*+");

    /** Return this scope under a cancellation for a part of the run. */
    public RunScope under(Cancellation part) {
        if (part.equals(cancellation)) {
            return this;
        }
        return new RunScope(
                root,
                definition,
                instructions,
                models,
                structuringModels,
                toolbox,
                options,
                maxSteps,
                info,
                approvalPolicies,
                notesOfRoot,
                agentsOnPath,
                part,
                events);
    }

    /**
     * Return the agent.
     *
     * @throws IllegalStateException if the run is of a workflow
     */
    public AgentDefinition agent() {
        if (definition instanceof AgentDefinition agent) {
            return agent;
        }
        throw new IllegalStateException("Run " + info.runId() + " is of no agent.");
    }

    /**
     * Return the workflow.
     *
     * @throws IllegalStateException if the run is of an agent
     */
    public Workflow<?, ?> workflow() {
        if (definition instanceof WorkflowDefinition of) {
            return of.workflow();
        }
        throw new IllegalStateException("Run " + info.runId() + " is of no workflow.");
    }

    /**
     * Return why no run may be started below this one, or null if one may.
     *
     * @param key names it in paths
     * @param id of its agent or workflow
     */
    public @Nullable String tooDeep(String key, String id) {
        if (events.path().depth() >= limit(Limit.DEPTH)) {
            return "Agents may be nested " + limit(Limit.DEPTH) + " deep; '" + key + "' was not called.";
        }
        int onPath = Collections.frequency(agentsOnPath, id);
        return onPath >= limit(Limit.SAME_AGENT_ON_PATH)
                ? "Agent '" + key + "' is already running " + onPath + " times above this call; it was not called."
                : null;
    }

    /** Return the values of the request that the run of a delegation has. */
    public RequestContext contextOf(CallState call) {
        RequestContext given = call.child().requestContext();
        return given == null ? requestContext() : requestContext().merge(given);
    }

    /** Return the values of the request. */
    public RequestContext requestContext() {
        return info.requestContext();
    }

    public Instant now() {
        return root.time().now();
    }

    public long limit(Limit limit) {
        return options.get(Options.LIMITS).get(limit);
    }

    public Duration limit(TimeLimit limit) {
        return options.get(Options.TIME_LIMITS).get(limit);
    }

    /** Return whether processors look at whole answers: then no part of one passes. */
    public boolean processesAnswers() {
        return !options.get(Options.OUTPUT_PROCESSORS, OutputStepProcessor.class)
                        .isEmpty()
                || !options.get(Options.OUTPUT_PROCESSORS, OutputResultProcessor.class)
                        .isEmpty();
    }

    /** Return what checks values of the run against schemas, each within the time of a hook. */
    public BoundedValidation validation() {
        return validation(limit(TimeLimit.HOOK));
    }

    /** Return what checks values of the run against schemas, each within a time limit. */
    public BoundedValidation validation(Duration limit) {
        return new BoundedValidation(root.callouts(), cancellation, limit, name -> call(CallInfo.Kind.CHECK, name));
    }

    /** Describe a call of foreign code in this run. */
    public CallSite call(CallInfo.Kind kind, String name) {
        return CallSite.of(kind, name, info, root.runId());
    }

    /** Return what does work of the run on several threads at once. */
    public ParallelCalls parallel(int concurrency) {
        return new ParallelCalls(
                concurrency, () -> root.callouts().instruments().within(info.runId()), events::wakeReaders);
    }

    /** Return what calls a hook of the run, within its time limit. */
    public HookCalls hookCalls(Hook hook) {
        return hookCalls(options.get(Options.HOOK_TIME_LIMITS).getOrDefault(hook, limit(TimeLimit.HOOK)));
    }

    /** Return what calls the hooks of the run's end. */
    public HookCalls hookCalls() {
        return hookCalls(limit(TimeLimit.HOOK));
    }

    private HookCalls hookCalls(Duration limit) {
        return new HookCalls(root.callouts(), root.redactor(), limit, events, call(CallInfo.Kind.HOOK, ""));
    }

    /**
     * Emit what code of the application reports.
     *
     * @param late whether the call is over, so that the event is dropped
     * @throws ConfigurationException if the name is not in kebab case
     */
    public void emitData(int step, String name, @Nullable Object value, boolean late) {
        if (!EVENT_NAME.matcher(name).matches()) {
            throw new ConfigurationException(
                    "The event name '" + name + "' must be in kebab case, for example 'rows-read'.");
        }
        if (!late) {
            Json json = root.redactor().redact(Json.of(value));
            events.emit(step, o -> new RunEvent.Data(o, name, json));
        }
    }

    /** Describe where the run stands to a hook. */
    public StepContext stepContext(ConversationState state) {
        return stepContext(state, Transcript.conversation(state));
    }

    /** Describe where the run stands to a hook that sees another conversation. */
    public StepContext stepContext(ConversationState state, List<Message> conversation) {
        return new StepContext(info, state.stepNumber(), maxSteps, stepResults().of(state), conversation);
    }

    /** Return the steps and messages up to where the run stands, each made when it is asked for. */
    public SoFar soFar(ConversationState state) {
        return new SoFar(stepResults(), state);
    }

    /** Return what shows steps to application code. */
    public StepResults stepResults() {
        return new StepResults(root.delegations()::find);
    }
}
