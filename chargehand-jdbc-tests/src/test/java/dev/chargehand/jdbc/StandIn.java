package dev.chargehand.jdbc;

/**
 * A stand-in for the extension pgvector, which the server of the tests does not have: a row in the list of extensions, and the type, the
 * conversion and the operator that the store uses, in SQL. It shows that the store's statements do what they should; that they do so with the
 * extension itself is for {@code verify/pgvector} to show.
 */
final class StandIn {

    private StandIn() {}

    /** Install it in a schema, which is made if it is missing, as a superuser would. */
    static void install(Postgres database, String schema) {
        database.execute("""
                CREATE SCHEMA IF NOT EXISTS %1$s;
                CREATE DOMAIN %1$s.vector AS real[];
                CREATE FUNCTION %1$s.negative_product(a real[], b real[]) RETURNS float8 LANGUAGE plpgsql IMMUTABLE AS $$
                DECLARE
                    sum float8 := 0;
                BEGIN
                    IF cardinality(a) <> cardinality(b) THEN
                        RAISE EXCEPTION 'different vector dimensions' USING ERRCODE = '22000';
                    END IF;
                    FOR i IN 1 .. cardinality(a) LOOP
                        sum := sum - a[i]::float8 * b[i];
                    END LOOP;
                    RETURN sum;
                END $$;
                CREATE OPERATOR %1$s.<#> (LEFTARG = real[], RIGHTARG = real[], FUNCTION = %1$s.negative_product);
                SET allow_system_table_mods = on;
                INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
                VALUES (4000000000, 'vector', 10, to_regnamespace('%1$s'), true, 'stand-in')""".formatted(schema));
    }

    /** Remove it with all that depends on it, as {@code DROP EXTENSION vector CASCADE} does. */
    static void drop(Postgres database, String schema) {
        database.execute("""
                SET allow_system_table_mods = on;
                DELETE FROM pg_extension WHERE extname = 'vector';
                DROP OPERATOR %1$s.<#> (real[], real[]) CASCADE;
                DROP DOMAIN %1$s.vector CASCADE""".formatted(schema));
    }
}
