package dev.chargehand.internal.log;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says once in a process that networks are deprecated: when this class is initialised. */
public final class NetworkWarning {

    private static final Logger LOG = LoggerFactory.getLogger("dev.chargehand.Agent");

    static {
        LOG.warn(
                "Agent.network() is deprecated. Use stream() or generate(): a supervisor's model calls sub-agents as"
                        + " tools, several at once, and needs no thread. docs/migrating-from-network.md shows both side by side.");
    }

    private NetworkWarning() {}

    /** Give the warning if it was not given yet. */
    public static void give() {
        // what there is to do is done by the static initialiser
    }
}
