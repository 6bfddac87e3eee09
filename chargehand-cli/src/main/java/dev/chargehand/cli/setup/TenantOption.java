package dev.chargehand.cli.setup;

import dev.chargehand.AgentRuntime;
import dev.chargehand.TenantRuntime;
import dev.chargehand.store.Store;
import picocli.CommandLine.Option;

/** For which tenant a command acts. */
public final class TenantOption {

    @Option(
            names = "--tenant",
            paramLabel = "ID",
            description = "The tenant whose runs and conversations these are. Default: local.")
    private String tenant = Store.LOCAL;

    /** Return the methods of a runtime for the tenant. */
    public TenantRuntime of(AgentRuntime runtime) {
        return runtime.forTenant(tenant);
    }

    /** Return what belongs to the tenant. */
    public Store of(Store store) {
        return store.forTenant(tenant);
    }

    /** Return hints that repeat the option. */
    public Hints in(Hints hints) {
        return tenant.equals(Store.LOCAL) ? hints : hints.plus("--tenant", tenant);
    }
}
