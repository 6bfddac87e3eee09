package dev.chargehand.tests;

import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import java.util.concurrent.CountDownLatch;

/** Short scripts that many tests play. */
final class Scripts {

    private Scripts() {}

    /** The supervisor asks researcher for P, hears Fact, and says Done. */
    static Script oneDelegation() {
        return ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "P")
                .then()
                .says("Done")
                .on("researcher")
                .says("Fact");
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
        return ScriptedModel.script()
                .on("supervisor")
                .says("I will ask. ")
                .and()
                .delegates("researcher", "P1")
                .and()
                .delegates("writer", "P2")
                .then()
                .says("Done");
    }

    /** The one agent says one draft after the other. */
    static Script drafts(String agentId, String... texts) {
        Script script = ScriptedModel.script().on(agentId);
        for (int i = 0; i < texts.length; i++) {
            script = i == 0 ? script.says(texts[i]) : script.then().says(texts[i]);
        }
        return script;
    }

    /** The one agent calls its tool again and again, and never answers. */
    static Script endless() {
        return ScriptedModel.script().on("solo").answers(Steps.counting()).forever();
    }

    /** In each of two turns the supervisor asks researcher, who says A and then B. */
    static Script twoTurnsThatDelegate() {
        return ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "P1")
                .then()
                .says("First")
                .then()
                .delegates("researcher", "P2")
                .then()
                .says("Second")
                .on("researcher")
                .says("A")
                .then()
                .says("B");
    }
}
