package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code chargehand versions}, and runs of versions. */
class VersionsCommandTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void agents() throws IOException {
        Files.writeString(folder.resolve("chargehand.yaml"), """
                model: offline
                default: boss
                tools:
                  note: { description: Notes a text., command: [cat] }
                agents:
                  boss:
                    instructions: Delegate.
                    agents: [writer]
                  writer:
                    description: Writes about boats.
                    instructions: Write.
                    version: "1"
                    versions:
                      "2":
                        description: Writes about ships.
                """);
    }

    private Ran command(String... arguments) {
        return Ran.in(folder, Map.of(), arguments);
    }

    private Ran save(String document) throws IOException {
        Files.writeString(folder.resolve("writer.yaml"), document);
        return command("versions", "save", "writer", "writer.yaml");
    }

    private static void refused(Ran ran, String... words) {
        assertThat(ran.err()).contains(words);
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
    }

    @Test
    void aVersionIsSavedTriedPublishedAndRestored() throws IOException {
        Ran saved = save("description: Writes on a draft.\n");
        assertThat(saved.exitCode()).as(saved.err()).isZero();
        assertThat(saved.out()).isEqualTo("stored-1\n");
        assertThat(saved.err()).contains("draft", "chargehand versions publish writer stored-1");
        assertThat(save("description: Writes on a draft.\n").err()).contains("nothing was saved");

        assertThat(command("run", "Write", "--agent", "writer", "--version", "writer=latest")
                        .exitCode())
                .isZero();
        refused(
                command("run", "Write", "--agent", "writer", "--version", "writer=published"),
                "no version published of agent 'writer'");
        Ran published = command("versions", "publish", "writer", "stored-1");
        assertThat(published.exitCode()).isZero();
        assertThat(published.err()).contains("published stored-1");
        assertThat(command("run", "Write", "--agent", "writer", "--version", "writer=published")
                        .exitCode())
                .isZero();

        assertThat(save("description: Writes again.\n").out()).isEqualTo("stored-2\n");
        Ran restored = command("versions", "restore", "writer", "stored-1");
        assertThat(restored.exitCode()).isZero();
        assertThat(restored.err()).contains("stored-3 has the text of stored-1");
        assertThat(command("versions", "show", "writer", "stored-3").out())
                .isEqualTo("description: Writes on a draft.\n");

        Ran list = command("versions", "list", "writer");
        assertThat(list.out().lines().map(line -> line.split(" ", 2)[0]))
                .containsExactly("stored-3", "stored-2", "stored-1");
        assertThat(list.out().lines().map(line -> line.substring(line.lastIndexOf("characters") + 10)
                        .strip()))
                .containsExactly("latest", "", "published");
        assertThat(command("versions", "list", "writer", "--json", "--limit", "1")
                        .out())
                .contains("\"version\":\"stored-3\"", "\"latest\":true", "\"published\":false");
        assertThat(command("versions", "list", "writer", "--limit", "1").err()).contains("there are more");
        assertThat(command("runs", "--agent", "writer").out()).contains("writer@stored-1");
    }

    @Test
    void aVersionOfTheFileIsSelected() {
        assertThat(command("run", "Write", "--agent", "writer", "--version", "writer=2")
                        .exitCode())
                .isZero();
        assertThat(command("run", "Write", "--agent", "writer", "--thread", "t").exitCode())
                .isZero();
        assertThat(command("runs", "--agent", "writer").out()).contains("writer@1", "writer@2");
        Ran events = command("run", "Write", "--agent", "writer", "--version", "writer=2", "--events");
        assertThat(events.out().lines().findFirst().orElse("")).contains("\"version\":\"2\"");
    }

    @Test
    void aVersionThatASubAgentDoesNotHaveIsRejectedBeforeAnythingIsStarted() throws IOException {
        refused(command("run", "Write", "--version", "writer=7"), "no version '7' of agent 'writer'. There are: 1, 2.");
        refused(
                command("chat", "--version", "writer=published"),
                "no version published of agent 'writer'",
                "'chargehand versions publish writer VERSION'");
        refused(
                command("run", "Write", "--version", "boss=1"),
                "no version '1' of agent 'boss'. It has none",
                "chargehand versions save");
        assertThat(save("description: A.\n").exitCode()).isZero();
        refused(command("run", "Write", "--version", "writer=stored-2"), "There are: 1, 2, stored-1");
        assertThat(command("runs").out()).isEmpty();
        assertThat(command("run", "Write", "--version", "writer=stored-1").exitCode())
                .isIn(0, 5);
        assertThat(command("run", "Write", "--version", "writer=1").exitCode()).isIn(0, 5);
    }

    @Test
    void whatIsWrongIsSaid() throws IOException {
        refused(command("versions", "list", "writer"), "There is no store");
        refused(command("run", "Write", "--version", "writer"), "--version is 'writer'", "writer=published");
        refused(command("run", "Write", "--version", "wirter=1"), "wirter");
        refused(command("run", "Write", "--agent", "writer", "--version", "writer=7"), "no version '7'");
        refused(save("instrctions: Write.\n"), "instrctions", "instructions");
        refused(save("maxSteps: 100\n"), "maxSteps is 100, but at most 5 are allowed");
        refused(command("versions", "save", "writer", "missing.yaml"), "missing.yaml");
        refused(command("versions", "save", "wirter", "writer.yaml"), "wirter", "writer");
        assertThat(save("description: A.\n").exitCode()).isZero();
        refused(command("versions", "publish", "writer", "stored-9"), "no saved version 'stored-9'");
        refused(command("versions", "restore", "writer", "stored-9"), "no saved version 'stored-9'");
        refused(command("versions", "show", "writer", "stored-9"), "chargehand versions list writer");
    }
}
