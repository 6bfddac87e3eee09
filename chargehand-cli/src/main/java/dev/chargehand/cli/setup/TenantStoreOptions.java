package dev.chargehand.cli.setup;

import dev.chargehand.AgentRuntime;
import dev.chargehand.TenantRuntime;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import picocli.CommandLine.Mixin;

/** Where the runs of a tenant are that a command is about: the options of every command over the runs of one. */
public final class TenantStoreOptions extends StoreOptions {

    @Mixin
    private TenantOption tenant = new TenantOption();

    /** Return the methods of a runtime for the tenant. */
    public TenantRuntime of(AgentRuntime runtime) {
        return tenant.of(runtime);
    }

    /** Return what belongs to the tenant in a store. */
    public Store of(Store store) {
        return tenant.of(store);
    }

    @Override
    public Hints hints() {
        return tenant.in(super.hints());
    }

    @Override
    public RunRecord find(Store from, String id) {
        return super.find(of(from), id);
    }
}
