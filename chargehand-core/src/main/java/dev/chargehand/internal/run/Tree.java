package dev.chargehand.internal.run;

import dev.chargehand.Agent;
import dev.chargehand.RunHooks;
import dev.chargehand.RunSettings;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.HookException;
import dev.chargehand.internal.fact.CallState;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spent;
import dev.chargehand.internal.fact.State;
import dev.chargehand.internal.fact.Transcript;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.journal.Opening;
import dev.chargehand.internal.limit.CallerContext;
import dev.chargehand.internal.limit.Cancellation;
import dev.chargehand.internal.limit.Ledger;
import dev.chargehand.internal.limit.RunInterrupted;
import dev.chargehand.internal.loop.Delegations;
import dev.chargehand.internal.loop.Ending;
import dev.chargehand.internal.loop.Forwarding;
import dev.chargehand.internal.loop.Prompts;
import dev.chargehand.internal.loop.RootScope;
import dev.chargehand.internal.loop.RunScope;
import dev.chargehand.internal.loop.Screening;
import dev.chargehand.internal.loop.StepResults;
import dev.chargehand.internal.stream.EventSink;
import dev.chargehand.internal.stream.Narrator;
import dev.chargehand.internal.stream.RunEvents;
import dev.chargehand.message.Message;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.processor.OutputStepProcessor;
import dev.chargehand.processor.OutputStreamProcessor;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunInfo;
import dev.chargehand.run.RunKind;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.RunRecord;
import dev.chargehand.tool.ToolCallRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A root run and its descendants while they are live: begins them, takes them up again, and shares what they share. */
final class Tree implements Delegations {

    private static final int STEPS_OF_A_ROOT = 10;
    private static final int STEPS_OF_A_DELEGATION = 5;

    private final Environment environment;
    private final RootScope scope;
    private final @Nullable EventSink sink;
    private final boolean resumed;
    private final @Nullable Answer answer;
    private final Suspensions suspensions;
    private final ChildThreads childThreads;
    private final Cancellation cancellation = new Cancellation();
    private final Map<RunId, Screening.Screened> screened = new ConcurrentHashMap<>();

    /**
     * Makes a tree.
     *
     * @param settings the root's: their limits and budget hold for the whole tree
     * @param sink where the tree tells its events, or null if nobody listens
     * @param resumed whether children may be in the store already
     * @param answer the answer because of which the tree is taken up, or null
     * @param context what the caller had on its thread
     */
    Tree(
            Environment environment,
            RunSettings settings,
            @Nullable EventSink sink,
            boolean resumed,
            @Nullable Answer answer,
            CallerContext context) {
        this.environment = environment;
        this.sink = sink;
        this.resumed = resumed;
        this.answer = answer;
        this.suspensions = new Suspensions(environment, sink);
        this.childThreads = new ChildThreads(environment.store(), environment.ids());
        this.scope = new RootScope(
                environment.time(),
                environment.ids(),
                environment.jitter(),
                environment.callouts().with(context),
                new Ledger(settings.limits(), settings.budget()),
                environment.redactor(),
                environment.models()::of,
                this,
                new AtomicBoolean());
    }

    RootScope scope() {
        return scope;
    }

    /** Returns what ends the whole tree. */
    Cancellation cancellation() {
        return cancellation;
    }

    /**
     * What a run stands under.
     *
     * @param agentIds the agents from the root down to the one above it
     * @param approvalPolicies those of the runs above it
     * @param cancellation ends the run, and everything beside it that has the same one
     */
    private record Above(
            List<String> agentIds, List<Predicate<ToolCallRequest>> approvalPolicies, Cancellation cancellation) {

        private List<String> with(Agent agent) {
            List<String> longer = new ArrayList<>(agentIds);
            longer.add(agent.id());
            return List.copyOf(longer);
        }

        private List<Predicate<ToolCallRequest>> with(@Nullable Predicate<ToolCallRequest> policy) {
            if (policy == null) {
                return approvalPolicies;
            }
            List<Predicate<ToolCallRequest>> more = new ArrayList<>(approvalPolicies);
            more.add(policy);
            return List.copyOf(more);
        }
    }

    /** Begins the root run. */
    LiveRun start(Agent agent, RunId runId, Supplier<Opening> opening, RunHooks hooks, RequestContext context) {
        return start(agent, runId, opening, hooks, context, new Above(List.of(), List.of(), cancellation));
    }

