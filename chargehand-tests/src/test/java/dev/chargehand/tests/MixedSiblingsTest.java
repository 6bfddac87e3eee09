package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.error.ModelException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.message.Message;
import dev.chargehand.run.BailStrategy;
import dev.chargehand.run.StopReason;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Delegations side by side, in every mix of success, failure, rejection and bail: one wins, and all are accounted for. Of the
 * mixes of four it plays every third, and all with {@code -Dchargehand.everyCombination=true}.
 */
class MixedSiblingsTest {

    private static final List<String> NAMES = List.of("ann", "ben", "cat", "dan");
    private static final boolean EVERY = Boolean.getBoolean("chargehand.everyCombination");

    private enum Fate {
        SUCCEEDS,
        FAILS,
        IS_REJECTED,
        BAILS
    }

    private record Mix(List<Fate> fates, BailStrategy strategy, boolean cancelSiblings, int concurrency) {

        private Fate of(String name) {
            return fates.get(NAMES.indexOf(name));
        }

        private List<String> with(Fate fate) {
            return NAMES.subList(0, fates.size()).stream()
                    .filter(name -> of(name) == fate)
                    .toList();
        }
    }

    private static Agent boss(int crew) {
        Agent[] agents =
                NAMES.subList(0, crew).stream().map(name -> Crew.agent(name)).toArray(Agent[]::new);
        return Agent.builder("boss").model("none/none").agents(agents).build();
    }

    private static Script script(Mix mix) {
        Script script = Scripts.on("boss").says("I ask.");
        for (int i = 0; i < mix.fates().size(); i++) {
            script.and().delegates(NAMES.get(i), "P");
        }
        script.then().says("Done");
        for (int i = 0; i < mix.fates().size(); i++) {
            script.on(NAMES.get(i));
            if (mix.fates().get(i) == Fate.FAILS) {
                script.failsWith(new ModelException(ModelException.Kind.PROTOCOL, "No.", null));
            } else {
                script.says("Text of " + NAMES.get(i)).uses(i + 1, 10L * i);
            }
        }
        return script;
    }

    private static RunOptions.Builder options(RunOptions.Builder o, Mix mix, List<String> completed) {
        return o.bailStrategy(mix.strategy())
                .cancelSiblings(mix.cancelSiblings())
                .toolCallConcurrency(mix.concurrency())
                .onDelegationStart(d -> mix.of(d.agentId()) == Fate.IS_REJECTED
                        ? DelegationDecision.reject("not " + d.agentId())
                        : DelegationDecision.proceed())
                .onDelegationComplete(d ->
                        Steps.noted(completed, d.agentId(), mix.of(d.agentId()) == Fate.BAILS ? d.bail() : d.accept()));
    }

    @Test
    void ofThreeOneWins() {
        check(mixes(3, 10), false);
    }

    @Test
    void ofThreeOneAfterTheOtherOneWins() {
        check(mixes(3, 1), true);
    }

    @Test
    void ofFourTwoAtATimeOneWins() {
        check(mixes(4, 2), false);
    }

    @Test
    void ofFourOneWins() {
        check(mixes(4, 10), true);
    }

    private static List<Mix> mixes(int crew, int concurrency) {
        List<Mix> mixes = new ArrayList<>();
        int all = (int) Math.pow(Fate.values().length, crew);
        int step = crew > 3 && !EVERY ? 3 : 1;
        for (int code = 0; code < all; code += step) {
            List<Fate> fates = new ArrayList<>();
            for (int rest = code, i = 0; i < crew; i++, rest /= Fate.values().length) {
                fates.add(Fate.values()[rest % Fate.values().length]);
            }
            for (BailStrategy strategy : BailStrategy.values()) {
                mixes.add(new Mix(fates, strategy, false, concurrency));
                mixes.add(new Mix(fates, strategy, true, concurrency));
            }
        }
        return mixes;
    }

    private static void check(List<Mix> mixes, boolean streamed) {
        List<String> wrong = mixes.stream().flatMap(mix -> wrong(mix, streamed)).toList();
        assertThat(wrong.subList(0, Math.min(10, wrong.size())))
                .as("%s of %s mixes, the first of them", wrong.size(), mixes.size())
                .isEmpty();
    }

