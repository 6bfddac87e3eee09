package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.error.ModelException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.model.FinishReason;
import dev.chargehand.run.Usage;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.tests.Both.Ran;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whatever models do, generate and stream are equal, requests are well formed, and the books balance. */
class RandomRunsTest {

    private static final int RUNS = 250;

    private static final List<FinishReason> FINISHES = List.of(FinishReason.values());

    private static final Agent LEAF = Crew.member("leaf", Crew.OK, Crew.LOOK);
    private static final Agent MIDDLE =
            Crew.member("middle", agent -> agent.agents(LEAF).tools(Crew.CALC));
    private static final Agent TOP =
            Crew.member("top", agent -> agent.agents(MIDDLE).tools(Crew.OK, Crew.LOOK, Crew.BOOM));

    private static Script script(long seed) {
        Random random = new Random(seed);
        Script script = ScriptedModel.script();
        turns(script.on("top"), random, new String[] {"ok", "look", "boom", "calc", "agent-middle"});
        turns(script.on("middle"), random, new String[] {"calc", "agent-leaf", "nothing"});
        turns(script.on("leaf"), random, new String[] {"ok", "look"});
        return script;
    }

    /** Forty turns, more than any run can play: what is left over does not matter. */
    private static void turns(Script script, Random random, String[] tools) {
        for (int turn = 0; turn < 40; turn++) {
            if (random.nextInt(4) == 0) {
                script.reasons("Hm " + turn).and();
            }
            script.streams("a" + turn, "b");
            // one delegation and one failure at a time, so that the order of turns and error ids is known
            int calls = random.nextInt(3);
            Set<String> once = new HashSet<>();
            for (int call = 0; call < calls; call++) {
                String tool = tools[random.nextInt(tools.length)];
                if ((tool.startsWith("agent-") || tool.equals("boom")) && !once.add(tool)) {
                    continue;
                }
                script.and().callsRaw(tool, arguments(tool, random));
                if (random.nextBoolean()) {
                    script.inPiecesOf(1 + random.nextInt(9));
                }
                if (random.nextInt(5) == 0) {
                    script.withCallId(random.nextBoolean() ? "dup" : null);
                }
            }
            script.uses(random.nextInt(100), random.nextInt(100));
            if (random.nextInt(25) == 0) {
                script.finishes(FINISHES.get(random.nextInt(FINISHES.size())));
            }
            if (random.nextInt(30) == 0) {
                script.and().failsWith(new ModelException(ModelException.Kind.PROTOCOL, "Broken.", null));
            }
            if (random.nextInt(6) == 0) {
                script.withoutDeltas();
            }
            script.then();
        }
        script.says("End");
    }

    private static String arguments(String tool, Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> "{broken";
            case 1 -> "{}";
            default ->
                tool.startsWith("agent-")
                        ? "{\"prompt\":\"P" + random.nextInt(100) + "\"}"
                        : "{\"a\":1,\"b\":" + random.nextInt(9) + ",\"n\":" + random.nextInt(9) + ",\"q\":\"x\"}";
        };
    }

    @Test
    void holdsForAnyScript() {
        for (long seed = 1; seed <= RUNS; seed++) {
            long s = seed;
            Ran ran;
            try {
                ran = Both.run(TOP, () -> script(s));
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
            Usage told = ran.events().stream()
                    .filter(RunEvent.UsageReport.class::isInstance)
                    .map(event -> ((RunEvent.UsageReport) event).usage())
                    .reduce(Usage.NONE, Usage::plus);
            assertThat(ran.result().totalUsage()).as("seed %s", seed).isEqualTo(told);
        }
    }
}