    /** Begins a run: what can be wrong with its definition is found before anything is stored. */
    private LiveRun start(
            Agent agent, RunId runId, Supplier<Opening> from, RunHooks hooks, RequestContext context, Above above) {
        Opening asked = from.get();
        Fact.Started started = asked.started();
        int maxSteps = maxSteps(started);
        RunScope run = scopeOf(agent, runId, started, hooks, context, maxSteps, above);
        Screening.Screened passed = screens(hooks) ? screened(run, asked) : null;
        Opening opening = passed == null
                ? asked
                : from.get().screened(passed.input(), passed.said(), facts(passed)); // the thread may have grown
        Journal journal = Journal.start(environment.store(), runId, environment.owner(), opening);
        Narrator narrator = narratorOf(run, agent);
        narrator.tell(List.of(new Journal.Stored(opening.started(), journal.state())));
        opening.added().forEach(fact -> narrator.tell(List.of(new Journal.Stored(fact, journal.state()))));
        return new LiveRun(run, journal, narrator, suspensions, passed == null ? null : passed.failure());
    }

    /** Tells whether the input of a run is looked at before the run begins, which may take its time. */
    static boolean screens(RunHooks hooks) {
        return !hooks.inputProcessors(InputProcessor.class).isEmpty();
    }

    /** Processors are asked once, though a run that has to wait for its thread tries to begin several times. */
    private Screening.Screened screened(RunScope run, Opening asked) {
        RunId runId = run.info().runId();
        Screening.Screened passed = screened.get(runId);
        if (passed == null) {
            passed = new Screening(run).screen(asked.started(), asked.said());
            screened.put(runId, passed);
        }
        return passed;
    }

    private List<Fact> facts(Screening.Screened passed) {
        Instant now = environment.time().now();
        List<Fact> facts = new ArrayList<>();
        if (passed.trip() != null || !passed.spent().equals(Spent.NOTHING)) {
            facts.add(new Fact.Processed(0, passed.trip(), false, false, null, passed.spent(), now));
        }
        if (passed.trip() != null) {
            facts.add(new Fact.Stopped(passed.trip(), "", Spent.NOTHING, now));
        }
        if (passed.failure() != null) {
            HookException e = passed.failure();
            String message = scope.redactor().redact(e.getMessage());
            facts.add(
                    new Fact.Stopped(new StopReason.Failed(e.code(), message, e.retryable()), "", Spent.NOTHING, now));
        }
        return facts;
    }

    private static Narrator narratorOf(RunScope run, Agent agent) {
        return new Narrator(
                run.events(), Narrator.Steps.of(run.settings(), !agent.agents().isEmpty()), run.maxSteps());
    }

    private LiveRun live(RunScope run, Journal journal, Narrator narrator) {
        return new LiveRun(run, journal, narrator, suspensions, null);
    }

    /** Takes the root run up that was claimed for this process and has not ended. */
    LiveRun resume(Agent agent, Journal journal, RunHooks hooks, RequestContext more) {
        return resume(agent, journal, hooks, more, new Above(List.of(), List.of(), cancellation));
    }

    private LiveRun resume(Agent agent, Journal journal, RunHooks hooks, RequestContext more, Above above) {
        Fact.Started started = journal.state().started();
        RequestContext context =
                RequestContext.restore(started.requestContext()).merge(more);
        int maxSteps = maxSteps(started);
        RunScope run = scopeOf(agent, journal.state().runId(), started, hooks, context, maxSteps, above);
        Narrator narrator = narratorOf(run, agent);
        Instant now = environment.time().now();
        journal.add(new Fact.Resumed(environment.owner(), now));
        journal.add(Ending.ofInterrupted(run, journal.state(), now));
        Answer mine = answer != null && answer.runId().equals(run.events().runId()) ? answer : null;
        if (mine != null) {
            journal.add(mine.fact().apply(now)); // it was given in time: what it answers has not expired
        }
        journal.add(Ending.ofExpired(journal.state(), now));
        List<Journal.Stored> facts = journal.commit();
        if (mine != null) {
            mine.recorded().set(true);
        }
        endWhatIsClosed(journal.state());
        enter(journal.state().spent());
        enterWhatWaits(journal.state());
        narrator.tell(facts);
        return live(run, journal, narrator);
    }

    /** Returns how many steps a run may make, those that it has of another run included. */
    static int maxSteps(Fact.Started started) {
        Integer set = started.settings().maxSteps();
        int byDefault = started.path().isRoot() ? STEPS_OF_A_ROOT : STEPS_OF_A_DELEGATION;
        return set == null ? byDefault : set;
    }

    /** A process that closed a delegation may have died before it ended the run below, which nobody would end later. */
    private void endWhatIsClosed(State state) {
        state.endedChildren().forEach(child -> suspensions.end(child.runId(), child.stop()));
    }

