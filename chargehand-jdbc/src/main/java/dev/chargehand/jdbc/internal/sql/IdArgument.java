package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.error.ConfigurationException;
import java.nio.charset.StandardCharsets;
import java.sql.Types;
import org.jdbi.v3.core.argument.AbstractArgumentFactory;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.config.ConfigRegistry;

/**
 * Binds ids, and rejects an id that UTF-8 cannot encode: the driver would put a question mark there, and two ids, or
 * two owners, would become one.
 */
final class IdArgument extends AbstractArgumentFactory<String> {

    private final Dialect dialect;

    IdArgument(Dialect dialect) {
        super(Types.VARCHAR);
        this.dialect = dialect;
    }

    @Override
    protected Argument build(String id, ConfigRegistry config) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(id)) {
            throw new ConfigurationException("An id of " + id.length()
                    + " characters has a surrogate without its partner, which cannot be stored; give the run, thread,"
                    + " resource, owner or message another id.");
        }
        return dialect.anyText(id);
    }
}
