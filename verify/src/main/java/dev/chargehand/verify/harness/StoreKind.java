package dev.chargehand.verify.harness;

/** The stores that a harness can run on. */
public enum StoreKind {
    /** In memory. */
    MEMORY,
    /** A SQLite file in a temporary folder. */
    SQLITE,
    /** A PostgreSQL server that the harness starts for itself. */
    POSTGRES;

    /** Open an empty store. */
    public OpenStore open() {
        return switch (this) {
            case MEMORY -> OpenStore.inMemory();
            case SQLITE -> OpenStore.sqlite();
            case POSTGRES -> OpenStore.postgres();
        };
    }
}
