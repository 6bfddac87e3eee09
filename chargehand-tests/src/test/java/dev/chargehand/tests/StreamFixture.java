package dev.chargehand.tests;

import dev.chargehand.Agent;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;

/** Runs whose events are told one by one. */
abstract class StreamFixture {

    static Script supervised() {
        return ScriptedModel.script()
                .on("supervisor")
                .reasons("I should ask. ")
                .and()
                .says("Asking. ")
                .and()
                .delegates("researcher", "Find")
                .inPiecesOf(5)
                .then()
                .streams("Do", "ne")
                .on("researcher")
                .calls("look", "{}")
                .then()
                .says("Fact");
    }

    static Agent crew() {
        return Crew.supervisorOf(Crew.member("researcher", Crew.LOOK));
    }
}
