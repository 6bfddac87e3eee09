package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.json.Json;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.Wire;
import dev.chargehand.server.internal.wire.WireRuns;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The wire of OpenAI's clients. Agents are its models. */
public final class OpenAiWire implements Wire {

    private final List<Route> routes;

    /** Make it. */
    public OpenAiWire(WireRuns runs) {
        routes = Stream.of(
                        new ModelRoutes(runs).routes(),
                        new ChatRoutes(runs).routes(),
                        new ResponseRoutes(runs).routes())
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public String name() {
        return "openai";
    }

    @Override
    public String prefix() {
        return "/v1";
    }

    @Override
    public List<Route> routes() {
        return routes;
    }

    @Override
    public Reply.Whole rejected(ProblemException problem) {
        return new Reply.Whole(
                problem.problem().status(),
                problem.headers(),
                "application/json",
                Json.of(Map.of("error", ErrorBody.of(problem))));
    }
}
