package dev.chargehand.config;

import dev.chargehand.config.internal.crew.AgentAssembly;
import dev.chargehand.config.internal.crew.Documents;
import dev.chargehand.config.internal.crew.EveryProvider;
import dev.chargehand.config.internal.crew.ModelSelection;
import dev.chargehand.config.internal.crew.OwnTools;
import dev.chargehand.config.internal.crew.Providers;
import dev.chargehand.config.internal.file.FileDefinition;
import dev.chargehand.document.Setting;
import dev.chargehand.document.Variables;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.search.report.IndexProgress;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Builds a {@link Crew}. Not thread-safe. */
public final class CrewBuilder {

    private final AgentsFile file;
    private Function<String, @Nullable String> environment = System::getenv;
    private Path workingFolder = Path.of("").toAbsolutePath();
    private @Nullable Setting model;
    private @Nullable Setting documents;
    private Consumer<IndexProgress> indexing = progress -> {};

    CrewBuilder(AgentsFile file) {
        this.file = file;
    }

    /** Set the environment variables; null for one that is not set. Default: those of the process. */
    public CrewBuilder environment(Function<String, @Nullable String> environment) {
        this.environment = environment;
        return this;
    }

    /** Set the folder to which {@link #documents} and citations are relative. Default: that of the process. */
    public CrewBuilder workingFolder(Path folder) {
        this.workingFolder = folder;
        return this;
    }

    /** Set the model of all agents. Default: the models that the file names. */
    public CrewBuilder model(Setting model) {
        this.model = model;
        return this;
    }

    /** Set the folder that {@code search-files} searches. Default: the folder that the file names. */
    public CrewBuilder documents(Setting folder) {
        this.documents = folder;
        return this;
    }

    /** Set the observer of the indexing of documents. Default: none. */
    public CrewBuilder onIndexing(Consumer<IndexProgress> observer) {
        this.indexing = observer;
        return this;
    }

    /**
     * Build the crew. Agents are built when they are requested.
     *
     * @throws ConfigurationException if an address or a header of a provider is invalid
     */
    public Crew build() {
        Variables variables = new Variables(environment);
        FileDefinition definition = file.definition();
        EveryProvider provider = Providers.of(definition, variables, environment);
        ModelSelection models = new ModelSelection(model, definition, variables, List.of(provider));
        OwnTools tools = new OwnTools(environment, definition);
        Documents searched = Documents.of(definition, variables, workingFolder, documents);
        AgentAssembly assembly =
                new AgentAssembly(definition, models, searched, tools, StateFolder.of(file)::index, indexing);
        return new Crew(file, provider, models, tools, assembly);
    }
}
