package dev.chargehand.cli.setup;

import dev.chargehand.search.report.IndexProgress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reports the progress of the indexing of documents periodically, if it takes more than a moment. */
public final class IndexNotes implements Consumer<IndexProgress> {

    private static final Duration MOMENT = Duration.ofSeconds(2);
    private static final Duration BETWEEN = Duration.ofSeconds(3);

    private final InstantSource clock;
    private volatile Consumer<String> lines;
    private Instant begun = Instant.EPOCH;
    private @Nullable Instant told;

    public IndexNotes(InstantSource clock, Consumer<String> lines) {
        this.clock = clock;
        this.lines = lines;
    }

    /** Redirect the lines to the output of a run, which may be painting on the terminal. */
    void to(Consumer<String> shown) {
        this.lines = shown;
    }

    @Override
    public synchronized void accept(IndexProgress progress) {
        Instant now = clock.instant();
        if (progress.done() == 0 && !progress.ended()) {
            begun = now;
            told = null;
        } else if (progress.ended()) {
            if (told != null) {
                lines.accept("indexed the documents: " + files(progress.files()) + " in " + seconds(begun, now) + " s"
                        + left(progress));
            }
            told = null;
        } else if (!now.isBefore(told == null ? begun.plus(MOMENT) : told.plus(BETWEEN))) {
            told = now;
            lines.accept("indexing the documents: " + number(progress.done()) + " of " + files(progress.files()) + ", "
                    + number(progress.unchanged()) + " unchanged" + left(progress));
        }
    }

    private static String files(int files) {
        return number(files) + (files == 1 ? " file" : " files");
    }

    private static String number(int number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String left(IndexProgress progress) {
        return progress.skipped() == 0 ? "" : ", " + number(progress.skipped()) + " left out";
    }

    private static String seconds(Instant from, Instant to) {
        return String.format(Locale.ROOT, "%.1f", Duration.between(from, to).toMillis() / 1000.0);
    }
}
