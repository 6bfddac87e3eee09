package dev.chargehand.internal.journal;

import dev.chargehand.internal.fact.CallAnswer;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.json.Json;
import dev.chargehand.run.Usage;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;

/** An answer to a call that waited, with a value in every field. */
final class AnswerSamples {

    static final Fact DECIDED = new Fact.CallDecided(
            "call",
            2,
            CallAnswer.DATA,
            "approver",
            "tenant",
            "reason",
            Json.of(Map.of("n", 7)),
            new CallAnswer.FromMessage(
                    "message",
                    new Spending(2, 0, 15, new BigDecimal("0.000045"), Map.of("answers:", new Usage(10, 20, 5, 6)))),
            Instant.parse("2026-01-01T00:00:00.123456789Z"));

    private AnswerSamples() {}
}