    private static Stream<String> wrong(Mix mix, boolean streamed) {
        try {
            Script script = script(mix);
            List<String> completed = Collections.synchronizedList(new ArrayList<>());
            try (TestRuntime test = TestRuntime.with(script)) {
                RunResult result =
                        Crew.play(test.bind(boss(mix.fates().size())), streamed, o -> options(o, mix, completed)
                                .thread("t"));
                List<RunEvent> events = test.events();
                Books.balance(result, events);
                List<Message> kept = test.thread("t", null);
                Books.assertPaired(kept);
                assertThat(kept.getLast().text()).isEqualTo(result.text());
                assertThat(completed).doesNotHaveDuplicates().noneMatch(mix.with(Fate.IS_REJECTED)::contains);
                assertOutcome(mix, result, events, script);
            }
            return Stream.empty();
        } catch (AssertionError | RuntimeException e) {
            return Stream.of(mix + ": " + e.getMessage());
        }
    }

    private static void assertOutcome(Mix mix, RunResult result, List<RunEvent> events, Script script) {
        List<String> bailing = mix.with(Fate.BAILS);
        List<RunEvent.DelegationBail> bails = of(events, RunEvent.DelegationBail.class);
        assertThat(of(events, RunEvent.DelegationRejected.class).stream().map(RunEvent.DelegationRejected::agentId))
                .containsExactlyElementsOf(mix.with(Fate.IS_REJECTED));
        assertThat(result.toolResults()).hasSize(mix.fates().size());
        if (bailing.isEmpty()) {
            assertThat(result.stopReason()).isEqualTo(new StopReason.Finished());
            assertThat(result.text()).isEqualTo("Done");
            assertThat(bails).isEmpty();
            assertThat(script.requestsOf("boss")).hasSize(2);
            assertThat(result.toolResults().stream()
                            .filter(outcome -> outcome.error().isPresent()))
                    .hasSize(mix.with(Fate.FAILS).size()
                            + mix.with(Fate.IS_REJECTED).size());
            return;
        }
        assertThat(script.requestsOf("boss")).hasSize(1);
        StopReason.Bailed bailed = (StopReason.Bailed) result.stopReason();
        assertThat(bailing).contains(bailed.agentId());
        assertThat(result.text()).isEqualTo("Text of " + bailed.agentId());
        assertThat(bailed.failure()).isNull();
        assertThat(bails).hasSize(1);
        assertThat(bails.getFirst().callId()).isEqualTo(bailed.callId());
        assertThat(bails.getFirst().text()).isEqualTo(result.text());
        assertThat(result.toolResults())
                .filteredOn(outcome -> outcome.callId().equals(bailed.callId()))
                .singleElement()
                .satisfies(outcome -> assertThat(outcome.toolName()).isEqualTo("agent-" + bailed.agentId()));
    }

    private static <E> List<E> of(List<RunEvent> events, Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    @Test
    void theFirstOrTheLastByTimeWinsInWhateverOrderTheyEnd() {
        for (List<Integer> order : List.of(
                List.of(0, 1, 2),
                List.of(0, 2, 1),
                List.of(1, 0, 2),
                List.of(1, 2, 0),
                List.of(2, 0, 1),
                List.of(2, 1, 0))) {
            assertThat(winner(order, BailStrategy.FIRST)).isEqualTo(NAMES.get(order.getFirst()));
            assertThat(winner(order, BailStrategy.LAST)).isEqualTo(NAMES.get(order.getLast()));
        }
    }

    /** Lets three delegations end one after the other, each when the one before it is on record. */
    private static String winner(List<Integer> order, BailStrategy strategy) {
        List<CountDownLatch> turns =
                Stream.generate(() -> new CountDownLatch(1)).limit(4).toList();
        Script script = Scripts.on("boss").says("I ask.");
        IntStream.range(0, 3).forEach(i -> script.and().delegates(NAMES.get(i), "P"));
        for (int place = 0; place < 3; place++) {
            script.on(NAMES.get(order.get(place)))
                    .waitsFor(turns.get(place))
                    .and()
                    .says("T" + order.get(place));
        }
        int over = 0;
        try (TestRuntime test = TestRuntime.builder(script).unrecorded().build();
                RunStream run = test.bind(boss(3)).stream(
                        "Go", o -> o.bailStrategy(strategy).onDelegationComplete(d -> d.bail()))) {
            turns.getFirst().countDown();
            for (RunEvent event : run) {
                if (event instanceof RunEvent.ToolResult) {
                    turns.get(++over).countDown();
                }
            }
            return ((StopReason.Bailed) run.result().stopReason()).agentId();
        }
    }
}
