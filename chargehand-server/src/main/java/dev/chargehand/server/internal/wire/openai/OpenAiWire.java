package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.json.Json;
import dev.chargehand.server.ServerAnswers;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.Wire;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.WireStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/** The wire of OpenAI's clients. Agents are its models. */
public final class OpenAiWire implements Wire {

    /** The header in which clients look for what names a request in reports of errors. */
    private static final String REQUEST_ID = "x-request-id";

    private final List<Route> routes;

    /**
     * Make it.
     *
     * @param answers when texts are streamed
     */
    public OpenAiWire(WireRuns runs, ServerAnswers answers) {
        AnswerTimes times = new AnswerTimes(runs, answers);
        routes = Stream.of(
                        new ModelRoutes(runs).routes(),
                        new ChatRoutes(runs, times).routes(),
                        new StoredChats(runs, times).routes(),
                        new ResponseRoutes(runs, times).routes())
                .flatMap(List::stream)
                .map(OpenAiWire::identified)
                .toList();
    }

    private static Route identified(Route route) {
        return new Route(
                route.method(),
                route.template(),
                route.access(),
                route.summary(),
                route.operation(),
                call -> switch (route.handler().handle(call)) {
                    case Reply.Whole whole -> withId(whole);
                    case WireStream stream -> stream.withHeader(REQUEST_ID, newId());
                    case Reply.Streamed other -> other;
                });
    }

    private static Reply.Whole withId(Reply.Whole whole) {
        Map<String, String> headers = new LinkedHashMap<>(whole.headers());
        headers.put(REQUEST_ID, newId());
        return new Reply.Whole(whole.status(), headers, whole.mediaType(), whole.body());
    }

    private static String newId() {
        return "req_" + UUID.randomUUID().toString().replace("-", "");
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
        return withId(new Reply.Whole(
                problem.problem().status(),
                problem.headers(),
                "application/json",
                Json.of(Map.of("error", ErrorBody.of(problem)))));
    }
}
