package dev.chargehand.config.internal.file;

import dev.chargehand.completion.Scorer;
import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.model.ModelChoice;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A scorer of the file, as far as the file alone can make it. */
public sealed interface ScorerEntry {

    /** Return where it is given. */
    Position at();

    /** A scorer that needs nothing else. */
    record Plain(Position at, Scorer scorer) implements ScorerEntry {}

    /** A scorer that looks into the folder of the documents. */
    record OfDocuments(Position at, Function<Path, Scorer> maker) implements ScorerEntry {

        /** Make the scorer for a folder. */
        public Scorer in(Path folder) {
            return blaming(at, () -> maker.apply(folder));
        }
    }

    /**
     * A scorer that asks a model.
     *
     * @param model which one, or null for the agent's
     */
    record Judged(Position at, @Nullable Setting model, Function<ModelChoice, Scorer> maker) implements ScorerEntry {

        /** Make the scorer for a model. */
        public Scorer by(ModelChoice choice) {
            return blaming(at, () -> maker.apply(choice));
        }
    }

    /** Create a part; its mistakes are reported with a place. */
    static <T> T blaming(Position at, Supplier<T> maker) {
        try {
            return maker.get();
        } catch (ConfigurationException e) {
            throw at.error(e.getMessage());
        }
    }
}
