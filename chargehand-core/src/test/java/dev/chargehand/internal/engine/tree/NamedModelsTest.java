package dev.chargehand.internal.engine.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ModelException;
import dev.chargehand.internal.log.Redactor;
import dev.chargehand.model.EmbeddingModel;
import dev.chargehand.model.HashedWords;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelProvider;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamedModelsTest {

    /** A provider without models that chat. */
    private interface Embedding extends ModelProvider {

        String provider();

        @Override
        default Set<String> names() {
            return Set.of(provider());
        }

        @Override
        default Optional<Model> find(String name) {
            return Optional.empty();
        }
    }

    /** Knows one embedding model. */
    private record Words(String provider) implements Embedding {

        @Override
        public Optional<EmbeddingModel> findEmbeddingModel(String name) {
            return name.equals(provider + "/words") ? Optional.of(new HashedWords()) : Optional.empty();
        }

        @Override
        public Optional<String> adviceOn(String name) {
            return name.startsWith(provider) ? Optional.of("Add a dependency.") : Optional.empty();
        }

        @Override
        public Optional<String> adviceOnEmbeddingModel(String name) {
            return name.startsWith(provider) ? Optional.of("Use " + provider + "/words.") : Optional.empty();
        }
    }

    /** A provider whose module is on the class path without the libraries that it needs. */
    public static final class WithoutLibraries implements ModelProvider {

        /** Fails as the JVM does if a class is missing that a constructor uses. */
        public WithoutLibraries() {
            throw new NoClassDefFoundError("com/example/MissingClient");
        }

        @Override
        public Set<String> names() {
            return Set.of("without");
        }

        @Override
        public Optional<Model> find(String name) {
            return Optional.empty();
        }
    }

    private final NamedModels models = new NamedModels(List.of(new Words("a"), new Words("b")), new Redactor());

    @Test
    void theFirstProviderThatKnowsAnEmbeddingModelMakesIt() {
        assertThat(models.embeddingModel("b/words")).isInstanceOf(HashedWords.class);
    }

    @Test
    void theAdviceIsThatForTheKindOfModel() {
        assertThatThrownBy(() -> models.embeddingModel("b/other"))
                .isInstanceOfSatisfying(
                        ModelException.class, e -> assertThat(e.kind()).isEqualTo(ModelException.Kind.UNKNOWN_MODEL))
                .hasMessage("No provider knows the embedding model 'b/other'. Use b/words.");
        assertThatThrownBy(() -> models.of(ModelChoice.of("b/words")))
                .hasMessage("No provider knows the model 'b/words'. Add a dependency.");
        assertThatThrownBy(() -> models.embeddingModel("c/other"))
                .hasMessage(
                        "No provider knows the embedding model 'c/other'. Known providers: a, b. Use a model of one of them,"
                                + " or give the runtime the provider, or a Model object.");
    }

    /** Knows embedding models of any name, if it has some, and no other model. */
    private record Whole(String provider, boolean embeds) implements Embedding {

        @Override
        public Optional<EmbeddingModel> findEmbeddingModel(String name) {
            return embeds && name.startsWith(provider + "/") ? Optional.of(new HashedWords()) : Optional.empty();
        }
    }

    private final NamedModels whole =
            new NamedModels(List.of(new Whole("openai", true), new Whole("cerebras", false)), new Redactor());

    @Test
    void aNearNameOfAProviderIsSuggested() {
        assertThatThrownBy(() -> whole.of(ModelChoice.of("opnai/gpt-5")))
                .hasMessage(
                        "No provider knows the model 'opnai/gpt-5'. Did you mean 'openai/gpt-5'? Known providers: cerebras, openai."
                                + " Use a model of one of them, or give the runtime the provider, or a Model object.");
        assertThatThrownBy(() -> whole.of(ModelChoice.of("mistral/small")))
                .hasMessageContaining("'mistral/small'. Known providers");
    }

    @Test
    void aNearNameForAnEmbeddingModelIsOneOfAProviderThatHasThem() {
        assertThatThrownBy(() -> whole.embeddingModel("cerebra/words"))
                .hasMessageContaining("'cerebra/words'. Known providers: openai.");
        assertThatThrownBy(() -> whole.embeddingModel("openia/words"))
                .hasMessageContaining("Did you mean 'openai/words'?");
    }

    @Test
    void aProviderWithoutItsLibrariesIsLeftOutAndNamedWhereAModelIsUnknown(@TempDir Path directory) throws Exception {
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.writeString(services.resolve(ModelProvider.class.getName()), WithoutLibraries.class.getName());
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader all =
                new URLClassLoader(new URL[] {directory.toUri().toURL()}, before)) {
            Thread.currentThread().setContextClassLoader(all);
            NamedModels found = NamedModels.onClassPath(new Redactor());

            assertThatThrownBy(() -> found.of(ModelChoice.of("without/model")))
                    .isInstanceOf(ModelException.class)
                    .hasMessageContaining("No provider knows the model 'without/model'.")
                    .hasMessageContaining(WithoutLibraries.class.getName())
                    .hasMessageContaining("NoClassDefFoundError: com/example/MissingClient")
                    .hasMessageContaining("Add the libraries that it needs");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    @Test
    void aNameIsNotSuggestedInPlaceOfItself() {
        assertThatThrownBy(() -> whole.of(ModelChoice.of("openai/gpt-5")))
                .hasMessageContaining("'openai/gpt-5'. Provider 'openai' has no such model. Known providers:")
                .hasMessageNotContaining("Did you mean");
    }

    /** Is on the class path, and not given to the runtime. */
    public static final class Elsewhere implements ModelProvider {

        @Override
        public Set<String> names() {
            return Set.of("elsewhere");
        }

        @Override
        public Optional<Model> find(String name) {
            return Optional.empty();
        }
    }

    @Test
    void aProviderThatIsOnlyOnTheClassPathIsNamed(@TempDir Path directory) throws Exception {
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.writeString(
                services.resolve(ModelProvider.class.getName()),
                WithoutLibraries.class.getName() + "\n" + Elsewhere.class.getName());
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader all =
                new URLClassLoader(new URL[] {directory.toUri().toURL()}, before)) {
            Thread.currentThread().setContextClassLoader(all);

            assertThatThrownBy(() -> whole.of(ModelChoice.of("elsewhere/model")))
                    .hasMessage(
                            "No provider knows the model 'elsewhere/model'. The providers that were given to the runtime replace those"
                                    + " on the class path, which are " + Elsewhere.class.getName() + ", "
                                    + WithoutLibraries.class.getName()
                                    + ": give it the one that you need too. Known providers: cerebras, openai."
                                    + " Use a model of one of them, or give the runtime the provider, or a Model object.");
            assertThatThrownBy(() -> whole.of(ModelChoice.of("opena/small")))
                    .hasMessageContaining("'opena/small'. Did you mean 'openai/small'? Known providers");
            assertThatThrownBy(() -> NamedModels.onClassPath(new Redactor()).of(ModelChoice.of("elsewhere/model")))
                    .hasMessageContaining(
                            "'elsewhere/model'. Provider 'elsewhere' has no such model. Known providers: elsewhere.");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }
}
