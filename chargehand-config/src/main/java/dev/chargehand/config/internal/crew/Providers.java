package dev.chargehand.config.internal.crew;

import dev.chargehand.bedrock.BedrockProvider;
import dev.chargehand.config.internal.file.FileDefinition;
import dev.chargehand.config.internal.file.ProviderEntry;
import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import dev.chargehand.document.Variables;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.langchain4j.LangChain4jProvider;
import dev.chargehand.models.OpenAiCompatibleProvider;
import java.util.Map;
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
            add(all, entry, entry.headers(), variables);
        }
        return new EveryProvider(
                file.providers().stream().map(ProviderEntry::name).collect(Collectors.toUnmodifiableSet()),
                all.build(),
                LangChain4jProvider.builder().environment(environment).build(),
                BedrockProvider.builder().environment(environment).build());
    }

    /** Create each one separately first, and of it each header, so that its mistakes have a place. */
    private static void requireUsable(ProviderEntry entry, Variables variables) {
        requireUsable(entry, variables, Map.of(), entry.baseUrl().at());
        entry.headers().forEach((name, value) -> requireUsable(entry, variables, Map.of(name, value), value.at()));
    }

    private static void requireUsable(
            ProviderEntry entry, Variables variables, Map<String, Setting> headers, Position at) {
        OpenAiCompatibleProvider.Builder alone = OpenAiCompatibleProvider.builder();
        add(alone, entry, headers, variables);
        try (OpenAiCompatibleProvider ignored = alone.build()) {
            // it can be made
        } catch (ConfigurationException e) {
            String said = String.valueOf(e.getMessage());
            throw at.error(said.replaceFirst("^Model '[^']*':", "provider '" + entry.name() + "':"));
        }
    }

    private static void add(
            OpenAiCompatibleProvider.Builder to,
            ProviderEntry entry,
            Map<String, Setting> headers,
            Variables variables) {
        String baseUrl = variables.resolve(entry.baseUrl()).text();
        Setting key = entry.key();
        if (key == null) {
            to.provider(entry.name(), baseUrl);
        } else {
            Supplier<String> supplier = () -> variables.resolve(key).text();
            to.provider(entry.name(), baseUrl, supplier);
        }
        headers.forEach((name, value) ->
                to.header(entry.name(), name, variables.resolve(value).text()));
    }
}
