package dev.chargehand.server.internal.records;

import dev.chargehand.metric.RunTimes;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.api.ServerState;
import dev.chargehand.server.internal.route.Route;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the routes of this package. */
public final class Records {

    private Records() {}

    /** Return them; without times the numbers have none of this process. */
    public static List<Route> routes(ServerState state, @Nullable RunTimes times) {
        Owners owners = new Owners(state);
        List<Route> routes = new ArrayList<>();
        routes.addAll(new TaskRoutes(state, owners).routes());
        routes.addAll(new ThreadRoutes(state, owners).routes());
        routes.addAll(new ThreadEvents(state, owners).routes());
        routes.addAll(new FactRoutes(state, owners).routes());
        routes.addAll(new MemoryRoutes(state, owners).routes());
        routes.addAll(new VersionRoutes(state).routes());
        routes.addAll(new MetricsRoutes(state, times).routes());
        routes.addAll(new ApprovalEvents(state).routes());
        return routes;
    }
}
