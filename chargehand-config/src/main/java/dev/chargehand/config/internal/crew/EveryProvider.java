package dev.chargehand.config.internal.crew;

import dev.chargehand.bedrock.BedrockProvider;
import dev.chargehand.langchain4j.LangChain4jProvider;
import dev.chargehand.model.EmbeddingModel;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.models.OpenAiCompatibleProvider;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * All providers: those of the file first, then those with a protocol of their own, then the other known ones.
 *
 * @param ofFile the names that the file has entries for
 * @param compatible the file's, and those that speak OpenAI's protocol
 * @param own those with a protocol of their own
 */
public record EveryProvider(
        Set<String> ofFile, OpenAiCompatibleProvider compatible, LangChain4jProvider own, BedrockProvider bedrock)
        implements ModelProvider {

    @Override
    public Set<String> names() {
        Set<String> names = new TreeSet<>(compatible.names());
        names.addAll(own.names());
        names.addAll(bedrock.names());
        return names;
    }

    @Override
    public Optional<Model> find(String name) {
        boolean configured = name.indexOf('/') > 0 && ofFile.contains(name.substring(0, name.indexOf('/')));
        Optional<Model> found = configured ? Optional.empty() : own.find(name).or(() -> bedrock.find(name));
        return found.or(() -> compatible.find(name));
    }

    /** {@inheritDoc} Those with a protocol of their own have none. */
    @Override
    public Optional<EmbeddingModel> findEmbeddingModel(String name) {
        return compatible.findEmbeddingModel(name);
    }

    /** Return the environment variable that holds the key of a provider; nothing if it needs none. */
    public Optional<String> keyVariable(String provider) {
        Optional<String> variable = ofFile.contains(provider) ? Optional.empty() : own.keyVariable(provider);
        return variable.isPresent() ? variable : compatible.keyVariable(provider);
    }

    @Override
    public void close() {
        own.close();
        bedrock.close();
        compatible.close();
    }
}
