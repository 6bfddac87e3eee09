package dev.chargehand.tests;

import dev.chargehand.tests.Both.Ran;
import dev.chargehand.tool.Tool;

/** Calls a tool once and shows what its model received. */
abstract class ToolsFixture {

    static Ran call(Tool tool, String arguments) {
        return Both.run(Crew.solo(tool), Turn.callsRaw(tool.name(), arguments), Turn.says("Done"));
    }

    static String shown(Tool tool, String arguments) {
        return shown(call(tool, arguments));
    }

    static String shown(Ran ran) {
        return ran.request("solo", 2).getLast();
    }
}
