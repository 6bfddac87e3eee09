package dev.chargehand.verify.stores;

/** Where runs are kept while a harness works on them. */
public enum StoreKind {
    /** In this process. */
    MEMORY,
    /** In a SQLite file. */
    SQLITE,
    /** In a PostgreSQL server that the harness starts. */
    POSTGRES
}
