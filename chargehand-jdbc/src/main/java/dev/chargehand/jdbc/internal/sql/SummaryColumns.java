package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.jdbc.internal.session.BoundSql;
import dev.chargehand.jdbc.internal.session.Row;
import dev.chargehand.json.Json;
import dev.chargehand.run.Usage;
import dev.chargehand.store.RunSummary;
import java.math.BigDecimal;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The columns of a run that hold its summary. */
final class SummaryColumns {

    static final String NAMES =
            "kind, first_words, step, input_tokens, output_tokens, cached_tokens, reasoning_tokens, cost, stop, version";

    static final String ASSIGNMENTS = """
            kind = :kind, first_words = :firstWords, step = :step, input_tokens = :inputTokens,
            output_tokens = :outputTokens, cached_tokens = :cachedTokens, reasoning_tokens = :reasoningTokens,
            cost = :cost, stop = :stop, version = :agentVersion""";

    private SummaryColumns() {}

    /** Return the assignments of an update after a comma, or nothing if there is no summary. */
    static String changes(@Nullable RunSummary summary) {
        return summary == null ? "" : ", " + ASSIGNMENTS;
    }

    /** Bind what {@link #changes} needs. */
    static BoundSql bindGiven(BoundSql statement, @Nullable RunSummary summary) {
        return summary == null ? statement : bindAll(statement, summary);
    }

    /** Bind all columns; they are NULL if there is no summary. */
    static BoundSql bindAll(BoundSql statement, @Nullable RunSummary summary) {
        Usage usage = summary == null ? null : summary.usage();
        return statement
                .bind("kind", summary == null ? null : summary.kind())
                .bindText("firstWords", summary == null ? null : summary.firstWords())
                .bind("step", summary == null ? null : (Long) (long) summary.step())
                .bind("inputTokens", usage == null ? null : (Long) usage.inputTokens())
                .bind("outputTokens", usage == null ? null : (Long) usage.outputTokens())
                .bind("cachedTokens", usage == null ? null : (Long) usage.cachedInputTokens())
                .bind("reasoningTokens", usage == null ? null : (Long) usage.reasoningTokens())
                .bind("cost", summary == null ? null : summary.cost().toString())
                .bindText("stop", summary == null ? null : stop(summary))
                .bindText(
                        "agentVersion",
                        summary == null ? null : summary.version().orElse(null));
    }

    private static @Nullable String stop(RunSummary summary) {
        return summary.stop().map(Json::text).orElse(null);
    }

    /** Read the summary, or null if an earlier version has stored the run. */
    static @Nullable RunSummary read(Row row) throws SQLException {
        String kind = row.textIfThere("kind");
        if (kind == null) {
            return null;
        }
        Usage usage = new Usage(
                row.number("input_tokens"),
                row.number("output_tokens"),
                row.number("cached_tokens"),
                row.number("reasoning_tokens"));
        String stop = row.textIfThere("stop");
        return RunSummary.of(kind, row.text("first_words"))
                .step((int) row.number("step"))
                .usage(usage, new BigDecimal(row.text("cost")))
                .version(row.textIfThere("version"))
                .stop(stop == null ? null : Json.parse(stop));
    }
}
