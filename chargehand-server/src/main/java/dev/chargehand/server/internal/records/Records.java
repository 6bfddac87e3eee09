package dev.chargehand.server.internal.records;

import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.api.ServerState;
import dev.chargehand.server.internal.route.Route;
import java.util.ArrayList;
import java.util.List;

/** Makes the routes of this package. */
public final class Records {

    private Records() {}

    /** Return them. */
    public static List<Route> routes(ServerState state) {
        Owners owners = new Owners(state);
        List<Route> routes = new ArrayList<>();
        routes.addAll(new TaskRoutes(state, owners).routes());
        return routes;
    }
}
