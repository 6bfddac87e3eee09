package dev.chargehand.jdbc.internal.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ConfigurationException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SessionTest {

    private static final TextForm AS_GIVEN = new TextForm() {
        @Override
        public String written(String text) {
            return text;
        }

        @Override
        public String read(String stored) {
            return stored;
        }
    };

    private final List<String> prepared = new ArrayList<>();

    @AutoClose
    private Session session;

    @BeforeEach
    void open() {
        session = open(2);
        session.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, other TEXT)");
    }

    private Session open(int kept) {
        return new Sessions(AS_GIVEN, kept, () -> noting(DriverManager.getConnection("jdbc:sqlite::memory:"))).open();
    }

    /** Note which statements are prepared on a connection. */
    private Connection noting(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                SessionTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        prepared.add((String) arguments[0]);
                    }
                    return method.invoke(connection, arguments);
                });
    }

    private long insert(String text) {
        return session.sql("INSERT INTO notes (text, other) VALUES (:text, :text) RETURNING id")
                .bind("text", text)
                .one(row -> row.number(1));
    }

    private List<String> texts() {
        return session.sql("SELECT text FROM notes ORDER BY id").list(row -> row.text(1));
    }

    @Test
    void aStatementIsPreparedOnce() {
        insert("a");
        insert("b");
        insert("c");

        assertThat(texts()).containsExactly("a", "b", "c");
        assertThat(prepared)
                .containsExactly(
                        "INSERT INTO notes (text, other) VALUES (?, ?) RETURNING id",
                        "SELECT text FROM notes ORDER BY id");
    }

    @Test
    void theLastUsedStatementsStayPrepared() {
        for (int i : new int[] {1, 2, 1, 3, 1, 2}) {
            assertThat(session.sql("SELECT " + i).<Long>one(row -> row.number(1)))
                    .isEqualTo(i);
        }

        assertThat(prepared).containsExactly("SELECT 1", "SELECT 2", "SELECT 3", "SELECT 2");
    }

    @Test
    void noStatementStaysPreparedWhereTheDriverKeepsThem() {
        try (Session other = open(0)) {
            assertThat(other.sql("SELECT 1").hasRow()).isTrue();
            assertThat(other.sql("SELECT 1").hasRow()).isTrue();
        }

        assertThat(prepared).containsExactly("SELECT 1", "SELECT 1");
    }

    @Test
    void aStatementMayBeUsedWhileItsRowsAreRead() {
        insert("a");
        insert("b");

        List<List<String>> nested =
                session.sql("SELECT text FROM notes ORDER BY id").list(row -> texts());

        assertThat(nested).containsExactly(List.of("a", "b"), List.of("a", "b"));
    }

    @Test
    void aStatementThatFailedIsPreparedAgain() {
        String insert = "INSERT INTO notes (id, text) VALUES (:id, 'x')";
        assertThat(session.sql(insert).bind("id", 1).update()).isEqualTo(1);

        assertThatThrownBy(() -> session.sql(insert).bind("id", 1).update())
                .isInstanceOf(UncheckedSqlException.class)
                .hasMessage("The database failed.");

        assertThat(session.sql(insert).bind("id", 2).update()).isEqualTo(1);
        assertThat(prepared).hasSize(2);
    }

    @Test
    void aStatementWithALongTextIsNotKept() {
        insert("x".repeat(100_000));
        insert("short");

        assertThat(prepared).hasSize(2);
    }

    @Test
    void valuesOfTheUseBeforeAreNotThereAgain() {
        String insert = "INSERT INTO notes (text, other) VALUES (:text, :other)";
        session.sql(insert).bind("text", "a").bind("other", "b").update();

        assertThatThrownBy(() -> session.sql(insert).bind("text", "c").update())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Parameter 2 of a statement has no value.");

        assertThat(texts()).containsExactly("a");
    }

    @Test
    void aMisspelledParameterIsRejected() {
        assertThatThrownBy(() -> session.sql("SELECT :text").bind("txt", "a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The statement has no parameter 'txt': SELECT ?");
    }

    @Test
    void valuesThatAreNotThereAreNull() {
        session.sql("INSERT INTO notes (id, text, other) VALUES (:id, :text, :other)")
                .bind("id", (Long) null)
                .bind("text", (String) null)
                .bindText("other", null)
                .update();

        assertThat(session.sql("SELECT id FROM notes WHERE text IS NULL AND other IS NULL")
                        .<Long>one(row -> row.number(1)))
                .isEqualTo(1);
    }

    @Test
    void severalRowsAreWrittenAtOnce() {
        BoundSql batch = session.sql("INSERT INTO notes (id, text) VALUES (:id, :text)");
        batch.bind("id", 7).bind("text", "a").add();
        batch.bind("id", 8).bind("text", "b").add();
        batch.updateAll();

        assertThat(texts()).containsExactly("a", "b");
    }

    @Test
    void twoRowsWhereThereIsOneAtMostAreAnError() {
        insert("a");
        assertThat(session.sql("SELECT text FROM notes").first(row -> row.text(1)))
                .contains("a");
        insert("b");

        assertThatThrownBy(() -> session.sql("SELECT text FROM notes").first(row -> row.text(1)))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void whatIsBetweenQuotesIsNoParameter() {
        assertThat(NamedSql.of("SELECT ':a' || \":b\" || :c || ':' || (:d)=:c"))
                .isEqualTo(new NamedSql("SELECT ':a' || \":b\" || ? || ':' || (?)=?", List.of("c", "d", "c")));
    }

    @Test
    void anIdThatUtf8CannotEncodeIsRejected() {
        BoundSql sql = session.sql("SELECT :id");

        for (String id : List.of("\ud83d", "\ude00", "a\ud83db", "\ude00\ud83d", "\ud83d\ud83d\ude00")) {
            assertThatThrownBy(() -> sql.bind("id", id)).isInstanceOf(ConfigurationException.class);
        }
        assertThat(sql.bind("id", "a\ud83d\ude00b").<String>one(row -> row.text(1)))
                .isEqualTo("a\ud83d\ude00b");
    }
}
