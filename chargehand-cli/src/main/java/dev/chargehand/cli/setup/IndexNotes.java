package dev.chargehand.cli.setup;

import dev.chargehand.search.report.IndexProgress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reports the progress of the indexing of documents periodically, if it takes more than a moment, and what is never searched. */
public final class IndexNotes implements Consumer<IndexProgress> {

    private static final Duration MOMENT = Duration.ofSeconds(2);
    private static final Duration BETWEEN = Duration.ofSeconds(3);

    private final InstantSource clock;
    private volatile Consumer<String> lines;
    private Instant startedAt = Instant.EPOCH;
    private @Nullable Instant reportedAt;
    private int beyond;

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
            startedAt = now;
            reportedAt = null;
        } else if (progress.ended()) {
            if (reportedAt != null) {
                lines.accept("indexed the documents: " + files(progress.files()) + " in " + seconds(startedAt, now)
                        + " s" + left(progress));
            }
            reportedAt = null;
            beyond(progress);
        } else if (!now.isBefore(reportedAt == null ? startedAt.plus(MOMENT) : reportedAt.plus(BETWEEN))) {
            reportedAt = now;
            lines.accept("indexing the documents: " + number(progress.done()) + " of " + files(progress.files()) + ", "
                    + number(progress.unchanged()) + " unchanged" + left(progress));
        }
    }

    /** What is never searched is reported also if that took no time, but a chat does not repeat it. */
    private void beyond(IndexProgress progress) {
        if (progress.beyond() > 0 && progress.beyond() != beyond) {
            lines.accept("chargehand: " + number(progress.beyond()) + " of " + files(progress.files())
                    + " are not searched: they come after the limit of files or of text (docs/cli.md); search a smaller"
                    + " folder, with --docs or 'docs:' in the agents' file.");
        }
        beyond = progress.beyond();
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
