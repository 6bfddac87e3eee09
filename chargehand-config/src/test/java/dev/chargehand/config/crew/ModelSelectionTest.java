package dev.chargehand.config.crew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.config.AgentsFile;
import dev.chargehand.config.AgentsFileReader;
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

    @TempDir
    Path folder;

    private String option;
    private String ofFile = DEFAULT_OFFLINE;
    private String ofAgent;
    private Map<String, String> environment = Map.of();
    private ModelSelection selection;

    private ModelChoice choose() {
        AgentsFile file = file();
        selection = new ModelSelection(
                option == null ? null : new Setting(option, new Position("--model")),
                file,
                new Variables(environment::get),
                List.of(new Openai()));
        return selection.of(file.agents().get("boss"));
    }

    private AgentsFile file() {
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
        return AgentsFileReader.read(written, "c.yaml", Set.of());
    }

    private static String model(String names) {
        return names == null
                ? ""
                : "model: " + (names.contains(" ") ? "[" + names.replace(" ", ", ") + "]" : '"' + names + '"');
    }

    private void chooses(String name, String... notes) {
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
    void offlineByDefaultSaysWhatItIsAndHowToGetARealOne() {
        chooses(
                "offline",
                "offline: a rule-based stand-in, not a language model; set OPENAI_API_KEY or use --model provider/name"
                        + " for a real one");
    }

    @Test
    void aKeyInTheEnvironmentWinsOverOfflineByDefault() {
        environment = Map.of("OPENAI_API_KEY", "k");

        chooses(
                "openai/gpt-5-mini",
                "model: openai/gpt-5-mini, because OPENAI_API_KEY is set; --model offline uses the stand-in");
    }

    @Test
    void offlineThatWasAskedForStaysOffline() {
        environment = Map.of("OPENAI_API_KEY", "k", "MODEL", "offline");
        chooses("offline", "offline: a rule-based stand-in, not a language model");

        environment = Map.of("OPENAI_API_KEY", "k");
        option = "offline";
        chooses("offline", "offline: a rule-based stand-in, not a language model");

        option = null;
        ofFile = "offline";
        chooses("offline", "offline: a rule-based stand-in, not a language model");
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
                .hasMessage(
                        "c.yaml:3:3: agent 'boss' has no model. Add 'model: openai/gpt-5-mini' or 'model: offline' to"
                                + " it or to the top of the file, or use --model.");
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
