package dev.chargehand.internal.engine.fork;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.fact.ChildLink;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RoundFact.Planned;
import dev.chargehand.internal.fact.RoundFact.PlannedCall;
import dev.chargehand.internal.fact.RoundFact.StepEffects;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.run.RunId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A round with a call whose nested run is forked. Of its other calls those that have succeeded are over in the fork too; the rest is
 * executed again.
 *
 * @param before the rounds before it
 * @param at the calls at the place
 * @param facts its own facts
 */
record OpenedRound(CopiedRounds before, List<PlannedCall> at, List<Fact> facts) {

    static boolean isAt(PlannedCall call, ForkPlace.Part place) {
        return place.item() == null
                ? call.step().equals(place.id()) || call.path().startsWith(place.id() + "[")
                : call.path().equals(place.id() + "[" + place.item() + "]");
    }

    /**
     * Return the call whose nested run is forked.
     *
     * @throws ConfigurationException if there are several, for the items of a foreach
     */
    PlannedCall call() {
        if (at.size() > 1) {
            throw new ConfigurationException("A fork continues in one nested run, but run "
                    + before.started().rootRunId() + " has several there: "
                    + at.stream().limit(5).map(PlannedCall::path).collect(Collectors.joining(", "))
                    + (at.size() > 5 ? ", …" : "") + ". Name one of them.");
        }
        return at.getFirst();
    }

    /**
     * Return the intent of that call, with the nested run of its last attempt.
     *
     * @throws ConfigurationException if it has none
     */
    Fact.CallOpened intent() {
        String callId = call().callId();
        return facts.stream()
                .filter(Fact.CallOpened.class::isInstance)
                .map(Fact.CallOpened.class::cast)
                .filter(opened -> opened.callId().equals(callId) && opened.child() != null)
                .reduce((first, second) -> second)
                .orElseThrow(() -> new ConfigurationException("Step '" + call().path() + "' of run "
                        + before.started().rootRunId()
                        + " has no nested run, so that nothing of it can be copied. Fork before '"
                        + call().step() + "'."));
    }

    /**
     * Return its facts in the fork.
     *
     * @param child the fork of the nested run
     * @param withChanges whether changes of the shared state are copied
     */
    List<Fact> copied(RunId child, boolean withChanges, Instant at) {
        String callId = call().callId();
        Map<String, Fact.CallOpened> intents = new HashMap<>();
        List<Fact> copied = new ArrayList<>();
        for (Fact fact : facts) {
            switch (fact) {
                case Planned planned ->
                    copied.add(new Planned(
                            planned.round(),
                            planned.entry(),
                            planned.iteration(),
                            planned.calls(),
                            planned.skipped(),
                            planned.input(),
                            kept(callId),
                            at));
                case Fact.CallOpened opened -> intents.put(opened.callId(), opened);
                case Fact.CallClosed closed -> {
                    Fact.CallOpened intent = intents.get(closed.callId());
                    if (isKept(closed, callId) && intent != null) {
                        copied.add(opened(intent, intent.child(), at));
                    }
                    if (isKept(closed, callId)) {
                        copied.add(uncharged(closed, withChanges, at));
                    }
                }
                default -> {}
            }
        }
        ChildLink link = Objects.requireNonNull(intent().child());
        copied.add(opened(
                intent(),
                new ChildLink(
                        child,
                        link.agentId(),
                        link.agentName(),
                        link.version(),
                        link.prompt(),
                        link.instructions(),
                        link.maxSteps(),
                        link.requestContext(),
                        link.forwarded()),
                at));
        return copied;
    }

    /** Return how many calls are over in the fork. */
    private int kept(String callId) {
        return (int) facts.stream()
                .filter(fact -> fact instanceof Fact.CallClosed closed && isKept(closed, callId))
                .count();
    }

    private static boolean isKept(Fact.CallClosed closed, String callId) {
        return !closed.callId().equals(callId) && !closed.hasFailed() && !closed.hasBailed();
    }

    private static Fact.CallOpened opened(Fact.CallOpened intent, @Nullable ChildLink child, Instant at) {
        return new Fact.CallOpened(intent.callId(), intent.kind(), intent.digest(), child, at);
    }

    /** What the call used is on the account of the source run. */
    private static Fact.CallClosed uncharged(Fact.CallClosed closed, boolean withChanges, Instant at) {
        StepEffects effects = closed.effects();
        return new Fact.CallClosed(
                closed.callId(),
                closed.output(),
                closed.view(),
                null,
                null,
                null,
                null,
                null,
                effects == null || !withChanges ? null : StepEffects.of(effects.patch(), Spending.NOTHING),
                at);
    }
}
