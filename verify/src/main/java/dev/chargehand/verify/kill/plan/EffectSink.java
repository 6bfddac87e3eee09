package dev.chargehand.verify.kill.plan;

import dev.chargehand.tool.ToolContext;

/** Where tools have their effects. */
public interface EffectSink {

    /** Carry out; when it returns, it is done and survives the process. */
    void carryOut(String tool, String slot, ToolContext context);
}
