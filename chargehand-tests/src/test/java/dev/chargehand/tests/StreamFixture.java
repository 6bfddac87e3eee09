package dev.chargehand.tests;

import dev.chargehand.Agent;
import dev.chargehand.testkit.Script;

/** Runs whose events are told one by one. */
abstract class StreamFixture {

    static Script supervised() {
        return Scripts.of(
                Turns.of(
                        "supervisor",
                        Turn.of(t -> t.reasons("I should ask. ")
                                .and()
                                .says("Asking. ")
                                .and()
                                .delegates("researcher", "Find")
                                .inPiecesOf(5)),
                        Turn.streams("Do", "ne")),
                Turns.of("researcher", Turn.calls("look", "{}"), Turn.says("Fact")));
    }

    static Agent crew() {
        return Crew.supervisorOf(Crew.member("researcher", Crew.LOOK));
    }
}
