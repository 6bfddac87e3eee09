package dev.chargehand.completion;

import dev.chargehand.error.ConfigurationException;

/** A scorer built from a name, a threshold and a function. */
record NamedScorer(String name, double threshold, Function function) implements Scorer {

    NamedScorer {
        if (name.isBlank()) {
            throw new ConfigurationException("A scorer needs a name; feedback and results call it by its name.");
        }
        Texts.requireThreshold("Scorer '" + name + "'", threshold);
    }

    @Override
    public Score score(ScorerContext context) throws Exception {
        return function.score(context);
    }

    @Override
    public String toString() {
        return "Scorer[" + name + "]";
    }
}
