package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code chargehand threads}: the conversations of a store. */
class ThreadsTest {

    @TempDir
    Path folder;

    @BeforeEach
    void conversations() throws IOException {
        Files.writeString(folder.resolve("chargehand.yaml"), "model: offline\nagents: { boss: {} }\n");
        Ran.in(folder, "run", "What is a boat?", "--thread", "t1");
        Ran.in(folder, "run", "Why \u001b[31m does it float?", "--thread", "t2", "--resource", "ann");
        Ran.in(folder, "run", "And a ship?", "--thread", "t2", "--resource", "ann");
        Ran.in(folder, "run", "Anybody there?", "--thread", "t3", "--resource", "bob");
        Ran.in(folder, "run", "Not for long", "--store", ".chargehand/chargehand.db");
    }

    private Ran threads(String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "threads";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return Ran.in(folder, all);
    }

    private void refused(Ran ran, String message) {
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).startsWith("chargehand: " + message).hasLineCount(1);
    }

    @Test
    void allAreListedByTheirLastRun() {
        assertThat(threads("list").out().lines())
                .satisfiesExactly(
                        line -> assertThat(line).matches("t3  2 messages  20\\S+Z  resource bob  Anybody there\\?"),
                        line -> assertThat(line)
                                .matches("t2  4 messages  20\\S+Z  resource ann  Why \\[31m does it float\\?"),
                        line -> assertThat(line).matches("t1  2 messages  20\\S+Z +What is a boat\\?"));
    }

    @Test
    void thoseOfAResourceAreListed() {
        assertThat(threads("list", "--resource", "ann").out().lines())
                .singleElement()
                .asString()
                .startsWith("t2  4 messages");
        assertThat(threads("list", "--resource", "eve").err()).isEqualTo("no such threads" + System.lineSeparator());
    }

    @Test
    void aListIsCutAndSaysSo() {
        Ran ran = threads("list", "--limit", "1", "--json");

        assertThat(ran.out().lines().map(Json::parse)).singleElement().satisfies(thread -> {
            assertThat(thread.at("/threadId")).hasValue(Json.of("t3"));
            assertThat(thread.at("/resourceId")).hasValue(Json.of("bob"));
            assertThat(thread.at("/length")).hasValue(Json.of(2));
            assertThat(thread.at("/title")).hasValue(Json.of("Anybody there?"));
            assertThat(thread.at("/titleSource")).hasValue(Json.of("first-words"));
        });
        assertThat(ran.err()).contains("there are more: --limit 2");
        refused(threads("list", "--limit", "0"), "--limit must be 1 to 1000, but is 0.");
    }

    @Test
    void whatWasSaidIsShownAndNeverActedOn() {
        Ran ran = threads("show", "t2", "--resource", "ann");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out().lines()).startsWith("user:", "  Why \\u001b[31m does it float?", "assistant:");
        assertThat(ran.out())
                .contains("user:" + System.lineSeparator() + "  And a ship?")
                .doesNotContain("\u001b");
        Ran last = threads("show", "t2", "--resource", "ann", "--last", "2");
        assertThat(last.out()).startsWith("user:" + System.lineSeparator() + "  And a ship?");
        assertThat(last.err())
                .isEqualTo("Why [31m does it float?" + System.lineSeparator() + "the last 2 of 4 messages"
                        + System.lineSeparator());
    }

    @Test
    void anExportHasEveryMessageAsItIsStored() {
        Ran ran = threads("export", "t2", "--resource", "ann");

        Json exported = Json.parse(ran.out());
        assertThat(exported.at("/threadId")).hasValue(Json.of("t2"));
        assertThat(exported.at("/messages/4")).isEmpty();
        Message first = Message.fromJson(exported.at("/messages/0").orElseThrow());
        assertThat(first.text()).isEqualTo("Why \u001b[31m does it float?");
        assertThat(ran.out()).hasLineCount(1).doesNotContain("\u001b");
    }

    @Test
    void aLongConversationIsReadToItsBeginning() {
        for (int i = 0; i < 105; i++) {
            Ran.in(folder, "run", "Turn " + i, "--thread", "long");
        }

        Json exported = Json.parse(threads("export", "long").out());

        for (int i = 0; i < 105; i++) {
            assertThat(Message.fromJson(exported.at("/messages/" + 2 * i).orElseThrow())
                            .text())
                    .isEqualTo("Turn " + i);
        }
        assertThat(exported.at("/messages/210")).isEmpty();
    }

    @Test
    void aThreadOfSomebodyElseIsNeitherShownNorDeleted() {
        for (String command : new String[] {"show", "export", "delete"}) {
            refused(threads(command, "t2"), "Thread 't2' belongs to another resource");
            refused(threads(command, "t2", "--resource", "bob"), "Thread 't2' belongs to another resource");
            refused(threads(command, "t1", "--resource", "bob"), "Thread 't1' belongs to another resource");
            refused(threads(command, "t9"), "There is no thread 't9' in the store. 'chargehand threads list' lists");
        }
    }

    @Test
    void deletingIsAskedForOrSaid() {
        refused(
                threads("delete", "t1"),
                "There is no terminal to confirm the deletion of thread 't1' with its 2 messages. Say --yes if so.");

        Typist no = new Typist("n");
        assertThat(Ran.in(folder, no, "threads", "delete", "t1").err()).contains("thread 't1' was not changed");
        assertThat(threads("show", "t1").exitCode()).isZero();
        Typist yes = new Typist("y");
        assertThat(Ran.in(folder, yes, "threads", "delete", "t1").err()).contains("deleted thread 't1'");
        assertThat(yes.screen()).contains("Delete thread 't1' with its 2 messages? It cannot be brought back.");

        assertThat(threads("delete", "t2", "--resource", "ann", "--yes").exitCode())
                .isZero();
        assertThat(threads("list").out().lines()).singleElement().asString().startsWith("t3 ");
        assertThat(Ran.in(folder, "runs").out()).hasLineCount(5);
    }

    @Test
    void runsAreDeletedWithTheirThreadOnRequest() {
        assertThat(threads("delete", "t1", "--with-runs", "--yes").err()).contains("deleted thread 't1' and its runs");
        assertThat(Ran.in(folder, "runs", "--thread", "t1").out()).isEmpty();
        assertThat(Ran.in(folder, "runs").out()).isNotEmpty();
    }

    @Test
    void aMisspeltCommandIsNamed() {
        refused(threads("lst"), "unknown command 'lst'. There are: list, show, export, delete. Did you mean 'list'?");
    }
}
