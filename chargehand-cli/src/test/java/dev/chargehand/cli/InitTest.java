package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.reply.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** {@code chargehand init}: from nothing to a supervisor over one's own folder. */
class InitTest {

    private static final String QUESTION = "Why does a boat float?";

    @TempDir
    Path folder;

    private void document(String name) throws IOException {
        Files.createDirectories(folder.resolve(name).getParent());
        Files.writeString(
                folder.resolve(name), "# Boats\n\nA boat floats because it is lighter than the water it displaces.\n");
    }

    @Test
    void theStarterAnswersFromTheFolderItIsMadeIn() throws IOException {
        document("notes/boats.md");

        Ran made = Ran.in(folder, "init");
        Ran ran = Ran.in(folder, "run", QUESTION);

        assertThat(made.exitCode()).isZero();
        assertThat(made.out())
                .contains(
                        "1 document in it will be searched",
                        "chargehand run \"What is in the documents about Boats?\"");
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out()).contains("lighter than the water it displaces. [notes/boats.md:3]");
    }

    @Test
    void theSuggestedQuestionIsAnswered() throws IOException {
        Files.writeString(folder.resolve("a.md"), "# Rigging\n\nNothing here about floating sails.\n");
        Files.writeString(
                folder.resolve("b.md"),
                "# Sails\n\n## Why $(sails) float\n\nBy wind.\n\n## Trimming sails\n\nTrimming the sails means to pull the sheet.\n");

        Ran made = Ran.in(folder, "init");
        String question = made.out().replaceAll("(?s).*chargehand run \"(.*)\".*", "$1");
        Ran ran = Ran.in(folder, "run", question);

        assertThat(question).isEqualTo("What is in the documents about Trimming sails?");
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out()).startsWith("Trimming the sails means to pull the sheet. [b.md:9]");
    }

    @Test
    void onATerminalTheQuestionIsAskedIfTheUserWants() throws IOException {
        document("crew/notes/boats.md");

        Typist typist = new Typist("");
        Ran asked = Ran.in(folder, typist, "init", "crew");

        assertThat(typist.screen()).isEqualTo("Ask it now? Enter: yes, n: no > \n");
        assertThat(asked.exitCode()).isZero();
        assertThat(asked.out()).contains("lighter than the water it displaces. [notes/boats.md:3]");
        assertThat(Ran.in(folder, new Typist("n"), "init", "other").out()).doesNotContain("lighter");
        document("third/boats.md");
        for (String no : new String[] {"n", "later"}) {
            Files.deleteIfExists(folder.resolve("third/chargehand.yaml"));
            assertThat(Ran.in(folder, new Typist(no), "init", "third").out()).doesNotContain("lighter");
        }
    }

    @Test
    void anAnswerThatFoundNothingHasACodeOfItsOwn() throws IOException {
        document("notes/boats.md");
        Ran.in(folder, "init");

        Ran ran = Ran.in(folder, "run", "Which zebras sing?");

        assertThat(ran.exitCode()).isEqualTo(5);
        assertThat(ran.err())
                .endsWith("chargehand: the searches of the documents found nothing." + System.lineSeparator());
    }

    @Test
    void oneEditOfOneFileMakesItAnotherFolder() throws IOException {
        document("mine/papers/boats.md");
        Ran.in(folder, "init", "crew");
        Path file = folder.resolve("crew/chargehand.yaml");

        Files.writeString(file, Files.readString(file).replace("\ndocs: .\n", "\ndocs: ../mine/papers\n"));

        assertThat(Ran.in(folder.resolve("crew"), "check").exitCode()).isZero();
        assertThat(Ran.in(folder.resolve("crew"), "run", QUESTION).out()).contains("[papers/boats.md:3]");
    }

    @Test
    void aPathMayStartAtHome() throws IOException {
        document("home/papers/boats.md");
        Ran.in(folder, "init");
        Path file = folder.resolve("chargehand.yaml");
        Files.writeString(file, Files.readString(file).replace("\ndocs: .\n", "\ndocs: ~/papers\n"));

        Ran ran = Ran.in(folder, Map.of("HOME", folder.resolve("home").toString()), "run", QUESTION);

        assertThat(ran.out()).contains("boats.md:3]");
    }

    @Test
    void aProvidersKeyMakesItARealModel() throws IOException {
        document("boats.md");
        try (LoopbackProvider provider = LoopbackProvider.start()) {
            provider.enqueue(Reply.text("Because it is light [boats.md:3]."));
            Map<String, String> environment =
                    Map.of("OPENAI_API_KEY", "sk-never-to-be-seen", "OPENAI_BASE_URL", provider.baseUrl());

            Ran made = Ran.in(folder, environment, "init");
            Ran ran = Ran.in(folder, environment, "run", QUESTION);

            assertThat(made.out()).contains("The model will be openai/gpt-5-mini, because OPENAI_API_KEY is set.");
            assertThat(ran.exitCode()).isZero();
            assertThat(ran.out()).isEqualTo("Because it is light [boats.md:3]." + System.lineSeparator());
        }
    }

    @Test
    void aFolderOfDocumentsIsFoundAndAnEmptyOneIsSaid() throws IOException {
        document("docs/boats.md");
        assertThat(Ran.in(folder, "init").out()).contains("1 document in its folder docs");
        assertThat(folder.resolve("chargehand.yaml")).content().contains("\ndocs: docs\n");
        assertThat(Ran.in(folder, "init", "empty").out())
                .contains("There are no documents in it to search: put the path", "  cd ");
    }

    @Test
    void nothingIsOverwritten() throws IOException {
        Files.writeString(folder.resolve("chargehand.yaml"), "mine");
        Files.writeString(folder.resolve("chargehand.schema.json"), "mine too");

        Ran ran = Ran.in(folder, "init");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err())
                .startsWith("chargehand: There is a 'chargehand.yaml' already in '")
                .hasLineCount(1);
        assertThat(folder.resolve("chargehand.yaml")).hasContent("mine");
        Files.delete(folder.resolve("chargehand.yaml"));
        assertThat(Ran.in(folder, "init").exitCode()).isZero();
        assertThat(folder.resolve("chargehand.schema.json")).hasContent("mine too");
    }

    @Test
    void aFolderThatCannotBeOneIsSaid() throws IOException {
        Files.writeString(folder.resolve("file"), "");

        Ran ran = Ran.in(folder, "init", "file");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .startsWith("chargehand: Nothing can be written to the folder '")
                .hasLineCount(1);
    }

    @Test
    void theStarterKeepsTheSchemaThatComesWithIt() throws IOException {
        Ran.in(folder, "init");

        String starter = Files.readString(folder.resolve("chargehand.yaml"));
        Json schema = Json.parse(Files.readString(folder.resolve("chargehand.schema.json")));
        assertThat(starter).startsWith("# yaml-language-server: $schema=chargehand.schema.json\n");
        assertThat(JsonSchema.of(schema)
                        .violations(Json.of(new Load(LoadSettings.builder().build()).loadFromString(starter))))
                .isEmpty();
    }
}
