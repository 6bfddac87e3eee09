package dev.chargehand.server.internal.records;

import dev.chargehand.metric.RunMetrics;
import dev.chargehand.metric.RunTimes;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.api.ServerState;
import dev.chargehand.server.internal.api.Views;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Operation;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.shape.RecordShapes;
import dev.chargehand.server.internal.shape.RunShapes;
import dev.chargehand.server.internal.shape.Shape;
import dev.chargehand.store.RunFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The route that counts runs, from their records, with what this process knows of its own runs. */
final class MetricsRoutes {

    private static final Pattern WINDOW = Pattern.compile("([1-9][0-9]{0,3})([mhd])");
    private static final Duration LONGEST = Duration.ofDays(30);

    private final ServerState state;
    private final @Nullable RunTimes times;

    /** Make it; without times the summary has none of this process. */
    MetricsRoutes(ServerState state, @Nullable RunTimes times) {
        this.state = state;
        this.times = times;
    }

    List<Route> routes() {
        return List.of(new Route(
                "GET",
                "/api/v1/metrics/summary",
                Route.Access.of(Scope.RUNS_READ),
                "Count the runs that have started within a time, with their tokens, costs and durations",
                Operation.ok(RecordShapes.SUMMARY)
                        .query("window", Shape.TEXT, "Such as 30m, 1h or 7d, at most 30d; default 1h.")
                        .query(
                                "resource",
                                RunShapes.ID,
                                "On whose behalf; default: the resource of the caller, or all."),
                this::summary));
    }

    private Reply summary(Call call) {
        Instant since = Instant.now().minus(window(call.query("window").orElse("1h")));
        Optional<String> resource =
                Owners.resource(call.principal(), call.query("resource").orElse(null));
        RunFilter filter = resource.map(RunFilter.ROOTS::resource).orElse(RunFilter.ROOTS);
        RunMetrics metrics = RunMetrics.of(state.runtime(call.principal())::runs, filter, since);
        Map<String, Object> agents = new LinkedHashMap<>();
        metrics.byAgent().forEach((agent, own) -> agents.put(agent, counts(own)));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("since", since.toString());
        fields.put("complete", metrics.complete());
        fields.put("all", counts(metrics.all()));
        fields.put("byAgent", agents);
        fields.put("pending", metrics.pending());
        if (resource.isEmpty()) {
            fields.put("process", process(call.principal().tenantId(), since));
        }
        return Reply.ok(fields);
    }

    /** Return what only this process knows, which is not known by resource. */
    private Map<String, Object> process(String tenantId, Instant since) {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (times != null) {
            times.firstText(tenantId, since).ifPresent(found -> fields.put("firstText", times(found)));
            times.tools(tenantId, since).ifPresent(found -> fields.put("tools", times(found)));
        }
        fields.put("abandonedCalls", state.abandonedCalls());
        return fields;
    }

    private static Map<String, Object> times(RunMetrics.Durations times) {
        return Map.of(
                "p50Millis", times.p50().toMillis(),
                "p95Millis", times.p95().toMillis());
    }

    private static Duration window(String text) {
        Matcher matcher = WINDOW.matcher(text);
        if (matcher.matches()) {
            long number = Long.parseLong(matcher.group(1));
            Duration window =
                    switch (matcher.group(2)) {
                        case "m" -> Duration.ofMinutes(number);
                        case "h" -> Duration.ofHours(number);
                        default -> Duration.ofDays(number);
                    };
            if (window.compareTo(LONGEST) <= 0) {
                return window;
            }
        }
        throw Problem.BAD_REQUEST.of("The parameter 'window' must be a time such as 30m, 1h or 7d, at most 30d.");
    }

    private static Map<String, Object> counts(RunMetrics.Counts counts) {
        Map<String, Object> byStatus = new TreeMap<>();
        counts.byStatus().forEach((status, runs) -> byStatus.put(Views.status(status), runs));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("runs", counts.runs());
        fields.put("byStatus", byStatus);
        fields.put("usage", Views.usage(counts.usage()));
        fields.put("cost", counts.cost());
        counts.durations().ifPresent(found -> fields.put("duration", times(found)));
        return fields;
    }
}
