package dev.chargehand.internal.loop;

/** The right of this process to execute a tree of runs, which lasts only as long as it is renewed. */
@FunctionalInterface
public interface Lease {

    /**
     * Continues only if the tree is still this process's; the store is asked only if the lease may have run out, as in a
     * process that was stopped for a while.
     *
     * @throws dev.chargehand.internal.limit.RunLeft if another process has taken it over
     */
    void require();
}
