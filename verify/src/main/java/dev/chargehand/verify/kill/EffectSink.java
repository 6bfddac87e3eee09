package dev.chargehand.verify.kill;

import dev.chargehand.tool.ToolContext;

/** Where tools have their effects. */
interface EffectSink {

    /** Carries out; when it returns, it is done and survives the process. */
    void carryOut(String tool, String slot, ToolContext context);
}
