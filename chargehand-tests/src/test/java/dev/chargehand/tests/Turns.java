package dev.chargehand.tests;

import dev.chargehand.testkit.Script;
import java.util.List;
import java.util.stream.Stream;

/** What the model of one agent answers, turn by turn. */
public record Turns(String agentId, List<Turn> turns) {

    public static Turns of(String agentId, Turn... turns) {
        return new Turns(agentId, List.of(turns));
    }

    /** One text after the other, each in a turn of its own. */
    public static Turns saying(String agentId, String... texts) {
        return new Turns(agentId, Stream.of(texts).map(Turn::says).toList());
    }

    /** Writes these turns behind what the script has. */
    Script writtenTo(Script script) {
        Script written = script.on(agentId);
        for (int i = 0; i < turns.size(); i++) {
            written = turns.get(i).written().apply(i == 0 ? written : written.then());
        }
        return written;
    }
}