    /** What waits below a run is not live, but what it has spent is of this tree's budget. */
    private void enterWhatWaits(State state) {
        for (CallState call : state.pendingCalls()) {
            if (call.isOpenDelegation()) {
                environment
                        .store()
                        .find(call.child().runId())
                        .filter(child -> !child.status().isEnded() && !isToBeTakenUp(child))
                        .ifPresent(child -> enter(suspensions.spent(child)));
            }
        }
    }

    private void enter(Spent spent) {
        scope.ledger()
                .enter(
                        spent.modelCalls(),
                        spent.toolCalls(),
                        spent.outputCharacters(),
                        spent.totalUsage().totalTokens(),
                        spent.cost());
    }

    private RunScope scopeOf(
            Agent agent,
            RunId runId,
            Fact.Started started,
            RunHooks hooks,
            RequestContext context,
            int maxSteps,
            Above above) {
        requireProcessorsThatFit(agent, started.settings(), hooks);
        Definitions.Resolved resolved = new Definitions(scope)
                .resolve(agent, started.models(), context, started.settings(), above.cancellation());
        String added = started.instructions();
        Fact.ThreadLink thread = started.thread();
        return new RunScope(
                scope,
                agent,
                added == null ? resolved.instructions() : Definitions.plus(resolved.instructions(), added),
                resolved.models(),
                resolved.structuringModels(),
                resolved.toolbox(),
                started.settings(),
                hooks,
                maxSteps,
                new RunInfo(
                        runId,
                        started.path(),
                        agent.id(),
                        thread == null ? null : thread.id(),
                        thread == null ? null : thread.owner().resourceId(),
                        context),
                above.with(hooks.requireToolApproval()),
                above.with(agent),
                above.cancellation(),
                new RunEvents(sink, runId, started.path()));
    }

    /** What a router writes is a decision, of which nobody is told as a text: there is nothing to be held back or rewritten. */
    private static void requireProcessorsThatFit(Agent agent, RunSettings settings, RunHooks hooks) {
        if (settings.kind().isNetwork()
                && !(hooks.outputProcessors(OutputStreamProcessor.class).isEmpty()
                        && hooks.outputProcessors(OutputStepProcessor.class).isEmpty())) {
            throw new ConfigurationException(
                    "Agent '" + agent.id() + "': in a network no processor can look at a router's"
                            + " answers as they arrive or before its calls, since they are decisions. Have an OutputResultProcessor"
                            + " look at the result, input processors at what comes in, beforeToolCall and onDelegationStart at what"
                            + " is chosen; and the processors of the sub-agents at what those say.");
        }
    }

    @Override
    public Optional<Ended> run(RunScope parent, State state, CallState call) {
        Agent agent = Objects.requireNonNull(parent.agent().agents().get(call.agentKey()));
        try {
            return child(parent, state, call, agent)
                    .filter(child -> child.status() != RunStatus.SUSPENDED)
                    .map(Tree::ended);
        } catch (RunInterrupted e) {
            return Optional.of(notAdvanced(call, e.reason()));
        } catch (ChargehandException e) {
            return Optional.of(notAdvanced(
                    call, new StopReason.Failed(e.code(), scope.redactor().redact(e.getMessage()), e.retryable())));
        }
    }

    private static Ended ended(State child) {
        Fact.ThreadLink thread = child.started().thread();
        return new Ended(
                Results.childEnd(child),
                StepResults.of(child).stream()
                        .flatMap(step -> step.toolResults().stream())
                        .toList(),
                thread == null ? null : thread.id());
    }

    @Override
    public Instant waitsUntil(CallState call) {
        return environment
                .store()
                .find(call.child().runId())
                .map(RunRecord::expiresAt)
                .orElseThrow(() -> new IllegalStateException("Call " + call.callId() + " does not wait."));
    }

    @Override
    public boolean hasBegun(CallState call) {
        return resumed && environment.store().find(call.child().runId()).isPresent();
    }

    @Override
    public Fact.ChildEnd soFar(CallState call, StopReason reason) {
        return suspensions.soFar(call, reason);
    }

    @Override
    public void end(CallState call, StopReason reason) {
        suspensions.end(call.child().runId(), reason);
    }

    /** Ends a child that could not begin, or not go on; one that had begun before must not be left waiting. */
    private Ended notAdvanced(CallState call, StopReason reason) {
        Fact.ChildEnd end = resumed ? suspensions.soFar(call, reason) : Ending.endOfChild(call, reason);
        if (resumed) {
            suspensions.end(call.child().runId(), reason);
        }
        return new Ended(end, List.of(), null);
    }

