package dev.chargehand.verify.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.server.HttpBinding;
import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.Tally;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A sample of the harness of the same name. */
class ServerTest {

    @Test
    void aStreamThatIsCutContinuesAtAnyServer() throws Exception {
        Tally tally = new ServerHarness(ServerMode.CUTS, new CaseOptions(1, 7), StoreKind.SQLITE, 4).run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isGreaterThan(60);
    }

    @Test
    void startsThatWereAcceptedByServersThatAreKilledEndOnceAndInOrder() throws Exception {
        Tally tally = new ServerHarness(ServerMode.ACCEPT, new CaseOptions(1, 7), StoreKind.SQLITE, 2).run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isEqualTo(4);
        assertThat(tally.line("server")).doesNotContain("kills=0");
    }

    @Test
    void callsInFlightOfAServerThatIsTerminatedAreMadeOnce() throws Exception {
        Tally tally = new ServerHarness(ServerMode.DRAIN, new CaseOptions(1, 7), StoreKind.SQLITE, 6).run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isEqualTo(12);
        assertThat(tally.line("server")).doesNotContain("in_flight=0");
    }

    @Test
    void runsThatHangDoNotStopThoseOfAnotherTenant() throws Exception {
        Tally tally = new ServerHarness(ServerMode.NEIGHBOUR, new CaseOptions(1, 7), StoreKind.SQLITE, 60).run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isEqualTo(36);
    }

    @ParameterizedTest
    @EnumSource
    void aReaderThatStopsReadingIsEndedAndTheOthersReadEverything(HttpBinding binding) throws Exception {
        Tally tally = new ServerHarness(ServerMode.STALLED, new CaseOptions(1, 7), StoreKind.SQLITE, 1)
                .with(binding, 8)
                .run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isEqualTo(17);
    }

    @Test
    void everyStreamUnderLoadHasEveryEvent() throws Exception {
        Tally tally = new ServerHarness(ServerMode.LOAD, new CaseOptions(1, 7), StoreKind.SQLITE, 1)
                .with(HttpBinding.HELIDON, 20)
                .run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isGreaterThanOrEqualTo(40);
    }
}
