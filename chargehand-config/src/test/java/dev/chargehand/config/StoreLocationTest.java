package dev.chargehand.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.document.Position;
import dev.chargehand.document.Variables;
import dev.chargehand.error.ConfigurationException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreLocationTest {

    private static final Path FOLDER = Path.of("/work").toAbsolutePath();
    private static final Map<String, String> ENVIRONMENT =
            Map.of("CHARGEHAND_STORE_USER", "env-user", "CHARGEHAND_STORE_PASSWORD", "env-secret");

    @ParameterizedTest
    @CsvSource({
        "runs.db, runs.db",
        "a/../runs.db, a/../runs.db",
        "jdbc:sqlite:runs.db, runs.db",
        "jdbc:sqlite:/tmp/runs.db, /tmp/runs.db",
        "postgresql, postgresql",
        "./jdbc:x, ./jdbc:x"
    })
    void aPathNamesAFile(String named, String path) {
        assertThat(of(named, Map.of())).isEqualTo(new StoreLocation.OfFile(FOLDER.resolve(path)));
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://host/db?user=me&password=s3, jdbc:postgresql://host/db, me, s3",
        "jdbc:postgresql://host:5433/db?ssl=true&user=me&password=s3&a=b, jdbc:postgresql://host:5433/db?ssl=true&a=b, me, s3",
        "jdbc:postgresql://me:s3@host/db?ssl=true, jdbc:postgresql://host/db?ssl=true, me, s3",
        "jdbc:postgresql://me@host/db, jdbc:postgresql://host/db, me, env-secret",
        "jdbc:postgresql://host/db?user=me, jdbc:postgresql://host/db, me, env-secret",
        "jdbc:postgresql://host/db, jdbc:postgresql://host/db, env-user, env-secret",
        "jdbc:postgresql://m%40e:s%2F%3F+%253@host/db, jdbc:postgresql://host/db, m@e, s/?+%3",
        "jdbc:postgresql://host/db?user=m%40e&password=a%26b+c, jdbc:postgresql://host/db, m@e, a&b+c",
        "jdbc:postgresql://[::1]:5432/db, jdbc:postgresql://[::1]:5432/db, env-user, env-secret"
    })
    void aUrlNamesADatabaseAndMayHaveUserAndPassword(String named, String url, String user, String password) {
        assertThat(of(named, ENVIRONMENT)).isEqualTo(new StoreLocation.OfDatabase(url, user, password));
    }

    @Test
    void withoutAPasswordThereIsNone() {
        assertThat(of("jdbc:postgresql://me@host/db", Map.of("CHARGEHAND_STORE_PASSWORD", "")))
                .isEqualTo(new StoreLocation.OfDatabase("jdbc:postgresql://host/db", "me", ""));
    }

    @Test
    void withoutAUserItIsSaidWhereOneMayStand() {
        assertThatThrownBy(() -> of("jdbc:postgresql://host/db?password=s3cret", Map.of()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("--store: ")
                .hasMessageContaining("names no user")
                .hasMessageContaining("CHARGEHAND_STORE_USER")
                .hasMessageNotContaining("s3cret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:mysql://me:s3cret@host/db",
                "jdbc:mysql://host/db?password=s3cret",
                "postgres://me:s3cret@host/db",
                "postgresql://host/db?password=s3cret",
                "https://host/s3cret",
                "jdbc:s3cret",
                "jdbc:",
                "JDBC:POSTGRESQL://host/db?password=s3cret",
                "jdbc:postgresql:s3cret",
                "jdbc:postgresql://",
                "jdbc:postgresql:///s3cret",
                "jdbc:postgresql://me:s3cret/x@host/db",
                "jdbc:postgresql://me:s3cret?x@host/db",
                "jdbc:postgresql://me:s3cret@x@host/db@y",
                "jdbc:postgresql://host/db?user=me&password=s3cret%zz",
                "jdbc:sqlite:",
                "jdbc:sqlite::memory:",
                "jdbc:sqlite:file:s3cret",
                "jdbc:sqlite:s3cret?password=s3cret"
            })
    void whatNamesNoStoreIsRefusedWithWhatWouldAndNotRepeated(String named) {
        assertThatThrownBy(() -> of(named, ENVIRONMENT))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("--store: ")
                .hasMessageContaining("the path of a file")
                .hasMessageContaining("jdbc:sqlite:PATH")
                .hasMessageContaining("jdbc:postgresql://HOST:PORT/DATABASE")
                .hasMessageContaining("CHARGEHAND_STORE_PASSWORD")
                .hasMessageNotContaining("s3cret")
                .hasNoCause();
    }

    @Test
    void aPasswordIsNotInTheWordsOfItsPlace() {
        assertThat(of("jdbc:postgresql://me:s3cret@host/db?sslpassword=s3cret", Map.of()))
                .asString()
                .contains("host/db")
                .doesNotContain("s3cret");
    }

    private static StoreLocation of(String named, Map<String, String> environment) {
        return StoreLocation.of(named, new Position("--store"), FOLDER, new Variables(environment::get));
    }
}