    /** Returns where the child stands when nothing more can be done for it; nothing if it waits and is left alone. */
    private Optional<State> child(RunScope parent, State state, CallState call, Agent agent) {
        RunId runId = call.child().runId();
        RequestContext given = call.child().requestContext();
        RequestContext context = given == null
                ? parent.requestContext()
                : parent.requestContext().merge(given);
        Optional<RunRecord> there = resumed ? environment.store().find(runId) : Optional.empty();
        if (there.isPresent() && !isToBeTakenUp(there.get())) {
            return Optional.empty();
        }
        Optional<String> thread = there.isPresent()
                ? Optional.ofNullable(there.get().threadId())
                : childThreads.shared(state, call, agent, parent.events().path().child(call.agentKey()));
        if (thread.isEmpty()) {
            return Optional.of(advanced(parent, state, call, agent, context, there));
        }
        try (ThreadQueues.Turn turn = environment.threads().join(thread.get(), runId)) {
            turn.await(parent.cancellation());
            return Optional.of(advanced(parent, state, call, agent, context, there));
        }
    }

    private State advanced(
            RunScope parent,
            State state,
            CallState call,
            Agent agent,
            RequestContext context,
            Optional<RunRecord> there) {
        RunId runId = call.child().runId();
        RunHooks hooks = agent.defaultOptions().hooks();
        Above above = new Above(parent.agentsOnPath(), parent.approvalPolicies(), parent.cancellation());
        if (there.isEmpty()) {
            Opening opening = environment.opening(agent, beginning(parent, state, call, agent, context));
            return start(agent, runId, () -> opening, hooks, context, above)
                    .advance()
                    .state();
        }
        RunRecord seen = there.get();
        RunRecord claimed = environment.store().claim(runId, seen.epoch(), seen.length(), environment.owner());
        Journal journal = environment.load(agent, claimed);
        return claimed.status().isEnded()
                ? journal.state()
                : resume(agent, journal, hooks, context, above).advance().state();
    }

    /** A run that waits is left alone unless the answer is for it or one below it, or it has waited too long. */
    private boolean isToBeTakenUp(RunRecord run) {
        Instant expiresAt = run.expiresAt();
        return run.status() != RunStatus.SUSPENDED
                || (answer != null && answer.path().contains(run.runId()))
                || (expiresAt != null && !expiresAt.isAfter(environment.time().now()));
    }

    private Fact.Started beginning(RunScope parent, State state, CallState call, Agent agent, RequestContext context) {
        AgentPath path = parent.events().path().child(call.agentKey());
        RunId runId = call.child().runId();
        List<Message> seen = new ArrayList<>(Forwarding.context(state, call.child()));
        seen.addAll(ChildThreads.recalled(state, call, agent));
        return new Fact.Started(
                agent.id(),
                path,
                state.started().rootRunId(),
                state.runId(),
                call.callId(),
                childThreads.of(state, call, agent, path),
                seen,
                Transcript.input(runId, List.of(Prompts.of(state, call, agent))),
                call.child().instructions(),
                inherited(parent.settings(), agent.defaultOptions().settings(), stepsFor(agent, call)),
                List.of(),
                context.stored(),
                null,
                null,
                environment.time().now());
    }

    /** The model and the hooks can lower the sub-agent's own limit, never raise it. */
    private static @Nullable Integer stepsFor(Agent agent, CallState call) {
        Integer set = agent.defaultOptions().settings().maxSteps();
        int most = set == null ? STEPS_OF_A_DELEGATION : set;
        Integer hooks = call.child().maxSteps();
        int lowered = Math.min(Prompts.wantedSteps(agent, call).orElse(most), hooks == null ? most : hooks);
        return lowered < most ? Integer.valueOf(lowered) : set;
    }

    /** Limits, budget and prices are the tree's; the rest is the sub-agent's own. */
    private static RunSettings inherited(RunSettings tree, RunSettings own, @Nullable Integer maxSteps) {
        return new RunSettings(
                maxSteps,
                own.toolCallConcurrency(),
                own.retries(),
                own.toolChoice(),
                own.activeTools(),
                tree.limits(),
                tree.timeLimits(),
                tree.budget(),
                tree.prices(),
                own.delegation(),
                own.approvals().under(tree.approvals()),
                own.busyThread(),
                own.hookPolicies(),
                own.modelSettings(),
                tree.metadata(),
                own.structuredOutput(),
                RunKind.ORDINARY,
                own.maxProcessorRetries());
    }
}
