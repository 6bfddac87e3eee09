package dev.chargehand.model;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;

/**
 * Which model an agent uses, and which ones to fall back to, in order, when it cannot answer.
 *
 * @param candidates the first choice and its fallbacks
 */
public record ModelChoice(List<Candidate> candidates) {

    public ModelChoice {
        candidates = List.copyOf(candidates);
        if (candidates.isEmpty()) {
            throw new ConfigurationException("A model choice needs at least one model.");
        }
    }

    /** A model by name or as an object. */
    public sealed interface Candidate {

        /** A model that a {@link ModelProvider} makes, such as {@code openai/gpt-5}. */
        record Named(String name) implements Candidate {
            public Named {
                int slash = name.indexOf('/');
                if (slash < 1 || slash == name.length() - 1) {
                    throw new ConfigurationException(
                            "Model '" + name + "' must be named provider/model, for example openai/gpt-5-mini.");
                }
            }
        }

        /** A model that is already there. */
        record Given(Model model) implements Candidate {}
    }

    /** Make the choice of a named model. */
    public static ModelChoice of(String name) {
        return new ModelChoice(List.of(new Candidate.Named(name)));
    }

    /** Make the choice of named models, the first one first. */
    public static ModelChoice of(List<String> names) {
        return new ModelChoice(names.stream()
                .map(name -> (Candidate) new Candidate.Named(name))
                .toList());
    }

    /** Make the choice of a given model. */
    public static ModelChoice of(Model model) {
        return new ModelChoice(List.of(new Candidate.Given(model)));
    }

    /** Return this choice with a fallback more. */
    @CheckReturnValue
    public ModelChoice orElse(String name) {
        return plus(new Candidate.Named(name));
    }

    /** Return this choice with a fallback more. */
    @CheckReturnValue
    public ModelChoice orElse(Model model) {
        return plus(new Candidate.Given(model));
    }

    private ModelChoice plus(Candidate candidate) {
        List<Candidate> more = new ArrayList<>(candidates);
        more.add(candidate);
        return new ModelChoice(more);
    }
}
