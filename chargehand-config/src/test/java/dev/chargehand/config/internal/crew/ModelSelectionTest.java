package dev.chargehand.config.internal.crew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.config.choice.CrewOption;
import dev.chargehand.config.choice.CrewOptionException;
import dev.chargehand.config.choice.ModelNote;
import dev.chargehand.config.internal.file.FileDefinition;
import dev.chargehand.config.internal.file.FileReader;
import dev.chargehand.config.internal.offline.OfflineModel;
import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import dev.chargehand.document.Variables;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelChoice.Candidate;
import dev.chargehand.model.ModelProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelSelectionTest {

    private static final String DEFAULT_OFFLINE = "${MODEL:-offline}";

    private static final ModelNote OFFLINE =
            new ModelNote(ModelNote.Kind.OFFLINE, "offline: a rule-based stand-in, not a language model");

    @TempDir
    Path folder;

    private String option;
    private String ofFile = DEFAULT_OFFLINE;
    private String ofAgent;
    private Map<String, String> environment = Map.of();
    private ModelSelection selection;

    private ModelChoice choose() {
        FileDefinition file = file();
        selection = new ModelSelection(
                option == null ? null : new Setting(option, new Position("--model")),
                file,
                new Variables(environment::get),
                List.of(new Openai()));
        return selection.of(file.agents().get("boss"));
    }

    private FileDefinition file() {
        Path written = folder.resolve("c.yaml");
        try {
            Files.writeString(
                    written, """
                    %s
                    agents:
                      boss:
                        %s
                    """.formatted(model(ofFile), ofAgent == null ? "instructions: Work." : model(ofAgent)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return FileReader.read(written, "c.yaml", Set.of());
    }

    private static String model(String names) {
        return names == null
                ? ""
                : "model: " + (names.contains(" ") ? "[" + names.replace(" ", ", ") + "]" : '"' + names + '"');
    }

    private void chooses(String name, ModelNote... notes) {
        Candidate candidate = choose().candidates().getFirst();
        if (name.equals("offline")) {
            assertThat(candidate).isInstanceOfSatisfying(Candidate.Given.class, given -> assertThat(given.model())
                    .isInstanceOf(OfflineModel.class));
        } else {
            assertThat(candidate).isEqualTo(new Candidate.Named(name));
        }
        assertThat(selection.notes()).containsExactly(notes);
    }

    @Test
    void offlineByDefaultSaysWhatItIs() {
        chooses(
                "offline",
                new ModelNote(
                        ModelNote.Kind.OFFLINE_BY_DEFAULT, "offline: a rule-based stand-in, not a language model"));
    }

    @Test
    void aKeyInTheEnvironmentWinsOverOfflineByDefault() {
        environment = Map.of("OPENAI_API_KEY", "k");

        chooses(
                "openai/gpt-5-mini",
                new ModelNote(ModelNote.Kind.KEY_FOUND, "model: openai/gpt-5-mini, because OPENAI_API_KEY is set"));
    }

    @Test
    void offlineThatWasAskedForStaysOffline() {
        environment = Map.of("OPENAI_API_KEY", "k", "MODEL", "offline");
        chooses("offline", OFFLINE);

        environment = Map.of("OPENAI_API_KEY", "k");
        option = "offline";
        chooses("offline", OFFLINE);

        option = null;
        ofFile = "offline";
        chooses("offline", OFFLINE);
    }

    @Test
    void theCommandLineWinsOverTheAgentAndTheAgentOverTheFile() {
        ofAgent = "openai/small";
        chooses("openai/small");

        option = "openai/large";
        ofFile = "${UNSET}";
        chooses("openai/large");
    }

    @Test
    void theEnvironmentNamesAModel() {
        environment = Map.of("MODEL", "openai/gpt-5.1");

        chooses("openai/gpt-5.1");
    }

    @Test
    void severalModelsAreTriedInTheirOrder() {
        ofAgent = "openai/large openai/small offline";

        assertThat(choose().candidates())
                .startsWith(new Candidate.Named("openai/large"), new Candidate.Named("openai/small"))
                .hasSize(3)
                .last()
                .isInstanceOf(Candidate.Given.class);
    }

    @Test
    void aModelIsNeeded() {
        ofFile = null;

        assertThatThrownBy(this::choose)
                .isInstanceOfSatisfying(
                        CrewOptionException.class, e -> assertThat(e.option()).isEqualTo(CrewOption.MODEL))
                .hasMessage(
                        "c.yaml:3:3: agent 'boss' has no model. Add 'model: openai/gpt-5-mini' or 'model: offline' to"
                                + " it or to the top of the file, or set a model for all agents.");
    }

    @Test
    void anUnknownProviderIsNamedWithThoseThatAreKnown() {
        option = "opnai/gpt-5";

        assertThatThrownBy(this::choose)
                .hasMessage("--model: no provider 'opnai' is known for the model 'opnai/gpt-5'. Known are: openai. Did"
                        + " you mean 'openai'?");
    }

    @Test
    void aNameWithoutAProviderIsRefused() {
        ofFile = "gpt-5";

        assertThatThrownBy(this::choose)
                .hasMessage("c.yaml:1:8: model 'gpt-5' must be 'offline' or named provider/name, for example"
                        + " openai/gpt-5-mini.");
    }

    /** Knows every model of openai. */
    private static final class Openai implements ModelProvider {

        @Override
        public Set<String> names() {
            return Set.of("openai");
        }

        @Override
        public Optional<Model> find(String name) {
            return name.startsWith("openai/") ? Optional.of(new OfflineModel()) : Optional.empty();
        }
    }
}
