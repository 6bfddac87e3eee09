package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.cli.setup.IndexNotes;
import dev.chargehand.search.report.IndexProgress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IndexNotesTest {

    final List<String> lines = new ArrayList<>();
    long millis;
    final IndexNotes notes = new IndexNotes(() -> Instant.ofEpochMilli(millis), lines::add);

    private void at(long time, int done, boolean ended) {
        millis = time;
        notes.accept(new IndexProgress(12_000, done, done / 2, done / 1_000, 0, ended));
    }

    @Test
    void whatTakesAMomentIsNotSpokenOf() {
        at(0, 0, false);
        at(500, 6_000, false);
        at(1_900, 12_000, false);
        at(5_000, 12_000, true);

        assertThat(lines).isEmpty();
    }

    @Test
    void whatTakesLongerIsToldNowAndThenAndAtItsEnd() {
        at(10_000, 0, false);
        for (int done = 1; done < 12_000; done++) {
            at(10_000 + done, done, false);
        }
        at(22_500, 12_000, true);

        assertThat(lines)
                .containsExactly(
                        "indexing the documents: 2,000 of 12,000 files, 1,000 unchanged, 2 left out",
                        "indexing the documents: 5,000 of 12,000 files, 2,500 unchanged, 5 left out",
                        "indexing the documents: 8,000 of 12,000 files, 4,000 unchanged, 8 left out",
                        "indexing the documents: 11,000 of 12,000 files, 5,500 unchanged, 11 left out",
                        "indexed the documents: 12,000 files in 12.5 s, 12 left out");
    }

    @Test
    void aLookThatFindsNothingNewAfterALongOneIsNotSpokenOf() {
        whatTakesLongerIsToldNowAndThenAndAtItsEnd();
        lines.clear();

        at(60_000, 12_000, true);

        assertThat(lines).isEmpty();
    }

    @Test
    void filesBeyondALimitAreReportedOnceAsLongAsTheyAreAsMany() {
        IndexProgress many = new IndexProgress(12_000, 12_000, 0, 2_001, 2_000, true);
        notes.accept(many);
        notes.accept(many);
        notes.accept(new IndexProgress(12_000, 12_000, 0, 1, 0, true));
        notes.accept(many);

        assertThat(lines)
                .hasSize(2)
                .allMatch(line -> line.startsWith("chargehand: 2,000 of 12,000 files are not searched"));
    }
}
