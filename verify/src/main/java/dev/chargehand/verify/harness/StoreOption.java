package dev.chargehand.verify.harness;

import picocli.CommandLine.Option;

/** The option of a harness that runs on a store. */
public final class StoreOption {

    @Option(names = "--store", description = "memory, sqlite or postgres; memory by default.")
    private StoreKind kind = StoreKind.MEMORY;

    /** Make the option as it is when it is not given. */
    public StoreOption() {}

    /** Make the option of a sample. */
    public StoreOption(StoreKind kind) {
        this.kind = kind;
    }

    /** Return whether runs are kept in memory, where those that have ended must go. */
    public boolean isInMemory() {
        return kind == StoreKind.MEMORY;
    }

    /** Open an empty store of the kind that was called for. */
    public OpenStore open() {
        return kind.open();
    }
}
