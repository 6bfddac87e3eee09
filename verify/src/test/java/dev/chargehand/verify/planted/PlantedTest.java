package dev.chargehand.verify.planted;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.Tally;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A sample of the harness of the same name. */
class PlantedTest {

    @TempDir
    private Path folder;

    /** That the tests pass without a bug is seen by the build itself. */
    @Test
    void everySixthBugAndOneThatMakesATestHangIsSeen() throws Exception {
        List<PlantedBug> all = PlantedBug.all();
        List<PlantedBug> sample = IntStream.range(0, all.size())
                .filter(place -> place % 6 == 0 || all.get(place) == PlantedBug.FORGET_THE_IDLE_TIMER)
                .mapToObj(all::get)
                .toList();

        Tally tally = new PlantedHarness(new CaseOptions(), false, sample).run();

        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isEqualTo(sample.size()).isGreaterThan(5);
    }

    @ParameterizedTest
    @EnumSource
    void eachBugHasItsPlaceInTheSources(PlantedBug bug) throws Exception {
        assertThat(new Checkout(folder).plant(bug)).isNotEmpty();
    }
}
