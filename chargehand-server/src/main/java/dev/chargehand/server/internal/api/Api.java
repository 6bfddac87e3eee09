package dev.chargehand.server.internal.api;

import dev.chargehand.server.internal.route.Page;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.route.RouteTable;
import java.util.ArrayList;
import java.util.List;

/** Makes the table of all routes. */
public final class Api {

    private Api() {}

    /**
     * Return the routes of a server.
     *
     * @param signIn whether callers must sign in
     * @param more the routes of other packages
     * @param pages the pages of the application
     * @throws dev.chargehand.error.ConfigurationException if the path of a page is taken
     */
    public static RouteTable routes(ServerState state, boolean signIn, List<Route> more, List<Page> pages) {
        Owners owners = new Owners(state);
        EventRoutes events = new EventRoutes(state, owners);
        List<Route> routes = new ArrayList<>();
        routes.addAll(new InfoRoutes(state, signIn, () -> List.copyOf(routes)).routes());
        routes.addAll(new AgentRoutes(state).routes());
        routes.addAll(new StartRoutes(state, owners, events).routes());
        routes.addAll(new ForkRoutes(state, owners, events).routes());
        routes.addAll(new WorkflowRoutes(state, events).routes());
        routes.addAll(new RunRoutes(state, owners).routes());
        routes.addAll(events.routes());
        routes.addAll(new ApprovalRoutes(state, owners).routes());
        routes.addAll(more);
        return new RouteTable(
                routes.stream()
                        .map(route -> route.withHeaders(RunKey::replayed))
                        .toList(),
                pages);
    }
}
