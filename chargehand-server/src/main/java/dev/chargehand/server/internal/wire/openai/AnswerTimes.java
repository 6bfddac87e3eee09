package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.error.StoreException;
import dev.chargehand.run.RunId;
import dev.chargehand.server.Principal;
import dev.chargehand.server.ServerAnswers;
import dev.chargehand.server.internal.route.ReservedNames;
import dev.chargehand.server.internal.wire.AnswerText.Timing;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.RunSummary;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** When the texts of runs are sent. A run keeps it, so that it has the same events when it is read again or continues. */
final class AnswerTimes {

    /** The name of a run's metadata that has it. */
    private static final String KEPT = ReservedNames.START + "answers";

    /** Options with which an answer may be rejected for another one, or be that of a sub-agent. */
    private static final Set<String> MAY_REJECT = Set.of("completion", "onDelegationComplete", "onIterationComplete");

    /** Options with which the text of no step but the last is for clients, or is known when the run is read again. */
    private static final Set<String> MAY_REPLACE = Set.of("outputProcessors", "structuredOutput");

    private final WireRuns runs;
    private final ServerAnswers answers;

    AnswerTimes(WireRuns runs, ServerAnswers answers) {
        this.runs = runs;
        this.answers = answers;
    }

    /** Return that of a run that is to be started. The decisions of a network are never sent. */
    Timing of(Principal principal, Wanted wanted, Consumer<RunOptions.Builder> options) {
        return wanted.network()
                ? Timing.AT_END
                : of(() -> runs.runtime(principal).effectiveOptions(wanted.agent(), options));
    }

    private Timing of(Supplier<RunOptions> options) {
        if (answers == ServerAnswers.LIVE) {
            return Timing.LIVE;
        }
        Set<String> set = options.get().changed().keySet();
        if (!Collections.disjoint(set, MAY_REPLACE)) {
            return Timing.AT_END;
        }
        boolean isHeld = answers == ServerAnswers.FINAL || !Collections.disjoint(set, MAY_REJECT);
        return isHeld ? Timing.BY_STEP : Timing.LIVE;
    }

    /** Return what a run keeps of it. */
    static Consumer<RunOptions.Builder> keeping(Timing timing) {
        return options -> options.metadata(KEPT, timing.name());
    }

    /**
     * Return that of a run that a request has started or continues.
     *
     * @param started the run, if the request starts one; an earlier request may have started it
     * @param ofRequest what the request would have, which holds for a new run and for one that has kept nothing
     */
    Timing executed(Principal principal, Optional<RunHandle> started, RunId root, Timing ofRequest) {
        if (started.filter(run -> !run.isRepeated()).isPresent()) {
            return ofRequest;
        }
        try {
            return kept(runs.runtime(principal).metadata(root)).orElse(ofRequest);
        } catch (StoreException e) {
            return ofRequest; // it has ended just now, and the store forgets runs
        }
    }

    /** Return that of a run that is read again: what it has kept, or else that of its agent. */
    Timing again(Principal principal, RunRecord run, Map<String, String> metadata) {
        return kept(metadata).orElseGet(() -> {
            boolean network = run.summary()
                    .map(RunSummary::kind)
                    .filter("network"::equals)
                    .isPresent();
            return network
                    ? Timing.AT_END
                    : runs.find(principal, run.agentId())
                            .map(agent -> of(agent::defaultOptions))
                            .orElse(Timing.LIVE);
        });
    }

    private static Optional<Timing> kept(Map<String, String> metadata) {
        return Optional.ofNullable(metadata.get(KEPT)).map(Timing::valueOf);
    }
}
