package dev.chargehand.config;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a program reads that takes an agent or a workflow from a file which does not have it. */
class MissingEntriesTest {

    @TempDir
    Path folder;

    @Test
    void theErrorNamesWhatTheFileHas() throws IOException {
        Path path = Files.writeString(
                folder.resolve("chargehand.yaml"),
                "model: openai/gpt-5-mini\nagents:\n  clerk: { instructions: Answer. }\n  boss: { instructions: Lead. }\n");
        AgentsFile file = AgentsFileReader.read(path, path.toString(), Crew.TOOLS);
        try (Crew crew = Crew.builder(file).environment(name -> null).build()) {
            assertThatThrownBy(() -> crew.agent(file.agents().get("clrk")))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("The entry of an agent must not be null. The agents of " + path + ": clerk, boss.");
            assertThatThrownBy(() -> crew.workflow(file.workflows().get("letters")))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("The entry of a workflow must not be null. The workflows of " + path + ": none.");
        }
    }
}
