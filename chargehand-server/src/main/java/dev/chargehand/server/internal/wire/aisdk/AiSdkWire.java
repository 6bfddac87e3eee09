package dev.chargehand.server.internal.wire.aisdk;

import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.Wire;
import dev.chargehand.server.internal.wire.WireRuns;
import java.util.List;

/** The wire of the AI SDK's chat interfaces. Its clients show the body of an error as it is. */
public final class AiSdkWire implements Wire {

    private final List<Route> routes;

    /** Make it. */
    public AiSdkWire(WireRuns runs) {
        routes = new ChatRoutes(runs).routes();
    }

    @Override
    public String name() {
        return "ai-sdk";
    }

    @Override
    public String prefix() {
        return "/ai-sdk";
    }

    @Override
    public List<Route> routes() {
        return routes;
    }

    @Override
    public Reply.Whole rejected(ProblemException problem) {
        return problem.reply();
    }
}
