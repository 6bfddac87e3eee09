package dev.chargehand.internal.state;

import dev.chargehand.internal.fact.DefinitionLink;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.state.value.SharedList;
import dev.chargehand.internal.state.value.SharedMap;
import dev.chargehand.internal.state.value.Sharing;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunSummary;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The state of a workflow's run: its rounds, what its steps gave, and the state that they share. Immutable. */
public final class WorkflowState extends State {

    private static final String KIND = "workflow";

    private final Rounds rounds;

    WorkflowState(Origin origin, Progress progress, Rounds rounds) {
        super(origin, progress);
        this.rounds = rounds;
    }

    /**
     * What the run has done.
     *
     * @param over the rounds that are over
     * @param open the round that is not over, or null
     * @param outputs what each step gave last, by its id
     * @param sharing what its calls share
     * @param calls how many calls were planned, without those that were copied or given
     */
    record Rounds(SharedList<Round> over, @Nullable Round open, SharedMap<Json> outputs, Sharing sharing, long calls) {
        static Rounds of(@Nullable DefinitionLink definition) {
            Json initial = definition == null ? null : definition.initialState();
            Json shared = initial == null ? Json.of(Map.of()) : initial;
            return new Rounds(SharedList.empty(), null, SharedMap.empty(), Sharing.of(shared), 0);
        }
    }

    @Override
    public WorkflowState after(Fact fact) {
        return WorkflowFold.of(this, fact);
    }

    @Override
    public State executing(Fact.ExecutionStarted execution, List<Message> threadTail) {
        return after(execution);
    }

    @Override
    public String kind() {
        return KIND;
    }

    /** Return whether a summary is of a workflow's run. */
    public static boolean isOf(RunSummary summary) {
        return summary.kind().equals(KIND);
    }

    /** Return what the run works on. */
    public Json input() {
        return Json.parse(started().input().getFirst().text());
    }

    /** Return the rounds that are over. */
    public List<Round> rounds() {
        return rounds.over();
    }

    /** Return the round that is not over, or null. */
    public @Nullable Round open() {
        return rounds.open();
    }

    /** Return the round that is not over. */
    public Round round() {
        Round open = rounds.open();
        if (open == null) {
            throw new IllegalStateException("Run " + runId() + " has no open round.");
        }
        return open;
    }

    /** Return what a step gave last, if it has ended. */
    public Optional<Json> output(String stepId) {
        return rounds.outputs().get(stepId);
    }

    /** Return how many calls its rounds have planned, without those that were copied from another run or given by a caller. */
    public long callsPlanned() {
        return rounds.calls();
    }

    /** Return the state that the steps share. */
    public Json shared() {
        return rounds.sharing().state();
    }

    /** Return what the calls of its steps share, and who of them has changed it in the last round. */
    public Sharing sharing() {
        return rounds.sharing();
    }

    /** Return what the run gave, once it has completed. */
    public Optional<Json> output() {
        return stop() == null || stop().status() != RunStatus.COMPLETED || rounds().isEmpty()
                ? Optional.empty()
                : Optional.of(rounds().getLast().output());
    }

    @Override
    StepCalls openCalls() {
        return rounds.open() == null ? StepCalls.NONE : rounds.open().stepCalls();
    }

    @Override
    public boolean isOpen() {
        return rounds.open() != null;
    }

    @Override
    public int stepsOver() {
        return rounds.over().size();
    }

    @Override
    public boolean mayHaveNestedRuns() {
        return Stream.concat(rounds().stream().flatMap(round -> round.calls().stream()), openCalls().stream())
                .anyMatch(CallState::mayHaveNestedRun);
    }

    @Override
    public String text() {
        return output().map(json -> json.string().orElse(json.text())).orElse("");
    }

    @Override
    public String textSoFar() {
        return "";
    }

    @Override
    public Optional<CallState> call(String callId) {
        int place = openCalls().place(callId);
        return place >= 0
                ? Optional.of(openCalls().get(place))
                : rounds().reversed().stream()
                        .filter(round -> round.stepCalls().place(callId) >= 0)
                        .findFirst()
                        .map(round -> round.calls().get(round.stepCalls().place(callId)));
    }

    @Override
    public ConversationState conversation() {
        throw new IllegalStateException("Run " + runId() + " is of a workflow and not a conversation.");
    }

    Rounds allRounds() {
        return rounds;
    }
}
