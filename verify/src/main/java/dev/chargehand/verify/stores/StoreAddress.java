package dev.chargehand.verify.stores;

import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.jdbc.PostgresOptions;
import dev.chargehand.store.Store;
import java.nio.file.Path;

/**
 * A store that any process on this machine can open.
 *
 * @param address {@code sqlite:} and a file, or {@code postgres:} and a URL
 */
public record StoreAddress(String address) implements StorePlace {

    private static final String SQLITE = "sqlite:";
    private static final String POSTGRES = "postgres:";
    private static final int CONNECTIONS = 4;

    /** Name a SQLite file. */
    static StoreAddress sqlite(Path file) {
        return new StoreAddress(SQLITE + file.toAbsolutePath());
    }

    /** Name a PostgreSQL database. */
    static StoreAddress postgres(String url) {
        return new StoreAddress(POSTGRES + url);
    }

    @Override
    public Store open() {
        if (address.startsWith(SQLITE)) {
            return JdbcStore.sqlite(Path.of(address.substring(SQLITE.length())));
        }
        if (address.startsWith(POSTGRES)) {
            PostgresOptions options = PostgresOptions.DEFAULT.connections(CONNECTIONS);
            return JdbcStore.postgres(address.substring(POSTGRES.length()), "postgres", "", options);
        }
        throw new IllegalArgumentException("This is not the address of a store: " + address);
    }
}
