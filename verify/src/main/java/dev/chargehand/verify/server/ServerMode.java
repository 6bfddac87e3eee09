package dev.chargehand.verify.server;

/** What the harness does to its servers. */
public enum ServerMode {
    /** Streams are cut, and servers are killed and replaced. */
    CUTS,
    /** Servers are killed while they accept starts. */
    ACCEPT,
    /** A server is terminated while its runs have calls in flight, and another one finishes them. */
    DRAIN,
    /** Runs of a tenant do not end, and those of another one have to. */
    NEIGHBOUR,
    /** One of the readers of a run stops reading. */
    STALLED,
    /** Runs are started and read for some minutes. */
    LOAD
}
