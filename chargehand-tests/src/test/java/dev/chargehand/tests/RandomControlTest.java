package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.completion.ScorerContext;
import dev.chargehand.error.ModelException;
import dev.chargehand.hook.DelegationCompleteContext;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.DelegationStartContext;
import dev.chargehand.hook.DelegationVerdict;
import dev.chargehand.hook.IterationContext;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.message.Message;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.BailStrategy;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunInfo;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Whatever hooks, bails and scorers decide on whatever level, generate and stream are equal, and the books balance. */
class RandomControlTest {

    private static final int RUNS = 200;
    private static final int SIDE_BY_SIDE = 4;
    private static final List<FinishReason> FINISHES = List.of(FinishReason.values());

    /**
     * Decides at random, and the same for generate and stream: by what is asked, not by when.
     *
     * @param delegations how many delegations one answer makes at most; with more than one, who is faster may matter
     */
    private record Chance(long seed, int delegations) {

        int of(int sides, Object... asked) {
            return new Random(31 * seed + List.of(asked).hashCode()).nextInt(sides);
        }

        int inRun(int sides, String hook, RunInfo run, int step, Object... more) {
            return of(sides, hook, run.path().toString(), step, List.of(more));
        }

        private void breakAt(int side, int rolled) {
            if (rolled == side) {
                throw new IllegalStateException("bad hook");
            }
        }

        DelegationDecision starts(DelegationStartContext d) {
            int rolled = inRun(8, "starts", d.run(), d.step(), d.prompt());
            breakAt(0, rolled);
            DelegationDecision.Proceed proceed = DelegationDecision.proceed();
            return switch (rolled) {
                case 1 -> DelegationDecision.reject("no");
                case 2 -> proceed.withPrompt("Other " + d.prompt());
                case 3 -> proceed.withMaxSteps(1).withInstructions("Be brief.");
                default -> proceed;
            };
        }

        DelegationVerdict completes(DelegationCompleteContext d) {
            int rolled = inRun(10, "completes", d.run(), d.step(), d.prompt());
            breakAt(0, rolled);
            return switch (rolled) {
                case 1 -> d.bail();
                case 2 -> d.bail().withText("Instead");
                case 3 -> d.accept().withFeedback("Mind it.");
                case 4 -> d.accept().withText("Instead");
                default -> d.accept();
            };
        }

        IterationDecision decides(IterationContext it) {
            int rolled = inRun(12, "decides", it.run(), it.iteration(), it.text());
            breakAt(0, rolled);
            return switch (rolled) {
                case 1 -> IterationDecision.stop();
                case 2 -> IterationDecision.stopWith("Once more.");
                case 3, 4 -> IterationDecision.proceedWith("More.");
                default -> IterationDecision.proceed();
            };
        }

        Score scores(ScorerContext c) {
            int rolled = inRun(6, "scores", c.run(), c.step(), c.text());
            breakAt(0, rolled);
            if (rolled < 3) {
                c.ask(ModelChoice.of("scripted/judge"), List.of(Message.user("Is it good?")));
            }
            return rolled == 1 || rolled == 5 ? Score.pass() : Score.fail("Not yet.");
        }
    }

    private static void options(RunOptions.Builder o, Chance chance, String agent) {
        o.bailStrategy(chance.of(2, agent, "strategy") == 0 ? BailStrategy.FIRST : BailStrategy.LAST)
                .cancelSiblings(chance.delegations() > 1 && chance.of(2, agent, "cancel") == 0);
        if (chance.of(3, agent, "has guard") == 0) {
            o.beforeToolCall(c -> chance.inRun(8, "guard", c.run(), c.step(), c.toolName()) == 0
                    ? ToolCallDecision.deny("no")
                    : ToolCallDecision.allow());
        }
        if (chance.of(2, agent, "has start") == 0) {
            o.onDelegationStart(chance::starts);
        }
        if (chance.of(2, agent, "has complete") == 0) {
            o.onDelegationComplete(chance::completes);
        }
        if (chance.of(3, agent, "has filter") == 0) {
            o.messageFilter(m -> {
                chance.breakAt(0, chance.inRun(8, "filter", m.run(), m.step()));
                return m.messages().subList(0, m.messages().size() / 2);
            });
        }
        if (chance.of(2, agent, "has iteration") == 0) {
            o.onIterationComplete(chance::decides);
        }
        if (chance.of(2, agent, "has scorers") == 0) {
            Completion completion = Completion.of(
                            chance.of(2, agent, "any") == 0 ? Completion.Strategy.ANY : Completion.Strategy.ALL,
                            List.of(
                                    Scorer.of("judged", chance::scores),
                                    Scorer.of(
                                            "plain",
                                            context -> Score.of(
                                                    chance.inRun(3, "plain", context.run(), context.step()) / 2.0,
                                                    "so"))))
                    .continueOnFail(chance.of(4, agent, "continue") > 0)
                    .feedbackToLLM(chance.of(4, agent, "tell") > 0);
            completion = chance.of(2, agent, "sequence") == 0 ? completion.inSequence() : completion;
            o.completion(chance.of(4, agent, "every") == 0 ? completion.everyStep() : completion);
        }
        if (chance.of(3, agent, "has predicate") == 0) {
            o.stopWhen(step -> {
                int rolled = chance.inRun(12, "stops", step.run(), step.step());
                chance.breakAt(0, rolled);
                return rolled == 1;
            });
        }
        if (chance.of(4, agent, "limited") == 0) {
            o.limit(Limit.MODEL_CALLS, 1 + chance.of(12, agent, "calls"));
        } else if (chance.of(4, agent, "budgeted") == 0) {
            o.budget(b -> b.tokens(1 + chance.of(900, agent, "tokens")));
        }
    }

