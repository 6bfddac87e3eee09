package dev.chargehand.cli.chat;

import dev.chargehand.Agent;
import dev.chargehand.ForkBuilder;
import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.TenantRuntime;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.cli.approval.ApprovalDialogue;
import dev.chargehand.cli.output.RunOutput;
import dev.chargehand.cli.runs.ForegroundRun;
import dev.chargehand.cli.setup.Hints;
import dev.chargehand.cli.setup.SearchTally;
import dev.chargehand.cli.shell.ErrorLines;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunRecord;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Carries out the turns of a conversation, one after the other; none that fails ends it. Used by one thread. */
final class ChatTurns {

    private final Shell shell;
    private final ChatPartner partner;
    private final TenantRuntime runtime;
    private final Runnable close;
    private final Function<Agent, RunOutput> outputs;
    private final @Nullable ApprovalDialogue dialogue;
    private final Hints hints;
    private final TurnLog log;

    /**
     * Make them.
     *
     * @param close closes the runtime that executes the runs
     * @param outputs makes what shows a run of an agent
     * @param dialogue asks what a run waits for, or null to ask nothing
     */
    ChatTurns(
            Shell shell,
            ChatPartner partner,
            TenantRuntime runtime,
            Runnable close,
            Function<Agent, RunOutput> outputs,
            @Nullable ApprovalDialogue dialogue,
            Hints hints,
            TurnLog log) {
        this.log = log;
        this.shell = shell;
        this.partner = partner;
        this.runtime = runtime;
        this.close = close;
        this.outputs = outputs;
        this.dialogue = dialogue;
        this.hints = hints;
    }

    /** Send a message to an agent; return whether the run waits for an answer now. */
    boolean say(Agent agent, String message, Consumer<RunOptions.Builder> options) {
        carryOut(
                agent,
                foreground -> foreground.run(showing -> {
                    RunHandle started = agent.start(message, options.andThen(showing));
                    log.started(started.runId());
                    return started;
                }));
        return log.lastEndedWith(ExitCode.WAITING);
    }

    /**
     * Start a run that continues from a step of another, in a copy of its thread.
     *
     * @param afterStep the last step to copy, 0 for none
     * @return the new run; empty if it could not start
     */
    Optional<RunId> fork(Agent agent, RunId from, int afterStep, Consumer<ForkBuilder> changes) {
        AtomicReference<@Nullable RunId> forked = new AtomicReference<>();
        carryOut(
                agent,
                foreground -> foreground.run(showing -> {
                    RunHandle started = runtime.fork(from, afterStep, fork -> {
                        changes.accept(fork);
                        fork.agent(agent).options(showing);
                    });
                    log.started(started.runId());
                    forked.set(started.runId());
                    return started;
                }));
        return Optional.ofNullable(forked.get());
    }

    /** Continue an abandoned run, or ask again about its waiting calls. */
    void resume(RunRecord run) {
        log.started(run.runId());
        List<PendingApproval> waiting = run.status() == RunStatus.SUSPENDED
                ? runtime.handle(run.runId()).pendingApprovals()
                : List.of();
        boolean late = waiting.stream().anyMatch(call -> !call.expiresAt()
                .isAfter(InstantSource.system().instant()));
        ApprovalDialogue asking = dialogue;
        carryOut(
                runtime.agent(run.agentId()),
                foreground -> waiting.isEmpty() || late
                        ? foreground.run(showing -> runtime.resume(run.runId(), showing))
                        : foreground.answer(
                                run.runId(),
                                waiting,
                                (call, over) -> asking == null ? Optional.empty() : asking.ask(call, over)));
    }

    private void carryOut(Agent agent, ToIntFunction<ForegroundRun> action) {
        SearchTally searches = new SearchTally();
        try (RunOutput output = new OwnWork(
                log.tally().of(outputs.apply(agent), agent.defaultOptions().prices()), searches)) {
            int code = action.applyAsInt(new ForegroundRun(shell, runtime, close, output, dialogue, hints));
            log.ended(code == ExitCode.COMPLETED ? searches.code(partner::show) : code);
        } catch (ChargehandException e) {
            mistaken(e);
        }
    }

    /** Report a failed action. */
    void mistaken(ChargehandException e) {
        partner.show(ErrorLines.explain(e));
        log.ended(ExitCode.of(e));
    }

    /** Return whether the last run was released, because the process was asked to terminate. */
    boolean wasReleased() {
        return log.lastEndedWith(ExitCode.RELEASED);
    }

    TurnLog log() {
        return log;
    }
}
