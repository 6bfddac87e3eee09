package dev.chargehand.tests;

import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.tests.Both.Ran;
import dev.chargehand.tool.Tool;

/** Calls a tool once and shows what its model received. */
abstract class ToolsFixture {

    static Ran call(Tool tool, String arguments) {
        return Both.ways(() -> ScriptedModel.script()
                        .on("solo")
                        .callsRaw(tool.name(), arguments)
                        .then()
                        .says("Done"))
                .agent(Crew.solo(tool))
                .run();
    }

    static String shown(Ran ran) {
        return ran.request("solo", 2).getLast();
    }
}
