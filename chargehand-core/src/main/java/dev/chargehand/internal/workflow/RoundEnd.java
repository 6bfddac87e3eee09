package dev.chargehand.internal.workflow;

import dev.chargehand.internal.agent.act.ActStage;
import dev.chargehand.internal.fact.ChildVerdict;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.Round;
import dev.chargehand.json.Json;
import dev.chargehand.run.StopReason;
import dev.chargehand.workflow.Entry;
import dev.chargehand.workflow.Outcome;
import dev.chargehand.workflow.Outputs;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the calls of a round amount to, once they are over.
 *
 * @param stop why the run ends with it, or null if it may continue
 * @param text what the entry gave; null if it is the output of the only call
 * @param value what the entry gave
 */
public record RoundEnd(@Nullable StopReason stop, @Nullable String text, Json value) {

    /** Return what the calls of a round of an entry amount to. */
    public static RoundEnd of(Entry entry, Round round) {
        Optional<CallState> bailed = round.calls().stream()
                .filter(call -> call.closed() != null && call.closed().hasBailed())
                .min(Comparator.comparing(RoundEnd::bail));
        if (bailed.isPresent()) {
            Json output = Round.outputOf(bailed.get());
            String step = bailed.get().call().name();
            return new RoundEnd(
                    new StopReason.Bailed(step, bailed.get().callId(), null),
                    round.calls().size() == 1 ? null : output.text(),
                    output);
        }
        boolean collects = entry instanceof Entry.Foreach foreach && foreach.collect();
        Optional<CallState> failed = round.calls().stream()
                .filter(RoundEnd::hasFailed)
                .min(Comparator.comparing(RoundEnd::isDueToAnother)); // else the first
        if (failed.isPresent() && !collects) {
            return failed(round, failed.get());
        }
        return switch (entry) {
            case Entry.Parallel ignored -> whole(outputs(round));
            case Entry.BranchAll ignored -> whole(outputs(round));
            case Entry.Foreach foreach -> whole(items(round, foreach.collect()));
            case Entry.Then ignored -> ofTheOnlyCall(round);
            case Entry.Loop ignored -> ofTheOnlyCall(round);
            case Entry.Branch ignored -> ofTheOnlyCall(round);
            case Entry.Mapping ignored -> ofTheOnlyCall(round);
            case Entry.Sleep ignored -> ofTheOnlyCall(round);
        };
    }

    private static int bail(CallState call) {
        Fact.CallClosed end = Objects.requireNonNull(call.closed());
        return Objects.requireNonNullElse(Objects.requireNonNull(end.verdict()).bail(), 0);
    }

    private static boolean hasFailed(CallState call) {
        return call.closed() == null || call.closed().hasFailed();
    }

    /** Return whether a call has an end only because another one failed. */
    private static boolean isDueToAnother(CallState call) {
        ChildVerdict verdict = call.closed() == null ? null : call.closed().verdict();
        return verdict != null && ActStage.SIBLING_FAILED.equals(verdict.failure());
    }

    private static RoundEnd failed(Round round, CallState call) {
        String path = round.plannedCall(call.callId()).path();
        String error = call.closed() == null
                ? "It is not over."
                : String.valueOf(call.closed().error());
        String attempts = call.attempt() == 1 ? "" : " after " + call.attempt() + " attempts";
        ChildVerdict verdict = call.closed() == null ? null : call.closed().verdict();
        String code = verdict == null ? "step-failed" : Objects.requireNonNullElse(verdict.failure(), "step-failed");
        return failed(new StopReason.Failed(code, "Step '" + path + "' failed" + attempts + ": " + error, false));
    }

    /** Return the end of a round that fails its run, and gives nothing. */
    static RoundEnd failed(StopReason failure) {
        return new RoundEnd(failure, Json.of(null).text(), Json.of(null));
    }

    private static RoundEnd whole(Json value) {
        return new RoundEnd(null, value.text(), value);
    }

    /** An entry that called nothing passes its input on. */
    private static RoundEnd ofTheOnlyCall(Round round) {
        return round.calls().isEmpty()
                ? whole(Json.parse(Objects.requireNonNull(round.planned().input())))
                : new RoundEnd(null, null, Round.outputOf(round.calls().getFirst()));
    }

    private static Json outputs(Round round) {
        Map<String, Json> byStep = new LinkedHashMap<>();
        round.calls().forEach(call -> byStep.put(call.call().name(), Round.outputOf(call)));
        return Outputs.of(byStep).json();
    }

    private static Json items(Round round, boolean collect) {
        List<Json> items = new ArrayList<>();
        for (CallState call : round.calls()) {
            items.add(collect ? outcome(call) : Round.outputOf(call));
        }
        return Json.of(items);
    }

    /** In the JSON form of {@link dev.chargehand.workflow.Outcome}. */
    private static Json outcome(CallState call) {
        Fact.CallClosed end = call.closed();
        return Json.of(
                hasFailed(call)
                        ? new Outcome.Failure<Json>(String.valueOf(end == null ? null : end.error()))
                        : new Outcome.Success<>(Round.outputOf(call)));
    }
}
