package dev.chargehand.tests;

import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import java.util.concurrent.CountDownLatch;

/** Scripts in short, and those that many tests play. */
public final class Scripts {

    private Scripts() {}

    /** Starts a script with the turns of an agent. */
    public static Script on(String agentId, Turn... turns) {
        return of(Turns.of(agentId, turns));
    }

    /** Returns the script of several agents. */
    public static Script of(Turns... agents) {
        Script script = ScriptedModel.script();
        for (Turns agent : agents) {
            script = agent.writtenTo(script);
        }
        return script;
    }

    /** The supervisor asks researcher for P, hears Fact, and says Done. */
    static Script oneDelegation() {
        return of(
                Turns.of("supervisor", Turn.delegates("researcher", "P"), Turn.says("Done")),
                Turns.saying("researcher", "Fact"));
    }

    /** Researcher and writer are asked in one step; the writer ends last. */
    static Script researcherFirst() {
        CountDownLatch found = new CountDownLatch(1);
        return twoDelegations()
                .on("researcher")
                .says("Fact")
                .and()
                .does(found::countDown)
                .on("writer")
                .waitsFor(found)
                .and()
                .says("Draft");
    }

    /** Researcher and writer are asked in one step; what they say is not yet written. */
    static Script twoDelegations() {
        Turn asking = Turn.delegates("researcher", "P1").and(Turn.delegates("writer", "P2"));
        return on("supervisor", Turn.says("I will ask. ").and(asking), Turn.says("Done"));
    }

    /** The one agent says one draft after the other. */
    public static Script drafts(String agentId, String... texts) {
        return of(Turns.saying(agentId, texts));
    }

    /** The one agent calls its tool again and again, and never answers. */
    static Script endless() {
        return on("solo", Turn.answers(Steps.counting()).forever());
    }

    /** In each of two turns the supervisor asks researcher, who says A and then B. */
    static Script twoTurnsThatDelegate() {
        return of(
                Turns.of(
                        "supervisor",
                        Turn.delegates("researcher", "P1"),
                        Turn.says("First"),
                        Turn.delegates("researcher", "P2"),
                        Turn.says("Second")),
                Turns.saying("researcher", "A", "B"));
    }
}
