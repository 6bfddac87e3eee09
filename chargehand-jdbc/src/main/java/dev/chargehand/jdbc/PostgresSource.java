package dev.chargehand.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.chargehand.error.ConfigurationException;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Where connections to PostgreSQL come from.
 *
 * @param direct makes connections without our settings, for a look at the schema
 * @param migrating the same without limits of time, because a migration takes as long as it takes
 * @param listening makes the connection that listens, if the options want one
 * @param pool hands out connections for calls
 * @param own the pool if it is ours, to be closed; its connections have our settings for good. Null if it is the
 *     application's
 */
record PostgresSource(
        DataSource direct,
        DataSource migrating,
        Optional<DataSource> listening,
        DataSource pool,
        @Nullable HikariDataSource own) {

    /** Use an application's connections. */
    static PostgresSource of(DataSource source, PostgresOptions options) {
        return new PostgresSource(source, source, listening(null, null, options), source, null);
    }

    /** Make a pool, which connects when it is first asked. */
    static PostgresSource of(String url, String user, String password, PostgresOptions options) {
        PGSimpleDataSource direct = direct(url, user, password, options.callLimit());
        PGSimpleDataSource migrating = direct(url, user, password, options.callLimit());
        migrating.setSocketTimeout(0);
        Optional<DataSource> listening =
                listening(user, password, options); // before the pool, which a failure would leave open
        return pooled(direct, migrating, listening, options);
    }

    /** Make a pool of the connections of a source. */
    static PostgresSource pooled(
            DataSource direct, DataSource migrating, Optional<DataSource> listening, PostgresOptions options) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(direct);
        config.setPoolName("chargehand-store");
        config.setMaximumPoolSize(options.connections());
        config.setMinimumIdle(1);
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        config.setConnectionInitSql(options.settings("SESSION"));
        // Half, so that a caller learns that there is no connection, and not only of the time.
        long patience = Math.max(500, options.callLimit().toMillis() / 2);
        config.setConnectionTimeout(patience);
        config.setValidationTimeout(Math.min(5000, patience / 2));
        config.setInitializationFailTimeout(-1);
        HikariDataSource pool = new HikariDataSource(config);
        return new PostgresSource(direct, migrating, listening, pool, pool);
    }

    private static Optional<DataSource> listening(
            @Nullable String user, @Nullable String password, PostgresOptions options) {
        return options.notifications().map(url -> {
            boolean named = url.value().contains("user=");
            return direct(url.value(), named ? null : user, named ? null : password, options.callLimit());
        });
    }

    private static PGSimpleDataSource direct(
            String url, @Nullable String user, @Nullable String password, Duration callLimit) {
        long seconds = Math.clamp(callLimit.toSeconds(), 1, 1_000_000);
        Properties defaults = new Properties();
        defaults.setProperty(PGProperty.APPLICATION_NAME.getName(), "chargehand");
        defaults.setProperty(PGProperty.TCP_KEEP_ALIVE.getName(), "true");
        defaults.setProperty(PGProperty.CONNECT_TIMEOUT.getName(), Long.toString(seconds));
        // For a database that is gone without a word; one that is there ends a statement before.
        defaults.setProperty(PGProperty.SOCKET_TIMEOUT.getName(), Long.toString(seconds + 5));
        // Details of an error repeat the row that was to be written.
        defaults.setProperty(PGProperty.LOG_SERVER_ERROR_DETAIL.getName(), "false");
        // A user and password before the host are not the driver's way: it takes them for a port, and logs that.
        Properties properties = url.split("\\?", 2)[0].contains("@") ? null : Driver.parseURL(url, defaults);
        if (properties == null) {
            throw new ConfigurationException(
                    "A store on PostgreSQL is named by a URL like jdbc:postgresql://host:5432/database, with user and"
                            + " password apart from it; the given one is none.");
        }
        PGSimpleDataSource source = new PGSimpleDataSource();
        for (PGProperty property : PGProperty.values()) {
            String value = property.getOrNull(properties);
            if (value != null) {
                source.setProperty(property, value);
            }
        }
        if (user != null) {
            source.setUser(user);
            source.setPassword(password);
        }
        return source;
    }

    /** Return whether connections lack our settings, so that each transaction must start with them. */
    boolean isForeign() {
        return own == null;
    }

    /** Have no connection used again that is open and not in use now: when one is lost, the others often are too. */
    void distrust() {
        HikariPoolMXBean pooled = own == null ? null : own.getHikariPoolMXBean();
        if (pooled != null) {
            pooled.softEvictConnections();
        }
    }

    void close() {
        if (own != null) {
            own.close();
        }
    }
}
