package dev.chargehand.memory;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelChoice;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a model writes the titles of conversations. Immutable and thread-safe.
 *
 * <p>It is called after a run, in the background, with the first text of the user and the first answer, within 30 seconds. Its
 * title replaces the first words of the user, once, and never a title of the application. A call that fails is made again
 * after 1, 4, 15 and then every 60 minutes, and after the next run of the thread.
 */
public final class ThreadTitles {

    private static final int LONGEST_INSTRUCTIONS = 10_000;

    private final ModelChoice model;
    private final @Nullable String instructions;

    private ThreadTitles(ModelChoice model, @Nullable String instructions) {
        this.model = model;
        this.instructions = instructions;
    }

    /**
     * Return titles by a model of a name, such as {@code openai/gpt-5-nano}.
     *
     * @throws ConfigurationException if it is not named provider/name
     */
    public static ThreadTitles by(String modelName) {
        return new ThreadTitles(ModelChoice.of(Given.value("title: the model", modelName)), null);
    }

    /** Return titles by a model. */
    public static ThreadTitles by(Model model) {
        return new ThreadTitles(ModelChoice.of(Given.value("title: the model", model)), null);
    }

    /**
     * Return these titles with other instructions. The model is in addition instructed to take the conversation as data.
     * Default: a title of at most 6 words, in the language of the conversation.
     *
     * @param text 1 to 10,000 characters
     * @throws ConfigurationException if it is blank or longer
     */
    @CheckReturnValue
    public ThreadTitles instructions(String text) {
        if (Given.value("title: the instructions", text).isBlank() || text.length() > LONGEST_INSTRUCTIONS) {
            throw new ConfigurationException(
                    "title: instructions have 1 to " + LONGEST_INSTRUCTIONS + " characters that are not all blank.");
        }
        return new ThreadTitles(model, text);
    }

    /** Return the model. */
    public ModelChoice model() {
        return model;
    }

    /** Return the instructions, if they are not the default. */
    public Optional<String> instructions() {
        return Optional.ofNullable(instructions);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ThreadTitles that
                && model.equals(that.model)
                && Objects.equals(instructions, that.instructions);
    }

    @Override
    public int hashCode() {
        return Objects.hash(model, instructions);
    }

    @Override
    public String toString() {
        return "ThreadTitles[by=" + model + "]";
    }
}
