package dev.chargehand.server.internal.records;

import dev.chargehand.TenantRuntime;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
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
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.RunSummary;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The route that counts runs, from their records alone. */
final class MetricsRoutes {

    private static final int PAGE = 1_000;
    private static final int MOST = 10_000;
    private static final Pattern WINDOW = Pattern.compile("([1-9][0-9]{0,3})([mhd])");
    private static final Duration LONGEST = Duration.ofDays(30);

    private final ServerState state;

    MetricsRoutes(ServerState state) {
        this.state = state;
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
        TenantRuntime runtime = state.runtime(call.principal());
        List<RunRecord> runs = read(runtime, filter.startedFrom(since));
        Map<String, List<RunRecord>> byAgent = new TreeMap<>();
        runs.forEach(run ->
                byAgent.computeIfAbsent(run.agentId(), id -> new ArrayList<>()).add(run));
        Map<String, Object> agents = new LinkedHashMap<>();
        byAgent.forEach((agent, own) -> agents.put(agent, counts(own)));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("since", since.toString());
        fields.put("complete", runs.size() < MOST);
        fields.put("all", counts(runs));
        fields.put("byAgent", agents);
        fields.put(
                "pending",
                runtime.runs(filter.statuses(RunStatus.PENDING).limit(PAGE)).size());
        return Reply.ok(fields);
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

    private static List<RunRecord> read(TenantRuntime runtime, RunFilter filter) {
        List<RunRecord> runs = new ArrayList<>();
        List<RunRecord> page = runtime.runs(filter.limit(PAGE));
        while (!page.isEmpty() && runs.size() < MOST) {
            runs.addAll(page);
            page = page.size() < PAGE
                    ? List.of()
                    : runtime.runs(filter.limit(PAGE).before(page.getLast().runId()));
        }
        return runs;
    }

    private static Map<String, Object> counts(List<RunRecord> runs) {
        Map<String, Object> byStatus = new TreeMap<>();
        Usage usage = Usage.NONE;
        BigDecimal cost = BigDecimal.ZERO;
        List<Long> millis = new ArrayList<>();
        for (RunRecord run : runs) {
            byStatus.merge(Views.status(run.status()), 1, (count, one) -> (Integer) count + 1);
            Optional<RunSummary> summary = run.summary();
            usage = usage.plus(summary.map(RunSummary::usage).orElse(Usage.NONE));
            cost = cost.add(summary.map(RunSummary::cost).orElse(BigDecimal.ZERO));
            if (run.status().isEnded()) {
                millis.add(Math.max(
                        0, Duration.between(run.startedAt(), run.updatedAt()).toMillis()));
            }
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("runs", runs.size());
        fields.put("byStatus", byStatus);
        fields.put("usage", Views.usage(usage));
        fields.put("cost", cost);
        if (!millis.isEmpty()) {
            fields.put("duration", times(millis.stream().sorted().toList()));
        }
        return fields;
    }

    private static Map<String, Object> times(List<Long> sorted) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("p50Millis", sorted.get(Math.ceilDiv(sorted.size() * 50, 100) - 1));
        fields.put("p95Millis", sorted.get(Math.ceilDiv(sorted.size() * 95, 100) - 1));
        return fields;
    }
}
