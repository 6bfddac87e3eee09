package dev.chargehand.verify;

import picocli.CommandLine.Option;

/** The option of a harness that runs on a store. */
public final class StoreOption {

    @Option(names = "--store", description = "memory, sqlite or postgres; memory by default.")
    private StoreKind kind = StoreKind.MEMORY;

    /** Makes the option as it is when it is not given. */
    public StoreOption() {}

    /** Makes the option of a sample. */
    public StoreOption(StoreKind kind) {
        this.kind = kind;
    }

    /** Opens an empty store of the kind that was asked for. */
    public OpenStore open() {
        return kind.open();
    }
}
