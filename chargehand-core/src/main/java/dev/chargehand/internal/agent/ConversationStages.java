package dev.chargehand.internal.agent;

import dev.chargehand.completion.Completion;
import dev.chargehand.completion.CompletionResult;
import dev.chargehand.error.StoreException;
import dev.chargehand.hook.Hook;
import dev.chargehand.internal.agent.act.CallExecutor;
import dev.chargehand.internal.agent.act.CallOpener;
import dev.chargehand.internal.agent.act.CallRules;
import dev.chargehand.internal.agent.act.CalleeExecutor;
import dev.chargehand.internal.agent.act.OpenStage;
import dev.chargehand.internal.agent.act.ReceivedDeliveries;
import dev.chargehand.internal.agent.model.StepRequest;
import dev.chargehand.internal.event.conversation.ConversationEvents;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.fact.task.TaskMessages;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.Deliveries;
import dev.chargehand.internal.scope.Hooks;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.Phase;
import dev.chargehand.internal.state.State;
import dev.chargehand.message.Message;
import dev.chargehand.run.StopReason;
import dev.chargehand.step.StepResult;
import java.util.List;
import java.util.Optional;

/**
 * The stages of a run whose steps are answers of a model: it is asked, its calls are tools and delegations, and what it said and what
 * they gave decides whether another answer follows. Used by the run's own thread only.
 */
public final class ConversationStages implements Stages {

    /** How often a store may say that a result has been read meanwhile; each time another run has read one more. */
    private static final int MOST_TRIES = 1000;

    private final RunScope run;
    private final ConversationEvents events;
    private final AnswerStages answers;
    private final Hooks hooks;
    private final OpenStage open;
    private final Deliveries deliveries;

    /** Make the stages of a run. */
    public ConversationStages(RunScope run, ConversationEvents events, AnswerStages answers) {
        this.run = run;
        this.events = events;
        this.answers = answers;
        this.hooks = new Hooks(run);
        this.open = new OpenStage(run, hooks);
        this.deliveries = run.root().deliveries();
    }

    @Override
    public void ask(Work work) {
        Journal journal = work.journal();
        boolean recorded = false;
        for (int tries = 1; !recorded && ReceivedDeliveries.addMessages(journal, deliveries, run.now()); tries++) {
            recorded = isRecorded(work, tries == MOST_TRIES);
        }
        Optional<StopReason> over = run.root().tasks().endOfTurn(journal.state().conversation());
        if (over.isPresent()) {
            journal.add(new Fact.Stopped(over.get(), "", Spending.NOTHING, run.now()));
            return;
        }
        recall(work);
        ConversationState s = journal.state().conversation();
        events.stepStarted(s.stepNumber(), run.now());
        StepRequest request = answers.request(s).compose(s);
        journal.add(answers.answer(s).ask(journal.state().conversation(), request));
        if (journal.state().phase() == Phase.ASK) {
            work.record(); // the model answers again; why it does is stored before
        }
    }

    /** Store the messages to the run; false if another run has read the result of a task that is among them, since then. */
    private boolean isRecorded(Work work, boolean last) {
        try {
            work.record();
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.ALREADY_READ && !last) {
                return false;
            }
            throw e;
        }
        List<Message> said =
                work.journal().state().conversation().steps().getLast().said();
        said.forEach(
                message -> TaskMessages.taskOf(message).ifPresent(run.root().tasks()::ended));
        return true;
    }

    /** Store what the run recalls before its model sees it, so that a resumed run sends the same. */
    private void recall(Work work) {
        Journal journal = work.journal();
        run.root().memories().recall(run, journal.state().conversation()).ifPresent(remembered -> {
            journal.recall(remembered);
            work.record();
        });
    }

    @Override
    public CallOpener opener() {
        return open;
    }

    @Override
    public CallExecutor executor() {
        return new CalleeExecutor();
    }

    @Override
    public CallRules rules(State state) {
        return CallRules.independent(run.options().get(Options.TOOL_CALL_CONCURRENCY));
    }

    @Override
    public void decide(Work work) {
        ConversationState s = work.journal().state().conversation();
        if (answers.decision().callsForeignCode(s)) {
            work.record();
        }
        List<Fact> decided =
                answers.decision().decide(s, scorers -> events.scoringStarted(s.stepNumber(), scorers, run.now()));
        if (!s.step().calls().isEmpty() && !continues(decided)) {
            work.record(); // an end can be rejected because of a message, and what calls gave must not be lost with it
        }
        work.journal().add(decided);
        if (work.recordUnlessDelivered() && decided.getLast() instanceof Fact.StepClosed closed) {
            stepFinished(closed, work.journal().state().conversation());
        } // else a message arrived meanwhile, and the step is decided again
    }

    private static boolean continues(List<Fact> decided) {
        return decided.getLast() instanceof Fact.StepClosed closed && closed.stop() == null;
    }

    private void stepFinished(Fact.StepClosed closed, ConversationState state) {
        boolean over = state.phase() == Phase.END;
        Completion completion = run.options().get(Options.COMPLETION);
        CompletionResult scored = closed.completion();
        if (completion != null && scored != null) {
            completion
                    .onComplete()
                    .ifPresent(observer ->
                            notifyObserver(closed.step(), Hook.ON_COMPLETE, over, () -> observer.accept(scored)));
        }
        var onStepFinish = run.options().get(Options.ON_STEP_FINISH);
        if (onStepFinish != null) {
            StepResult step = run.stepResults().of(state.steps().getLast());
            notifyObserver(closed.step(), Hook.ON_STEP_FINISH, over, () -> onStepFinish.accept(step));
        }
    }

    private void notifyObserver(int step, Hook hook, boolean over, Runnable call) {
        if (over) {
            hooks.notifyOfEnd(step, hook, call);
        } else {
            hooks.notifyObserver(step, hook, call);
        }
    }
}
