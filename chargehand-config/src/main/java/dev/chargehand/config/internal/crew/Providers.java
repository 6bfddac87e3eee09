package dev.chargehand.config.internal.crew;

import dev.chargehand.bedrock.BedrockProvider;
import dev.chargehand.config.internal.file.FileDefinition;
import dev.chargehand.config.internal.file.ProviderEntry;
import dev.chargehand.document.Setting;
import dev.chargehand.document.Variables;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.langchain4j.LangChain4jProvider;
import dev.chargehand.models.OpenAiCompatibleProvider;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Creates the model providers: the known ones and those of the file. */
public final class Providers {

    private Providers() {}

    /**
     * Make them.
     *
     * @throws ConfigurationException if an address or a header of the file cannot be used
     */
    public static EveryProvider of(
            FileDefinition file, Variables variables, Function<String, @Nullable String> environment) {
        OpenAiCompatibleProvider.Builder all =
                OpenAiCompatibleProvider.builder().environment(environment);
        for (ProviderEntry entry : file.providers()) {
            requireUsable(entry, variables);
            add(all, entry, variables);
        }
        return new EveryProvider(
                file.providers().stream().map(ProviderEntry::name).collect(Collectors.toUnmodifiableSet()),
                all.build(),
                LangChain4jProvider.builder().environment(environment).build(),
                BedrockProvider.builder().environment(environment).build());
    }

    /** Create each one separately first, so that its mistakes have a place. */
    private static void requireUsable(ProviderEntry entry, Variables variables) {
        OpenAiCompatibleProvider.Builder alone = OpenAiCompatibleProvider.builder();
        add(alone, entry, variables);
        try (OpenAiCompatibleProvider ignored = alone.build()) {
            // it can be made
        } catch (ConfigurationException e) {
            throw entry.at().error(e.getMessage());
        }
    }

    private static void add(OpenAiCompatibleProvider.Builder to, ProviderEntry entry, Variables variables) {
        String baseUrl = variables.resolve(entry.baseUrl()).text();
        Setting key = entry.key();
        if (key == null) {
            to.provider(entry.name(), baseUrl);
        } else {
            Supplier<String> supplier = () -> variables.resolve(key).text();
            to.provider(entry.name(), baseUrl, supplier);
        }
        entry.headers()
                .forEach((name, value) ->
                        to.header(entry.name(), name, variables.resolve(value).text()));
    }
}
