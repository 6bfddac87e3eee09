package dev.chargehand.verify.kill.plan;

/** Where tools and steps have their effects. */
public interface EffectSink {

    /** Carry out; when it returns, it is done and survives the process. */
    void carryOut(Effect effect);
}
