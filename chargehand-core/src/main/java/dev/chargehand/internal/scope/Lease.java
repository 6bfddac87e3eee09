package dev.chargehand.internal.scope;

/** The right of this process to execute a tree of runs, which lasts only as long as it is renewed. */
@FunctionalInterface
public interface Lease {

    /**
     * Continue only if the tree is still this process's; the store is called only if the lease may have run out, as in
     * a process that was stopped for a while.
     *
     * @throws dev.chargehand.internal.call.RunLeftException if another process has taken it over
     */
    void require();
}
