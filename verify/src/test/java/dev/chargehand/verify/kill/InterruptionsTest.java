package dev.chargehand.verify.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.internal.fact.CallKind;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RequestedCall;
import dev.chargehand.internal.journal.FactCodec;
import dev.chargehand.model.FinishReason;
import dev.chargehand.run.Usage;
import dev.chargehand.store.FactEntry;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What an outage interrupts: also a call that starts while the tree of its run has lost the store already. */
class InterruptionsTest {

    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    private static final String RUN = "run_x";

    private static final List<FactEntry> FACTS = Stream.of(
                    new Fact.Answered(
                            1,
                            "a/b",
                            "",
                            "",
                            List.of(new RequestedCall("call", null, "book", "{\"slot\":\"b1\"}")),
                            FinishReason.TOOL_CALLS,
                            Usage.NONE,
                            1,
                            BigDecimal.ZERO,
                            null,
                            null,
                            AT,
                            AT),
                    new Fact.CallOpened("call", CallKind.UNSAFE, "digest", null, AT),
                    new Fact.Resumed("other", 2, AT),
                    new Fact.CallClosed("call", null, null, "unknown", null, null, null, null, null, AT))
            .map(FactCodec::write)
            .toList();

    private static boolean mayHaveHit(Line... lines) {
        return new Interruptions(List.of(lines), Map.of(RUN, FACTS)).mayHaveHit("b1");
    }

    private static Line stored(int place) {
        return Line.of(Line.STORED, "fact", RUN, place, Acknowledged.hash(FACTS.get(place)));
    }

    @Test
    void aCallThatStartsBetweenAnOutageAndTheNextLifeOfItsRunIsInterrupted() {
        assertThat(mayHaveHit(Line.of(Line.READY), stored(0), Line.of(Line.OUTAGE), stored(1), stored(2), stored(3)))
                .isTrue();
    }

    @Test
    void aCallThatNoOutageCameBeforeIsNot() {
        assertThat(mayHaveHit(Line.of(Line.READY), stored(0), stored(1), stored(2), stored(3), Line.of(Line.OUTAGE)))
                .isFalse();
    }
}