    private static Agent tree(Chance chance) {
        Agent leaf = agent("leaf", chance);
        Agent middle = agent("middle", chance, leaf);
        return agent("top", chance, middle, leaf);
    }

    private static Agent agent(String id, Chance chance, Agent... below) {
        return Crew.member(id, agent -> agent.agents(below).tools(Crew.OK).defaultOptions(o -> options(o, chance, id)));
    }

    /**
     * More turns than any run can play. They delegate even where nothing is offered.
     *
     * @param atOnce how many delegations one answer makes at most; with one, the order of turns is known
     */
    private static Script script(long seed, int atOnce) {
        Random random = new Random(seed);
        Script script = ScriptedModel.script();
        turns(script.on("top"), random, atOnce, "middle", "leaf");
        turns(script.on("middle"), random, atOnce, "leaf");
        turns(script.on("leaf"), random, atOnce);
        return script.on("judge").says("Hm").uses(3, 1).forever();
    }

    private static void turns(Script script, Random random, int atOnce, String... below) {
        for (int turn = 0; turn < 40; turn++) {
            script.says("T" + turn);
            if (random.nextInt(3) == 0) {
                script.and().calls("ok", "{\"n\":" + random.nextInt(3) + "}");
            }
            int delegations = below.length == 0 ? 0 : random.nextInt(atOnce + 1);
            for (int i = 0; i < delegations; i++) {
                String tool = "agent-" + below[random.nextInt(below.length)];
                script.and().calls(tool, "{\"prompt\":\"P" + random.nextInt(100) + "\"}");
            }
            script.uses(random.nextInt(60), random.nextInt(20));
            if (random.nextInt(25) == 0) {
                script.finishes(FINISHES.get(random.nextInt(FINISHES.size())));
            }
            if (random.nextInt(30) == 0) {
                script.and().failsWith(new ModelException(ModelException.Kind.PROTOCOL, "Broken.", null));
            }
            script.then();
        }
        script.says("End").forever();
    }

    @Test
    void generateAndStreamAreEqualWhateverIsDecided() {
        Set<String> stops = new TreeSet<>();
        for (long seed = 1; seed <= RUNS; seed++) {
            long s = seed;
            try {
                Ran ran = Both.run(tree(new Chance(s, 1)), () -> script(s, 1));
                Books.balance(ran.result(), ran.events());
                stops.add(ran.result().stopReason().code());
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
        assertThat(stops)
                .as("how runs ended, so that this test does not look at one kind only")
                .contains(
                        "finished",
                        "task-complete",
                        "task-incomplete",
                        "bailed",
                        "stopped-by-hook",
                        "stop-condition-met",
                        "max-steps-reached",
                        "budget-exhausted",
                        "limit-reached",
                        "answer-incomplete",
                        "failed");
    }

    @Test
    void theBooksBalanceWhoeverIsFaster() {
        for (long seed = 1; seed <= RUNS; seed++) {
            try {
                sideBySide(seed, seed % 2 == 0);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private static void sideBySide(long seed, boolean streamed) {
        Script script = script(seed, SIDE_BY_SIDE);
        try (TestRuntime test = TestRuntime.with(script)) {
            RunResult result;
            try {
                result = Crew.play(test.bind(tree(new Chance(seed, SIDE_BY_SIDE))), streamed, o -> {});
            } catch (RunFailedException e) {
                result = e.result();
            }
            Books.balance(result, test.events());
            script.requests().forEach(Wire::assertWellFormed);
            assertThat(test.store().list(RunFilter.ROOTS.tree(result.runId()).limit(1000)))
                    .allSatisfy(run -> assertThat(run.status().isEnded()).isTrue());
            Waiting.until(
                    "no call is left behind",
                    () -> test.runtime().abandonedCalls().isEmpty());
        }
    }
}
