package dev.chargehand.config.choice;

import dev.chargehand.document.Variables;
import java.util.List;
import java.util.Optional;

/** The keys in the environment that make a real model the default, and which model that is. */
public final class KnownKeys {

    /** In the order in which they are looked for. */
    private static final List<Known> ALL = List.of(
            new Known("OPENAI_API_KEY", "openai/gpt-5-mini"),
            new Known("ANTHROPIC_API_KEY", "anthropic/claude-sonnet-4-5"),
            new Known("GEMINI_API_KEY", "gemini/gemini-2.5-flash"),
            new Known("OPENROUTER_API_KEY", "openrouter/openai/gpt-5-mini"),
            new Known("MISTRAL_API_KEY", "mistral/mistral-medium-latest"),
            new Known("DEEPSEEK_API_KEY", "deepseek/deepseek-chat"),
            new Known("GROQ_API_KEY", "groq/openai/gpt-oss-120b"),
            new Known("XAI_API_KEY", "xai/grok-4"));

    private KnownKeys() {}

    /**
     * A key and what it is good for.
     *
     * @param variable the environment variable
     * @param model a model of that provider for every purpose
     */
    public record Known(String variable, String model) {}

    /** Return the first that is set. */
    public static Optional<Known> first(Variables environment) {
        return ALL.stream()
                .filter(known -> environment.get(known.variable()) != null)
                .findFirst();
    }
}
